"""Captioners trained on a few drawn pictures, from the archives to a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from heed.models.checkpoint import load_image_encoder, load_image_network, read_config
from heed.models.networks.image_encoder import Backbone
from tests.training.tiny_photos import write_photos
from training import __main__ as command
from training.caption import train as caption_train
from training.caption.recipe import CaptionRecipe
from training.caption.run import CaptionRun
from training.caption.train import train_step
from training.caption.validation import keep_best
from training.common.errors import RecipeError
from training.common.recipe import RECIPES

RECIPE = """
id = "{id}"
name = "Tiny"
task = "caption"
doubly_stochastic_penalty = 0.1
{more}

[network]
family = "recurrent-captioner"
mechanism = "{mechanism}"
vocabulary = 300
embedding = 8
cells = 12
decoder_width = 10
attention_width = 6
dropout = 0.1

[sets]
flickr8k = 1
everyday = 1

[image_encoder]
trainable = {learned}
frozen = 12
views = 2
after = 1

[hard_attention]
rate = 0.1
entropy = 0.01

[schedule]
seed = 1
updates = 3
batch = 2
learning_rate = 1e-2
warmup = 1
average = 0.5
save_every = 3
"""


def recipe(folder: Path, mechanism: str = "soft", learned: bool = True, more: str = "") -> Path:
    path = folder / f"tiny-{mechanism}.toml"
    name = f"tiny-{mechanism}"
    text = RECIPE.format(id=name, mechanism=mechanism, learned=str(learned).lower(), more=more)
    path.write_text(text)
    return path


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four pictures with five captions each, and an untrained image encoder."""
    said = ["A thing .", "Four colours .", "Colours side by side .", "A flag .", "It ."]
    folder = tmp_path_factory.mktemp("pictures")
    return write_photos(folder, {f"photo{place}.jpg": said for place in range(4)})


@pytest.fixture(scope="session")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with a soft captioner and its image encoder."""
    runs = tmp_path_factory.mktemp("runs")
    given = [str(recipe(runs)), "--data", str(data), "--runs", str(runs), "--threads", "1"]
    assert caption_train.main(given) == 0
    return runs


def test_a_captioner_and_its_eyes_are_written(trained: Path) -> None:
    folder = trained / "tiny-soft" / "checkpoint"
    config = read_config(folder)
    assert config["task"] == "caption"
    assert config["source"]["code"] == "picture"
    assert load_image_network(folder).step_groups[0].key == "source"
    image_encoder = load_image_encoder(trained / "image-encoder")
    first = Backbone()
    assert {name for name, _ in image_encoder.backbone.named_parameters()} == {
        name for name, _ in first.named_parameters()
    }


def test_what_comes_later_learns_from_what_those_eyes_see(data: Path, trained: Path) -> None:
    path = recipe(trained, "hard", learned=False, more='start = "tiny-soft"')
    run = CaptionRun.begin(CaptionRecipe.read(path), data, trained)
    assert not any(value.requires_grad for value in run.image_encoder.parameters())
    batch = next(caption_train.batches(run))
    before = {name: value.clone() for name, value in run.model.named_parameters()}
    assert train_step(run, batch) > 0
    assert any(not torch.equal(before[name], value) for name, value in run.model.named_parameters())


def test_settled_eyes_see_the_cells_that_learning_ones_would(data: Path, trained: Path) -> None:
    path = recipe(trained, "hard", learned=False)
    run = CaptionRun.begin(CaptionRecipe.read(path), data, trained)
    from training.caption.batches import pictures_at
    from training.caption.photo_sets import load_photos

    places = torch.tensor([2, 0])
    for name, captions in run.train.items():
        with torch.inference_mode():
            pictures = pictures_at(load_photos(name, data, "train", trained), places)
            seen = run.image_encoder(pictures)
        torch.testing.assert_close(captions.features.cells(places, 0), seen, atol=0.1, rtol=0.1)


def test_a_killed_run_goes_on_where_it_was_saved(data: Path, trained: Path) -> None:
    path = recipe(trained)
    run = CaptionRun.begin(CaptionRecipe.read(path), data, trained)
    run.resume(trained / "tiny-soft" / "last.pt")
    assert run.update == 3
    run.parts.eval()
    losses = keep_best(run, trained / "elsewhere" / "checkpoint")
    assert set(losses) == {"flickr8k", "everyday"}
    assert all(0 < loss < 10 for loss in losses.values())


def test_a_recipe_with_an_unknown_key_or_another_family_is_refused(tmp_path: Path) -> None:
    path = recipe(tmp_path, more="hurry = true")
    with pytest.raises(RecipeError, match="hurry"):
        CaptionRecipe.read(path)
    path.write_text(RECIPE.format(id="x", mechanism="soft", learned="true", more=""))
    CaptionRecipe.read(path)
    path.write_text(path.read_text().replace('"recurrent-captioner"', '"recurrent"'))
    with pytest.raises(RecipeError, match="network"):
        CaptionRecipe.read(path)


def test_a_recipe_with_an_unknown_mechanism_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="network: there is no mechanism 'loud'"):
        CaptionRecipe.read(recipe(tmp_path, mechanism="loud"))


def test_one_command_trains_whatever_the_recipe_is_for() -> None:
    captioners = [path for path in RECIPES.glob("*.toml") if path.stem.startswith("caption-")]
    assert captioners
    for path in captioners:
        assert command.task_of(path.stem) == "caption"
        assert CaptionRecipe.named(path.stem).id == path.stem
    assert command.task_of("dates-dot") == "dates"
    assert command.task_of("nothing") is None
