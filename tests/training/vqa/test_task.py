"""Questions in batches, answers learned and given, and the task of a model that answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from heed.models.checkpoint import load_picture_network, read_config
from heed.models.networks.mobilenet import CELLS
from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from heed.models.text.tokenizer import END, PAD, START, BytePieces
from tests.models.tiny import ASKER
from tests.training.tiny_recipes import TINY, write_recipe
from training.common.errors import RecipeError
from training.common.trainer import Trainer
from training.vqa.batches import (
    QuestionNoise,
    Questions,
    exact_matches,
    greedy_answers,
    teacher_force,
)
from training.vqa.questions import Question
from training.vqa.recipe import VQARecipe
from training.vqa.task import VQATask, accuracies

TOKENIZER = BytePieces.characters(lowercase=True)


def question(photo: str, text: str, answer: str, *wordings: str) -> Question:
    return Question(photo, "colour", "dog", text, answer, (text, *wordings))


def some() -> Questions:
    made = [
        question("b", "what colour is it?", "red", "which colour is it?"),
        question("a", "who runs?", "a dog"),
        question("b", "where is it?", "on the grass"),
    ]
    return Questions(made, ["a", "b", "c"], TOKENIZER)


def text(ids: torch.Tensor) -> str:
    return TOKENIZER.written([id for id in ids.tolist() if id not in (PAD, START, END)]).text


# --- batches ----------------------------------------------------------------------------------


def test_a_photo_is_looked_at_once_for_all_its_questions() -> None:
    ((batch, asked),) = some().in_order(5)
    assert batch.places.tolist() == [0, 1]
    assert [each.answer for each in asked] == ["on the grass", "a dog", "red"]
    assert batch.about.tolist() == [1, 0, 1]
    assert [text(ids) for ids in batch.questions] == [each.text for each in asked]
    assert batch.lengths.tolist() == [len(TOKENIZER.ids(each.text)) for each in asked]
    assert batch.fed[:, 0].tolist() == [START] * 3
    assert text(batch.target[2]) == "red"
    assert batch.target[2, 3] == END


def test_an_epoch_asks_about_every_photo_once_in_the_order_of_its_seed() -> None:
    def order(seed: int) -> list[int]:
        return [int(batch.places) for batch in some().epoch(1, seed, QuestionNoise())]

    assert sorted(order(1)) == [0, 1]
    assert order(1) == order(1)
    assert {tuple(order(seed)) for seed in range(9)} == {(0, 1), (1, 0)}


def test_questions_of_training_are_as_untidy_as_people_ask() -> None:
    def asked(noise: QuestionNoise) -> set[str]:
        seen = set()
        for seed in range(20):
            for batch in some().epoch(2, seed, noise):
                real = batch.target[:, 0] != PAD
                seen |= {text(ids) for ids in batch.questions[real]}
        return seen

    tidy = {"what colour is it?", "who runs?", "where is it?"}
    assert asked(QuestionNoise()) == tidy
    assert asked(QuestionNoise(reworded=0.5)) == tidy | {"which colour is it?"}
    assert asked(QuestionNoise(unstopped=0.5)) == tidy | {each[:-1] for each in tidy}
    assert not asked(QuestionNoise(garbled=0.9)) & tidy


# --- answers ----------------------------------------------------------------------------------


@pytest.fixture
def model() -> VQANetwork:
    torch.manual_seed(3)
    return build_network(ASKER).eval()


def test_what_is_learned_from_is_what_is_computed_step_by_step(model: VQANetwork) -> None:
    ((batch, _),) = some().in_order(5)
    cells = torch.randn(2, CELLS, 10)
    forced = teacher_force(model, cells, batch)
    state = model.start(model.encode(cells, batch.questions, batch.lengths, batch.about))
    stepped, wanted, scores = [], [], []
    for step in range(batch.fed.shape[1]):
        advanced, state = model.advance(batch.fed[:, step], state)
        real = batch.target[:, step] != PAD
        stepped.append(advanced.readout[real])
        wanted.append(batch.target[real, step])
        scores.append(advanced.attended[0].scores[real, 0])
    torch.testing.assert_close(forced.readouts, torch.cat(stepped), atol=1e-5, rtol=1e-5)
    assert torch.equal(forced.target, torch.cat(wanted))
    variance = torch.cat(scores).var(dim=1).mean()
    torch.testing.assert_close(forced.score_variance, variance, atol=1e-5, rtol=1e-4)


def test_an_answer_ends_with_its_end_mark_or_when_it_is_too_long(model: VQANetwork) -> None:
    ((batch, _),) = some().in_order(5)
    memory = model.encode(torch.randn(2, CELLS, 10), batch.questions, batch.lengths, batch.about)
    with torch.no_grad():
        written = greedy_answers(model, memory, 4)
        assert written.shape[1] <= 4
        assert not (written == START).any()
        model.output.bias[END] = 1e4
        assert greedy_answers(model, memory, 4).tolist() == [[END]] * 3


def test_only_a_whole_answer_is_right() -> None:
    written = torch.tensor([[5, END, PAD], [5, END, PAD], [5, 6, END], [5, 6, 7]])
    target = torch.tensor([[5, END], [6, END], [5, END], [5, END]])
    assert exact_matches(written, target).tolist() == [True, False, False, False]
    assert exact_matches(target[:1], written[:1]).tolist() == [True]


# --- the task ---------------------------------------------------------------------------------


def recipe(folder: Path, **changes: Any) -> VQARecipe:
    return VQARecipe.read(write_recipe(folder, "ask", {**TINY["ask"].changes, **changes}))


def test_a_checkpoint_is_written_that_says_what_it_is(
    photos: Path, seen: Path, tmp_path: Path
) -> None:
    asked = recipe(tmp_path, examples=["What colour is the dog?"])
    VQATask(asked, photos, seen).write(tmp_path)
    config = read_config(tmp_path)
    assert config["task"] == "ask"
    assert config["source"]["code"] == "picture"
    assert config["examples"] == ["What colour is the dog?"]
    model = load_picture_network(tmp_path)
    assert [group.key for group in model.step_groups] == ["source", "question"]


def test_it_learns_what_it_is_asked_again_and_again(
    photos: Path, seen: Path, tmp_path: Path
) -> None:
    schedule = {
        "updates": 40, "batch": 2, "warmup": 1, "learning_rate": 1e-2, "average": 0.5,
        "label_smoothing": 0.0,
    }  # fmt: skip
    task = VQATask(recipe(tmp_path, schedule=schedule, question_noise=None), photos, seen)
    trainer = Trainer(task, tmp_path)
    losses = [trainer.update(trainer.draw()) for _ in range(40)]
    assert sum(losses[-4:]) < 0.75 * sum(losses[:4])
    with trainer.averaged():
        found = {name: accuracies(task.model, each, 12) for name, each in task.train.items()}
    assert set(found["flickr8k"]) >= {"all", "who"}
    assert set(found["everyday"]) >= {"all", "yes or no"}


def test_the_blind_see_nothing(photos: Path, seen: Path, tmp_path: Path) -> None:
    task = VQATask(recipe(tmp_path), photos, seen, baseline=True)
    assert task.train["everyday"].features.views == 1
    assert not task.dev["everyday"].features.cells(torch.tensor([0, 2]), 0).any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"question_noise": {"shouted": 1}}, "shouted"),
        ({"network": {"new": True, "family": "recurrent", "vocabulary": 9}}, "network"),
        ({"image_encoder": {"trainable": True}}, "trained with a captioner"),
        ({"sets": {"paintings": 1}}, "sets has unknown keys: paintings"),
    ],
)
def test_a_recipe_with_a_mistake_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        recipe(tmp_path, **changes)
