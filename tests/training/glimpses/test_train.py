"""A tiny training: it learns, it continues where it stopped, and its checkpoint is complete."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from heed.models.catalogue import Catalogue
from heed.models.config import GlimpseConfig
from heed.models.generation.glimpse_reader import GlimpseReader
from heed.models.networks.glimpse_network import Glimpses
from training.common.errors import RecipeError
from training.glimpses import train as training
from training.glimpses.recipe import GlimpseRecipe
from training.glimpses.run import GlimpseRun
from training.glimpses.shipped import evaluate_reader
from training.glimpses.train import loss_of, main, train, train_step


@pytest.fixture
def recipe() -> GlimpseRecipe:
    shipped = GlimpseRecipe.named("glimpse")
    return replace(
        shipped,
        digits=60,
        network=replace(shipped.network, what=16, where=8, width=24, glimpses=3),
        schedule=replace(shipped.schedule, updates=4, batch=8, save_every=2, warmup=1),
    )


def test_a_recipe_with_an_impossible_share_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    text = (Path(training.__file__).parents[1] / "recipes/glimpse.toml").read_text()
    path.write_text(text.replace("alone = 0.3", "alone = 3"))
    with pytest.raises(RecipeError, match="alone is a share"):
        GlimpseRecipe.read(path)
    assert main([str(path), "--runs", str(tmp_path)]) == 2


def test_the_loss_falls(recipe: GlimpseRecipe) -> None:
    schedule = replace(recipe.schedule, updates=60, batch=64, learning_rate=4e-3, warmup=5)
    network = replace(recipe.network, picture=40, what=32, width=64, glimpses=2)
    run = GlimpseRun.begin(
        replace(recipe, digits=20, network=network, schedule=schedule, alone=1.0)
    )
    losses = [train_step(run, run.draw()) for _ in range(60)]
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
    total, shown = loss_of(expected, torch.tensor([7, 7]), recipe)
    total.backward()
    assert means.grad is not None
    assert (means.grad[0, 1:] < 0).all()  # a step down the gradient goes towards the draw
    assert (means.grad[1, 1:] > 0).all()
    assert (means.grad[:, 0] == 0).all()
    assert float(shown) == pytest.approx(1.228, abs=1e-2)


def test_a_training_writes_a_checkpoint_and_resumes(
    recipe: GlimpseRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "DEV_PICTURES", 6)
    folder = train(recipe, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    assert GlimpseConfig(**config["network"]) == recipe.network
    weights = load_file(folder / "model.safetensors")
    assert {value.dtype for value in weights.values()} == {torch.float16}
    assert sum(value.numel() for value in weights.values()) == config["parameters"]

    run = GlimpseRun.begin(recipe)
    run.resume(tmp_path / "glimpse/last.pt")
    assert run.update == 4
    longer = replace(recipe, schedule=replace(recipe.schedule, updates=5))
    assert train(longer, tmp_path) == folder

    reader = Catalogue(tmp_path / "glimpse").load("glimpse")
    assert isinstance(reader, GlimpseReader)
    quality = evaluate_reader(reader, folder, 5)
    assert quality["pictures"] == 10
    assert {"right_alone", "right_cluttered", "random_places_cluttered"} < set(quality)


def test_the_pictures_of_an_update_depend_on_its_number(recipe: GlimpseRecipe) -> None:
    run = GlimpseRun.begin(recipe)
    first, again = run.draw(), run.draw()
    assert torch.equal(first.pictures, again.pictures)
    run.update += 1
    assert not torch.equal(first.pictures, run.draw().pictures)


def test_a_random_run_looks_anywhere(recipe: GlimpseRecipe) -> None:
    means = torch.full((1000, 2), 0.5)
    torch.manual_seed(1)
    near = GlimpseRun.begin(recipe).choose(means)
    anywhere = GlimpseRun.begin(recipe, random=True).choose(means)
    assert near.std() == pytest.approx(recipe.network.deviation, abs=0.01)
    assert anywhere.mean().abs() < 0.05
    assert anywhere.abs().max() <= 1
