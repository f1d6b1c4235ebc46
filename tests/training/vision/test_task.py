"""The task of a Vision Transformer: its teacher, its losses, its start and its quality."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch.nn import functional as F

from heed.models.catalogue import Catalogue
from heed.models.families.vision_transformer.network import VisionTransformer
from heed.models.families.vision_transformer.pipeline import VisionPipeline
from heed.models.networks.image_encoder import Backbone
from heed.models.networks.mobilenet import CELLS
from tests.training.conftest import COUNT
from training.common.errors import BackboneError, RecipeError
from training.common.trainer import Trainer, train
from training.vision import teacher as teaching
from training.vision.losses import Student, divergence, finer, losses_of, mirrored, telling
from training.vision.quality import centre, compare, lift
from training.vision.recipe import VisionRecipe
from training.vision.shipped import evaluate_vision_model
from training.vision.task import VisionTask, class_names, load_sets, load_teacher
from training.vision.teacher import Components, Found


@pytest.fixture
def recipe() -> VisionRecipe:
    shipped = VisionRecipe.named("vit")
    return replace(
        shipped,
        start=None,
        network=replace(
            shipped.network, vocabulary=COUNT, width=8, heads=2, feedforward=12, layers=2, blocks=9
        ),
        schedule=replace(shipped.schedule, updates=4, batch=3, save_every=2, warmup=1),
    )


@pytest.fixture(scope="module")
def found(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Found], Path]:
    runs = tmp_path_factory.mktemp("runs")
    shipped = VisionRecipe.named("vit")
    recipe = replace(shipped, network=replace(shipped.network, blocks=9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(teaching, "FITTED", 2)
        return load_sets(load_teacher(recipe, runs, photos), runs, photos, "train"), runs


def test_the_teacher_looks_once(found: tuple[list[Found], Path], photos: Path) -> None:
    sets, runs = found
    assert [len(each) for each in sets] == [4, 4]
    first = sets[0].at([3, 1])
    assert first.cells.shape[:2] == (2, CELLS)
    assert first.logits.shape == (2, COUNT)
    torch.testing.assert_close(
        first.logits.float().exp().sum(dim=1), torch.ones(2), atol=0.01, rtol=0
    )
    assert torch.equal(first.cells[0], torch.from_numpy(np.array(sets[0].cells[3])))
    assert not list((runs / "teacher").glob("*.part"))


def test_a_training_writes_a_checkpoint_that_can_be_served_and_measured(
    recipe: VisionRecipe, photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = train(VisionTask, recipe, tmp_path, photos)
    config = json.loads((folder / "config.json").read_text())
    assert config["network"] == recipe.network.to_dict()
    assert config["classes"] == class_names(photos)
    model = Catalogue(folder.parent).load("vit")
    assert isinstance(model, VisionPipeline)
    monkeypatch.setattr(VisionRecipe, "named", lambda _: recipe)
    quality = evaluate_vision_model(model, photos, tmp_path, 2)
    assert quality["seen_photos"] == 4
    assert 0 <= quality["agreement"] <= 1
    other = replace(recipe, network=replace(recipe.network, width=10))
    monkeypatch.setattr(VisionRecipe, "named", lambda _: other)
    with pytest.raises(BackboneError, match="its recipe describes"):
        evaluate_vision_model(model, photos, tmp_path, 2)


def test_a_training_starts_from_another_model(
    recipe: VisionRecipe, photos: Path, tmp_path: Path
) -> None:
    train(VisionTask, replace(recipe, id="first"), tmp_path, photos)
    shown = load_file(tmp_path / "first" / "checkpoint" / "model.safetensors")
    still = replace(recipe.schedule, updates=1, learning_rate=1e-9)
    train(VisionTask, replace(recipe, start="first", schedule=still), tmp_path, photos)
    after = load_file(tmp_path / "vit" / "checkpoint" / "model.safetensors")
    for name, value in shown.items():
        torch.testing.assert_close(after[name], value, atol=1e-3, rtol=1e-3)
    with pytest.raises(RecipeError, match="neither among the runs nor shipped"):
        train(VisionTask, replace(recipe, id="other", start="missing"), tmp_path, photos)


def drawn(photos: int) -> Found:
    """Outputs that a teacher might have: classes that follow from the cells."""
    torch.manual_seed(2)
    kinds = torch.randn(COUNT, 96)
    shown = torch.arange(photos) % COUNT
    cells = torch.randn(photos, CELLS, 96) + 2 * kinds[shown][:, None]
    logits = (4 * F.one_hot(shown, COUNT).float()).log_softmax(dim=1)
    deep, middle = torch.randn(photos, 49, 192), torch.randn(photos, CELLS, 64)
    return Found(*(each.half().numpy() for each in (cells, logits, deep, middle, deep[..., 0])))


def test_the_loss_falls(recipe: VisionRecipe, photos: Path, tmp_path: Path) -> None:
    schedule = replace(recipe.schedule, updates=40, batch=9, learning_rate=1e-2)
    task = VisionTask(replace(recipe, schedule=schedule), photos, tmp_path)
    found, backbone = drawn(18), Backbone()
    task.sets = [found]
    task.adopt(backbone, found.at(range(18)).logits)
    before = task.network.classes.weight.clone()
    trainer = Trainer(task, tmp_path)
    losses = [trainer.update(trainer.draw()) for _ in range(40)]
    assert sum(losses[-3:]) < 0.5 * sum(losses[:3])
    assert torch.equal(task.network.classes.weight, before)
    early = dict(backbone.named_parameters())
    for name, value in task.network.convolutions.named_parameters():
        assert torch.equal(value, early[name])


def test_a_part_of_the_patches_has_losses_of_its_own(
    recipe: VisionRecipe, found: tuple[list[Found], Path]
) -> None:
    student, batch = Student(VisionTransformer(recipe.network)), found[0][0].at(range(3))
    everything = torch.arange(CELLS).expand(3, -1)
    whole, same = (losses_of(student, batch, kept, recipe) for kept in (None, everything))
    for one, other in zip(whole, same, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
    some = losses_of(student, batch, everything[:, :40], recipe)
    assert torch.isfinite(some.total(recipe))


def test_what_is_mirrored_twice_is_as_before(found: tuple[list[Found], Path]) -> None:
    batch = found[0][0].at([0, 2])
    once = mirrored(batch)
    assert torch.equal(once.cells[:, 0], batch.cells[:, 13])
    for one, other in zip(mirrored(once), batch, strict=True):
        assert torch.equal(one, other)


def test_each_patch_has_the_cell_above_it() -> None:
    deep = torch.arange(49.0)[None, :, None]
    grid = finer(deep).view(14, 14)
    assert grid[0, 1] == 0
    assert grid[3, 13] == 13
    assert grid[13, 13] == 48


def test_what_tells_a_class_is_above_the_mean() -> None:
    activation = torch.zeros(1, 49)
    activation[0, 24] = 7  # the middle
    told = telling(activation).view(14, 14)
    assert told[6:8, 6:8].min() > 0
    assert told[0, 0] == 0
    cubed = telling(activation, 3).view(14, 14)
    torch.testing.assert_close(cubed, told.pow(1.5))


def test_divergence_is_that_of_torch() -> None:
    ours, theirs = torch.randn(4, 6), torch.randn(4, 6)
    wanted = F.kl_div(
        ours.log_softmax(1), theirs.log_softmax(1), reduction="batchmean", log_target=True
    )
    torch.testing.assert_close(divergence(ours, theirs, 1.0), wanted)
    assert float(divergence(theirs, theirs, 2.0)) == pytest.approx(0, abs=1e-6)


def test_components_keep_most_of_the_variance() -> None:
    torch.manual_seed(1)
    cells = torch.randn(3, 500, 2) @ torch.randn(2, 6)
    made = Components.fit(cells, 2).of(cells).flatten(0, 1)
    torch.testing.assert_close(made.mean(dim=0), torch.zeros(2), atol=1e-4, rtol=0)
    assert float(made.var(dim=0).mean()) == pytest.approx(1, rel=1e-3)


def test_equal_weights_have_a_lift_of_one_and_the_right_cells_of_five() -> None:
    cells = torch.arange(39)[None]
    assert lift(torch.ones(1, CELLS), cells) == pytest.approx(1)
    right = torch.zeros(1, CELLS).scatter(1, cells, 1.0)
    assert lift(right, cells) == pytest.approx(CELLS / 39)
    assert centre(2.0).view(14, 14).argmax() in (6 * 14 + 6, 6 * 14 + 7, 7 * 14 + 6, 7 * 14 + 7)


def test_a_perfect_student_agrees() -> None:
    batch = drawn(18).at(range(18))
    same = compare(batch.logits.float(), telling(batch.activation), batch)
    assert same["agreement"] == same["agreement_of_five"] == 1
    assert same["rollout_lift"] > same["bell_lift"] > 0
    assert same["rollout_overlap"] == 1 > same["centre_overlap"]


def test_labels_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackboneError, match="imagenet_labels"):
        class_names(tmp_path)
