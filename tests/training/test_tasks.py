"""Properties that the trainings of all tasks share: resuming, the command line, checkpoints."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
import torch

from heed.models.catalogue import Catalogue
from heed.models.checkpoint import CONFIG, WEIGHTS, read_config, tensors
from tests.training.tiny_recipes import TINY, write_recipe
from training.__main__ import TASKS, main, task_of
from training.common.errors import RecipeError, TrainingError
from training.common.recipe import RECIPES
from training.common.trainer import STATE, Trainer

Begin = Callable[[Path], Trainer[Any]]
TRAINED = [name for name, tiny in TINY.items() if not tiny.baseline]
UPDATES = 2
"""Before a training is stopped, and after."""
WITH_DATA = [name for name in TRAINED if TINY[name].data != "none"]


@pytest.fixture
def begin(
    request: pytest.FixtureRequest, tiny_data: Mapping[str, Path], seen: Path, tmp_path: Path
) -> Begin:
    """Begin the training of a tiny recipe, or resume it, in a folder."""
    tiny = TINY[request.param]
    path = write_recipe(tmp_path, tiny.recipe, tiny.changes)
    kind = task_of(str(path))

    def begin(folder: Path) -> Trainer[Any]:
        recipe = kind.recipe_type.read(path)
        task = kind(recipe, tiny_data[tiny.data], seen, baseline=tiny.baseline)
        trainer = Trainer(task, folder)
        trainer.resume()
        return trainer

    return begin


def updates(trainer: Trainer[Any], count: int) -> list[float]:
    return [trainer.update(trainer.draw()) for _ in range(count)]


@pytest.mark.parametrize("begin", TINY, indirect=True)
def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(
    begin: Begin, tmp_path: Path
) -> None:
    whole = begin(tmp_path / "training")
    assert whole.state.update == 0
    updates(whole, UPDATES)
    whole.save()
    losses = updates(whole, UPDATES)
    drawn = random.random(), float(np.random.rand()), float(torch.rand(()))

    resumed = begin(tmp_path / "training")
    assert resumed.state.update == resumed.task.update == UPDATES
    assert updates(resumed, UPDATES) == losses
    assert (random.random(), float(np.random.rand()), float(torch.rand(()))) == drawn
    assert (resumed.state.best, resumed.state.waited) == (whole.state.best, whole.state.waited)
    for name, value in whole.state.model.state_dict().items():
        assert torch.equal(resumed.state.model.state_dict()[name], value), name
    for name, value in whole.state.average.items():
        assert torch.equal(resumed.state.average[name], value), name


@pytest.mark.parametrize("name", TRAINED)
def test_the_command_writes_a_checkpoint_that_can_be_served(
    name: str, tiny_data: Mapping[str, Path], seen: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    tiny = TINY[name]
    path = write_recipe(tmp_path, tiny.recipe, {**tiny.changes, "id": f"tiny-{name}"})
    given = [str(path), "--data", str(tiny_data[tiny.data]), "--runs", str(seen), "--threads", "1"]
    assert main(given) == 0
    folder = seen / f"tiny-{name}" / "checkpoint"
    assert str(folder) in capsys.readouterr().out
    recipe = task_of(str(path)).recipe_type.read(path)
    config = read_config(folder)
    if encoder := config["network"].get("image_encoder"):
        copytree(seen / encoder, folder.parent / encoder)
    card = Catalogue(folder.parent).cards[recipe.id]
    assert (card.name, card.task, card.rank) == (recipe.name, recipe.task, recipe.rank)
    assert card.learned_from == recipe.learned_from
    assert config["network"]["family"] == recipe.network.family
    weights = tensors(folder)
    assert {value.dtype for value in weights.values()} == {np.dtype(np.float16)}
    assert sum(value.size for value in weights.values()) == config["parameters"]
    saved = (folder.with_name(STATE)).read_bytes()
    assert main(given) == 0, "nothing is left to do"
    assert folder.with_name(STATE).read_bytes() == saved


@pytest.mark.parametrize(
    ("name", "flag"),
    [
        ("story", "uniform"), ("graph", "baseline"), ("glimpse", "random"), ("read", "plain"),
        ("ask", "blind"),
    ],
)  # fmt: skip
def test_a_flag_trains_the_baseline_in_a_folder_of_its_own(
    name: str, flag: str, tiny_data: Mapping[str, Path], seen: Path, tmp_path: Path
) -> None:
    tiny = TINY[name]
    schedule = {**tiny.changes["schedule"], "updates": 1}
    path = write_recipe(tmp_path, tiny.recipe, {**tiny.changes, "id": name, "schedule": schedule})
    given = [str(path), "--data", str(tiny_data[tiny.data]), "--runs", str(seen), "--threads", "1"]
    assert main([*given, f"--{flag}"]) == main([*given, "--baseline"]) == 0
    assert (seen / f"{name}-{flag}" / STATE).exists()
    assert not (seen / name / "checkpoint" / CONFIG).exists()


def test_another_seed_trains_in_a_folder_of_its_own(tmp_path: Path) -> None:
    tiny = TINY["graph"]
    schedule = {**tiny.changes["schedule"], "updates": 1}
    path = write_recipe(tmp_path, tiny.recipe, {**tiny.changes, "id": "tiny", "schedule": schedule})
    for seed in ("3", "4"):
        assert main([str(path), "--runs", str(tmp_path), "--threads", "1", "--seed", seed]) == 0
    folders = (tmp_path / f"tiny-seed-{seed}" / "checkpoint" / WEIGHTS for seed in (3, 4))
    assert len({folder.read_bytes() for folder in folders}) == 2


def test_a_flag_of_another_task_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["dates-additive", "--blind"])
    assert "--blind" in capsys.readouterr().err


@pytest.mark.parametrize("begin", ["story", "graph"], indirect=True)
def test_the_same_numbers_follow_from_the_same_seed(begin: Begin, tmp_path: Path) -> None:
    one, other = (updates(begin(tmp_path / folder), 2) for folder in ("one", "other"))
    assert one == other


@pytest.mark.parametrize(
    ("name", "learning"),
    [
        ("dates", {"batch": 16, "learning_rate": 1e-2}),
        ("translate", {"learning_rate": 1e-2}),
        ("story", {"batch": 64, "learning_rate": 2e-2}),
        ("graph", {"batch": 16, "learning_rate": 2e-2}),
    ],
)
def test_the_loss_falls(
    name: str, learning: dict[str, Any], tiny_data: Mapping[str, Path], seen: Path, tmp_path: Path
) -> None:
    tiny = TINY[name]
    path = write_recipe(tmp_path, tiny.recipe, tiny.changes)
    kind = task_of(str(path))
    recipe = kind.recipe_type.read(path)
    recipe = replace(recipe, schedule=replace(recipe.schedule, updates=60, **learning))
    losses = updates(Trainer(kind(recipe, tiny_data[tiny.data], seen), tmp_path), 50)
    assert sum(losses[-5:]) < 0.95 * sum(losses[:5])


@pytest.mark.parametrize(
    "path", sorted(RECIPES.rglob("*.toml")), ids=lambda path: str(path.relative_to(RECIPES))
)
def test_every_recipe_can_be_read_and_is_named_after_its_file(path: Path) -> None:
    name = str(path.relative_to(RECIPES).with_suffix(""))
    recipe = task_of(name).recipe_type.named(name)
    assert recipe.id == path.stem
    assert recipe.task in TASKS


@pytest.mark.parametrize("name", TRAINED)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hurry": True}, "the recipe has unknown keys: hurry"),
        ({"schedule": {"sead": 1}}, "schedule has unknown keys: sead"),
        ({"schedule": {"new": True, "seed": 1}}, "schedule: .*missing"),
        ({"network": {"depth": 1}}, "network: unknown keys: depth"),
        ({"network": {"new": True, "family": "loud"}}, "network: there is no family 'loud'"),
        ({"network": {"mechanism": "loud"}}, "network: there is no mechanism 'loud'"),
        ({"hints": {"tomorrow?": "Nothing."}}, "hints for texts that are not examples: tomorrow"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_recipe_with_a_mistake_is_refused(
    name: str, changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write_recipe(tmp_path, TINY[name].recipe, changes)
    with pytest.raises(RecipeError, match=message):
        task_of(str(path)).recipe_type.read(path)


def test_a_file_that_is_no_recipe_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text("[schedule")
    assert main([str(path)]) == 2
    assert "odd.toml" in capsys.readouterr().err
    assert main(["dates-psychic"]) == 2
    assert "available: ask, caption-encoder, " in capsys.readouterr().err


@pytest.mark.parametrize("name", WITH_DATA)
def test_data_that_cannot_be_read_is_an_error(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_recipe(tmp_path, TINY[name].recipe, TINY[name].changes)
    assert main([str(path), "--data", str(tmp_path), "--runs", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_state_of_another_version_is_refused(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, TINY["graph"].recipe, TINY["graph"].changes)
    kind = task_of(str(path))
    trainer = Trainer(kind(kind.recipe_type.read(path)), tmp_path)
    torch.save({"update": 3}, tmp_path / STATE)
    with pytest.raises(TrainingError, match="another version"):
        trainer.resume()
