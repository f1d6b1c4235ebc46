"""The task of a network that reads: its sentences, its gradients, its baseline and its quality."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.families.lstmn.network import LSTMN
from heed.models.families.lstmn.pipeline import TapePipeline
from heed.models.text.words import PADDING, UNKNOWN
from training.common.trainer import Trainer, train
from training.reading.deferred import DeferredLSTMN
from training.reading.measure import dev_perplexity, reader_of
from training.reading.plain import PlainLSTM, count_numbers, equal_width
from training.reading.quality import evaluate_agreement
from training.reading.recipe import ReadingRecipe
from training.reading.sentences import collate, rows
from training.reading.shipped import evaluate_tape_model
from training.reading.task import ReadingTask
from training.reading.templates import agreements, plural


@pytest.fixture
def recipe() -> ReadingRecipe:
    shipped = ReadingRecipe.named("read-lstmn")
    network = replace(shipped.network, vocabulary=200, embedding=12, width=16, attention_width=8)
    schedule = replace(shipped.schedule, updates=4, batch=16, save_every=2, warmup=1)
    return replace(shipped, network=network, schedule=schedule, templates=3)


@pytest.fixture
def task(recipe: ReadingRecipe, sentences: Path) -> ReadingTask:
    return ReadingTask(recipe, sentences)


def test_no_dev_sentence_is_trained_on(task: ReadingTask) -> None:
    _, train_rows, dev, _ = task.sentences
    assert not {tuple(ids) for ids in train_rows} & {tuple(ids) for ids in dev}


def test_templates_stand_among_the_sentences(task: ReadingTask) -> None:
    found = list(rows(task.sentences, 3, "seed"))
    templates = [row for row in found if row.verb >= 0]
    assert len(found) - len(templates) == len(task.sentences.train)
    assert len(templates) == -(-len(task.sentences.train) // 3)
    batch = collate(found[:16])
    assert (batch.target[batch.rows, batch.verbs] != PADDING).all()
    assert (batch.heads <= batch.verbs).all()


def test_a_head_and_its_verb_agree_and_the_distractor_does_not() -> None:
    for each in islice(agreements("test", "some"), 200):
        verb, wrong = each.words[each.verb], each.wrong_verb
        assert {verb, wrong} in ({"is", "are"}, {"was", "were"}, {"has", "have"})
        assert each.head < each.distractor < each.verb
        many = [verb in ("are", "were", "have"), wrong in ("are", "were", "have")]
        for noun, is_plural in zip(
            (each.words[each.head], each.words[each.distractor]), many, strict=True
        ):
            assert (plural(noun) != noun) or is_plural


def test_training_and_test_share_no_noun() -> None:
    nouns = {}
    for part in ("train", "test"):
        drawn = islice(agreements(part, "any"), 500)  # type: ignore[arg-type]
        nouns[part] = {
            each.words[place] for each in drawn for place in (each.head, each.distractor)
        }
    assert not nouns["train"] & nouns["test"]


@pytest.mark.parametrize(
    ("noun", "many"),
    [("key", "keys"), ("city", "cities"), ("box", "boxes"), ("child", "children"), ("boy", "boys")],
)
def test_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_gradients_that_wait_are_those_of_autograd(task: ReadingTask) -> None:
    batch = next(task.epoch(0))
    waiting, plain = task.model.eval(), LSTMN(task.recipe.network).eval()
    assert isinstance(waiting, DeferredLSTMN)
    plain.load_state_dict(waiting.state_dict())
    for model in (waiting, plain):
        read = model(batch.words)
        (read.readouts.square().sum() + read.weights.square().sum()).backward()
    waiting.finish()
    for (name, one), other in zip(waiting.named_parameters(), plain.parameters(), strict=True):
        if one.grad is not None and other.grad is not None:
            assert torch.allclose(one.grad, other.grad, atol=1e-4, rtol=1e-4), name


def test_the_loss_falls_and_the_head_is_found(
    recipe: ReadingRecipe, sentences: Path, tmp_path: Path
) -> None:
    schedule = replace(recipe.schedule, updates=150, batch=32, learning_rate=1e-2, warmup=5)
    recipe = replace(recipe, schedule=schedule, templates=1, guide=1.0)
    task = ReadingTask(recipe, sentences)
    trainer = Trainer(task, tmp_path)
    losses = [trainer.update(trainer.draw()) for _ in range(150)]
    assert sum(losses[-5:]) < 0.7 * sum(losses[:5])
    with trainer.averaged():
        found = evaluate_agreement(reader_of(task.model, task.sentences.vocabulary), 60)
    assert found["head_weight"] > found["distractor_weight"]


def test_a_shipped_model_is_measured_beside_its_baseline(
    recipe: ReadingRecipe, sentences: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = train(ReadingTask, recipe, tmp_path, sentences)
    pipeline = Catalogue(folder.parent).load(recipe.id)
    assert isinstance(pipeline, TapePipeline)
    quality = evaluate_tape_model(pipeline, sentences, tmp_path, 10)
    assert "plain_perplexity" not in quality
    assert quality["perplexity"] > 1
    assert 0 <= quality["head"] <= 1
    trainer = Trainer(ReadingTask(recipe, sentences), folder.parent)
    trainer.resume()
    with trainer.averaged():
        lost = dev_perplexity(trainer.task.model, trainer.task.sentences.dev)
    train(ReadingTask, recipe, tmp_path, sentences, baseline=True)
    monkeypatch.setattr(ReadingRecipe, "named", lambda _: recipe)
    every = evaluate_tape_model(pipeline, sentences, tmp_path, 2000)
    assert every["perplexity"] == pytest.approx(lost, rel=1e-2)
    assert every["plain_perplexity"] > 1
    assert 0 <= every["plain_agrees"] <= 1


def test_the_plain_lstm_has_as_many_numbers(recipe: ReadingRecipe) -> None:
    wanted = count_numbers(LSTMN(recipe.network))
    plain = PlainLSTM(recipe.network)
    assert wanted <= count_numbers(plain)
    narrower = replace(recipe.network, width=equal_width(recipe.network) - 1)
    assert plain.lstm.hidden_size == narrower.width + 1


def test_the_vocabulary_is_of_words(task: ReadingTask) -> None:
    vocabulary = task.sentences.vocabulary
    assert vocabulary.read("the zebrafinch")[1] == UNKNOWN
    assert np.unique(vocabulary.words).size == len(vocabulary)
