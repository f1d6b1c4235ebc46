"""The task of a memory network: its recipe, its batches, its baseline and its quality."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.checkpoint import load_module, read_config
from heed.models.families.memory.config import MemoryNetworkConfig
from heed.models.families.memory.network import MemoryNetwork
from tests.training.tiny_recipes import write_recipe
from training.common.errors import RecipeError
from training.stories.batches import Variation, read_batch
from training.stories.examples import Example
from training.stories.quality import Answered, evaluate_stories, held_out
from training.stories.questions import KINDS
from training.stories.recipe import MemoryNetworkRecipe
from training.stories.task import StoryTask, answerer
from training.stories.uniform import UniformNetwork
from training.stories.vocabulary import ANSWERS, CANNOT_KNOW, WORDS, Vocabulary


@pytest.fixture
def recipe() -> MemoryNetworkRecipe:
    shipped = MemoryNetworkRecipe.named("memory")
    return replace(shipped, stories=64, network=replace(shipped.network, width=16))


def test_the_shipped_recipe_fits_the_grammar() -> None:
    recipe = MemoryNetworkRecipe.named("memory")
    assert recipe.task == "story"
    assert recipe.network.vocabulary == len(WORDS)
    assert recipe.network.answers == len(ANSWERS)
    assert set(recipe.kinds) == set(KINDS)


def test_a_recipe_with_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, "memory", {"kinds": {"three": None, "seven": 2}})
    with pytest.raises(RecipeError, match="kinds: unknown or missing: seven, three"):
        MemoryNetworkRecipe.read(path)


def test_a_varied_example_has_the_same_form() -> None:
    torch.manual_seed(1)
    vocabulary = Vocabulary()
    batch = read_batch(vocabulary, held_out("three", 50, answerable=True))
    varied = Variation(vocabulary, unknown=0.0).vary(batch)
    assert not torch.equal(varied.story, batch.story)
    for before, after, old, new in zip(
        batch.story, varied.story, batch.answer, varied.answer, strict=True
    ):
        answer, other = vocabulary.answers[int(old)], vocabulary.answers[int(new)]
        place, exchanged = answer.removeprefix("the "), other.removeprefix("the ")
        was = before == vocabulary.words.index(place)
        assert torch.equal(was, after == vocabulary.words.index(exchanged))


def test_an_answer_that_becomes_unknown_cannot_be_known() -> None:
    torch.manual_seed(1)
    vocabulary = Vocabulary()
    batch = read_batch(vocabulary, held_out("one", 200, answerable=True))
    varied = Variation(vocabulary, unknown=1.0).vary(batch)
    cannot = varied.answer == vocabulary.answer_ids[CANNOT_KNOW]
    assert 0 < cannot.sum() < 100
    assert (varied.story == 1).flatten(1).any(dim=1).sum() > 100


def test_a_uniform_network_reads_all_sentences_alike(recipe: MemoryNetworkRecipe) -> None:
    batch = read_batch(Vocabulary(), held_out("one", 3, answerable=True))
    weights = UniformNetwork(recipe.network)(*batch[:3]).weights
    for row, example in enumerate(held_out("one", 3, answerable=True)):
        count = len(example.sentences) + 1
        assert weights[row, :, :count].tolist() == [pytest.approx([1 / count] * count)] * 3
        assert weights[row, :, count:].eq(0).all()


def test_perfect_answers_have_perfect_figures() -> None:
    def perfect(asked: list[Example]) -> list[Answered]:
        answered = []
        for example in asked:
            weights = np.zeros((3, len(example.sentences) + 1), np.float32)
            for hop, facts in enumerate(example.hops):
                weights[hop, max(facts) + 1] = 1
            answered.append(Answered(example.answer, weights))
        return answered

    figures = evaluate_stories(perfect, 12)
    assert set(figures) == {*KINDS, "unanswerable"}
    for kind, found in figures.items():
        assert found["stories"] == 12
        assert found["right"] == 1
        assert found["supporting"] == 1, kind
        assert found["uniform"] < 1
    assert figures["two"]["each_fact"] == 1
    assert figures["unanswerable"]["cannot_know"] == 1


def test_only_the_network_is_trained_that_the_recipe_names(recipe: MemoryNetworkRecipe) -> None:
    assert type(StoryTask(recipe).model) is MemoryNetwork
    assert type(StoryTask(recipe, baseline=True).model) is UniformNetwork


def test_a_checkpoint_has_the_words_and_the_answers(
    recipe: MemoryNetworkRecipe, tmp_path: Path
) -> None:
    StoryTask(recipe).write(tmp_path)
    config = read_config(tmp_path)
    assert config["network"] == recipe.network.to_dict()
    vocabulary = Vocabulary.from_dict(config)
    assert vocabulary == Vocabulary(longest=recipe.network.words)
    model = load_module(tmp_path, MemoryNetworkConfig, MemoryNetwork)
    assert len(answerer(model, vocabulary)(held_out("one", 5, answerable=True))) == 5


def test_fresh_stories_take_the_places_of_old_ones(recipe: MemoryNetworkRecipe) -> None:
    task = StoryTask(recipe)
    before = task.data_state()["pool"][0].clone()
    next(task.epoch(1))
    changed = (task.data_state()["pool"][0] != before).flatten(1).any(dim=1)
    assert changed[16:32].all()
    assert not changed[:16].any()
    assert not changed[32:].any()
