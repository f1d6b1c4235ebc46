"""The task of a captioner: its image encoder, and its features."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import torch

from heed.models.checkpoint import load_image_encoder, load_picture_network, read_config
from heed.models.networks.image_encoder import Backbone
from tests.training.tiny_recipes import TINY, write_recipe
from training.caption.batches import pictures_at
from training.caption.photo_sets import load_photos
from training.caption.recipe import CaptionRecipe
from training.caption.task import CaptionTask
from training.common.errors import RecipeError
from training.common.trainer import Trainer, train


def captioner(folder: Path, name: str = "caption", **changes: Any) -> CaptionRecipe:
    """A tiny recipe without self-critical updates."""
    tiny: Mapping[str, Any] = {**TINY[name].changes, "self_critical": None, **changes}
    return CaptionRecipe.read(write_recipe(folder, TINY[name].recipe, tiny))


def later(folder: Path, **changes: Any) -> CaptionRecipe:
    """A recipe that learns from the image encoder of the first."""
    network = TINY["caption"].changes["network"]
    return captioner(folder, "caption-hard", network=network, **changes)


@pytest.fixture(scope="session")
def trained(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs with a soft captioner and its image encoder."""
    runs = tmp_path_factory.mktemp("runs")
    schedule = {**TINY["caption"].changes["schedule"], "updates": 3}
    train(CaptionTask, captioner(runs, schedule=schedule), runs, photos)
    return runs


def test_a_captioner_and_its_eyes_are_written(trained: Path) -> None:
    folder = trained / "caption-encoder" / "checkpoint"
    config = read_config(folder)
    assert config["task"] == "caption"
    assert config["source"]["code"] == "picture"
    assert load_picture_network(folder).step_groups[0].key == "source"
    image_encoder = load_image_encoder(trained / "image-encoder")
    first = Backbone()
    assert {name for name, _ in image_encoder.backbone.named_parameters()} == {
        name for name, _ in first.named_parameters()
    }


def test_what_comes_later_learns_from_what_those_eyes_see(
    photos: Path, trained: Path, tmp_path: Path
) -> None:
    task = CaptionTask(later(tmp_path, start="caption-encoder"), photos, trained)
    assert not any(value.requires_grad for value in task.image_encoder.parameters())
    before = {name: value.clone() for name, value in task.network.named_parameters()}
    trainer = Trainer(task, tmp_path)
    assert trainer.update(trainer.draw()) > 0
    after = task.network.named_parameters()
    assert any(not torch.equal(before[name], value) for name, value in after)


def test_settled_eyes_see_the_cells_that_learning_ones_would(
    photos: Path, trained: Path, tmp_path: Path
) -> None:
    task = CaptionTask(later(tmp_path), photos, trained)
    places = torch.tensor([2, 0])
    for name, captions in task.train.items():
        with torch.inference_mode():
            pictures = pictures_at(load_photos(name, photos, "train", trained), places)
            cells = task.image_encoder(pictures)
        torch.testing.assert_close(captions.features.cells(places, 0), cells, atol=0.1, rtol=0.1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network": {"new": True, "family": "recurrent", "vocabulary": 9}}, "network"),
        ({"sets": {"new": True, "paintings": 1}}, "sets has unknown keys: paintings"),
        ({"sets": {"everyday": 0}}, "each set has at least one part of a batch"),
    ],
)
def test_a_recipe_with_a_mistake_is_refused(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(RecipeError, match=message):
        captioner(tmp_path, **changes)
