"""The task of a glimpse network: its rewards, its pictures, its baseline and its quality."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.families.glimpse.network import Glimpses
from heed.models.families.glimpse.pipeline import GlimpsePipeline
from tests.training.tiny_recipes import write_recipe
from training.common.errors import CorpusError, RecipeError
from training.common.trainer import Trainer
from training.glimpses.digits import draw_bank
from training.glimpses.handwritten import FILE, PARTS, handwritten, varied
from training.glimpses.recipe import GlimpseRecipe
from training.glimpses.shipped import evaluate_glimpse_model
from training.glimpses.task import GlimpseTask, loss_of


@pytest.fixture
def recipe() -> GlimpseRecipe:
    shipped = GlimpseRecipe.named("glimpse")
    return replace(
        shipped,
        digits=60,
        handwritten=0,
        network=replace(shipped.network, what=16, where=8, width=24, glimpses=3),
        schedule=replace(shipped.schedule, updates=4, batch=8, save_every=2, warmup=1),
    )


def test_a_recipe_with_an_impossible_share_is_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, "glimpse", {"alone": 3})
    with pytest.raises(RecipeError, match="alone is a share"):
        GlimpseRecipe.read(path)


def test_the_loss_falls(recipe: GlimpseRecipe, tmp_path: Path) -> None:
    schedule = replace(recipe.schedule, updates=60, batch=64, learning_rate=4e-3, warmup=5)
    network = replace(recipe.network, picture=40, what=32, width=64, glimpses=2)
    changed = replace(recipe, digits=20, network=network, schedule=schedule, alone=1.0)
    trainer = Trainer(GlimpseTask(changed), tmp_path)
    losses = [trainer.update(trainer.draw()) for _ in range(60)]
    assert sum(losses[-5:]) < 0.95 * sum(losses[:5])


def test_a_place_that_was_rewarded_becomes_likelier(recipe: GlimpseRecipe) -> None:
    """The gradient of a policy moves its mean towards draws of more than the expected reward."""
    means = torch.zeros(2, 3, 2, requires_grad=True)
    drawn = torch.full((2, 3, 2), 0.1)
    logits = torch.zeros(2, 3, 10)
    logits[0, :, 7] = 4  # of the first picture the digit is found, of the second it isn't
    zeros = torch.zeros(2, 3)
    found = Glimpses(means, drawn, drawn, logits, logits, logits, logits, zeros)
    expected = found._replace(baselines=torch.full((2, 3), 0.5))
    total, shown, _ = loss_of(expected, torch.tensor([7, 7]), recipe)
    total.backward()
    assert means.grad is not None
    assert (means.grad[0, 1:] < 0).all()  # a step down the gradient goes towards the draw
    assert (means.grad[1, 1:] > 0).all()
    assert (means.grad[:, 0] == 0).all()
    assert float(shown) == pytest.approx(1.228, abs=1e-2)


def test_the_pictures_of_an_update_depend_on_its_number(recipe: GlimpseRecipe) -> None:
    task = GlimpseTask(recipe)
    ((first,), (again,), (other,)) = (task.epoch(number) for number in (0, 0, 1))
    assert torch.equal(first.pictures, again.pictures)
    assert not torch.equal(first.pictures, other.pictures)


@pytest.fixture(scope="module")
def written_digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data, whose digits are drawn: no two are the same."""
    data = tmp_path_factory.mktemp("written")
    bank = draw_bank("written", 10)
    images = np.resize(bank.pictures[:, 1:-1, 1:-1], (1560, 28, 28)).copy()
    images[:, 0, 0], images[:, 0, 1] = np.arange(1560) // 256, np.arange(1560) % 256
    (data / "digits").mkdir()
    np.savez(data / FILE, images=images, labels=np.resize(bank.labels, 1560).astype(np.uint8))
    return data


def test_a_shipped_model_is_measured_beside_random_places(
    recipe: GlimpseRecipe,
    written_digits: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "glimpse"
    GlimpseTask(recipe).write(folder)
    pipeline = Catalogue(tmp_path).load("glimpse")
    assert isinstance(pipeline, GlimpsePipeline)
    monkeypatch.setitem(PARTS, "test", slice(0, 4))
    quality = evaluate_glimpse_model(pipeline, folder, 5, written_digits)
    assert (quality["pictures"], quality["handwritten_digits"]) == (10, 4)
    assert {"right_alone", "random_places_cluttered", "right_handwritten"} < set(quality)


def test_handwritten_digits_are_varied_and_those_held_out_are_not_trained_on(
    recipe: GlimpseRecipe, written_digits: Path
) -> None:
    handwritten.cache_clear()
    parts = {part: handwritten(written_digits, part) for part in PARTS}  # type: ignore[arg-type]
    pictures = [{*map(bytes, bank.pictures)} for bank in parts.values()]
    assert [len(part) for part in pictures] == [1000, 500, 60]
    assert len(set.union(*pictures)) == 1560
    bank = varied(parts["train"], 120, 1)
    assert np.array_equal(bank.labels, np.tile(parts["train"].labels, 2))
    assert not np.array_equal(bank.pictures[:60], bank.pictures[60:])
    assert bank.pictures.sum(axis=(1, 2)).min() > 0
    assert np.array_equal(varied(parts["train"], 120, 1).pictures, bank.pictures)
    GlimpseTask(replace(recipe, handwritten=120), written_digits)


def test_a_folder_without_handwritten_digits_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="cannot be read"):
        handwritten(tmp_path, "train")


def test_a_random_run_looks_anywhere(recipe: GlimpseRecipe) -> None:
    means = torch.full((1000, 2), 0.5)
    torch.manual_seed(1)
    near = GlimpseTask(recipe).choose(means)
    anywhere = GlimpseTask(recipe, baseline=True).choose(means)
    assert near.std() == pytest.approx(recipe.network.deviation, abs=0.01)
    assert anywhere.mean().abs() < 0.05
    assert anywhere.abs().max() <= 1
