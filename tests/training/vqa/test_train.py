"""Questions in batches, answers learned and given, and a run from the archives to a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from heed.models.checkpoint import load_image_network, read_config, save_image_encoder
from heed.models.networks.image_encoder import ImageEncoder
from heed.models.networks.mobilenet import CELLS
from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from heed.models.text.tokenizer import END, PAD, START, BytePieces
from tests.models.tiny import ASKER
from tests.training.tiny_photos import write_photos
from training import __main__ as command
from training.common.errors import RecipeError
from training.vqa import train as ask_train
from training.vqa.batches import (
    QuestionNoise,
    Questions,
    exact_matches,
    greedy_answers,
    teacher_force,
)
from training.vqa.questions import Question
from training.vqa.recipe import VQARecipe
from training.vqa.run import VQARun
from training.vqa.train import accuracies, batches, train_step

TOKENIZER = BytePieces.characters(lowercase=True)
RECIPE = """
id = "tiny"
name = "Tiny"
task = "ask"
examples = ["What colour is the dog?"]
{more}

[network]
family = "vqa"
vocabulary = 300
embedding = 8
question_width = 5
cells = 12
decoder_width = 10
attention_width = 6
fused = 7
dropout = 0.1

[sets]
flickr8k = 1
everyday = 1

[image_encoder]
cached_views = 2

[schedule]
seed = 1
updates = {updates}
batch = 2
learning_rate = 1e-2
warmup = 1
average = 0.5
save_every = 2
"""
CAPTIONS = {
    "0.jpg": ["A black dog runs .", "A black dog is running on the grass .", "The dog runs ."],
    "1.jpg": ["Two men walk .", "Two men are walking in the snow .", "Men in the snow ."],
    "2.jpg": ["A boy in a red shirt jumps .", "A boy jumping .", "A boy in red ."],
    "3.jpg": ["The empty tracks .", "Nothing .", "It ."],
}


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


# --- a run ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pictures with three captions each, and an untrained image encoder."""
    return write_photos(tmp_path_factory.mktemp("asked"), CAPTIONS)


def recipe(folder: Path, more: str = "", updates: int = 4) -> Path:
    path = folder / "tiny.toml"
    path.write_text(RECIPE.format(more=more, updates=updates))
    return path


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with a trained model and its image encoder."""
    runs = tmp_path_factory.mktemp("runs")
    torch.manual_seed(7)
    save_image_encoder(runs / "image-encoder", ImageEncoder(12))
    given = [str(recipe(runs)), "--data", str(data), "--runs", str(runs), "--threads", "1"]
    assert ask_train.main(given) == 0
    assert ask_train.main([*given, "--blind"]) == 0
    return runs


def test_a_checkpoint_is_written_that_says_what_it_is(trained: Path) -> None:
    config = read_config(trained / "tiny" / "checkpoint")
    assert config["task"] == "ask"
    assert config["source"]["code"] == "picture"
    assert config["examples"] == ["What colour is the dog?"]
    model = load_image_network(trained / "tiny" / "checkpoint")
    assert [group.key for group in model.step_groups] == ["source", "question"]


def test_a_killed_run_goes_on_where_it_was_saved(data: Path, trained: Path) -> None:
    run = VQARun.begin(VQARecipe.read(recipe(trained)), data, trained)
    run.resume(trained / "tiny" / "last.pt")
    assert run.update == 4
    assert run.best >= 0
    assert train_step(run, next(batches(run))) > 0
    assert run.update == 5


def test_it_learns_what_it_is_asked_again_and_again(data: Path, trained: Path) -> None:
    run = VQARun.begin(VQARecipe.read(recipe(trained, updates=40)), data, trained)
    stream = batches(run)
    losses = [train_step(run, next(stream)) for _ in range(40)]
    assert sum(losses[-4:]) < sum(losses[:4]) / 1.5
    with run.averaged() as model:
        found = {
            name: accuracies(model, asked, run.recipe.steps) for name, asked in run.train.items()
        }
    assert set(found["flickr8k"]) >= {"all", "who"}
    assert set(found["everyday"]) >= {"all", "yes or no"}


def test_the_blind_see_nothing(data: Path, trained: Path) -> None:
    run = VQARun.begin(VQARecipe.read(recipe(trained)), data, trained, blind=True)
    assert run.train["everyday"].features.views == 1
    assert not run.dev["everyday"].features.cells(torch.tensor([0, 2]), 0).any()
    assert (trained / "tiny-blind" / "last.pt").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "hurry = true", "hurry"),
        ("", "[question_noise]\nshouted = 1", "shouted"),
        ('"vqa"', '"recurrent-captioner"', "network"),
        ('"vqa"', '"vqa"\nmechanism = "loud"', "network: there is no mechanism 'loud'"),
        ("cached_views = 2", "trainable = true", "trained with a captioner"),
    ],
)
def test_a_recipe_with_a_mistake_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = recipe(tmp_path, more=new if not old else "")
    if old:
        path.write_text(path.read_text().replace(old, new))
    with pytest.raises(RecipeError, match=message):
        VQARecipe.read(path)


def test_the_shipped_recipe_can_be_read() -> None:
    assert VQARecipe.named("ask").id == "ask"
    assert command.task_of("ask") == "ask"


def test_data_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(recipe(tmp_path)), "--data", str(tmp_path), "--runs", str(tmp_path)]
    assert ask_train.main(given) == 2
    assert "captions" in capsys.readouterr().err
