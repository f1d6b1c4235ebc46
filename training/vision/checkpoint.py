"""Checkpoints of Vision Transformers: config.json with the names of classes, and 16-bit weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.vision_transformer import VisionTransformer
from training.caption.class_activation import LABELS
from training.common.errors import BackboneError
from training.vision.recipe import VisionRecipe


def save_vision(
    folder: Path, recipe: VisionRecipe, network: VisionTransformer, classes: Sequence[str]
) -> None:
    """Write the weights as 16-bit floats, and the configuration."""
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "", "name": "Photo"},
        "target": {"code": "en", "name": "English class"},
        "granularity": "subwords",
        "limits": {"characters": 0, "tokens": 0, "steps": 1},
        "examples": list(recipe.examples),
        "guided": "rollout guided by the teacher's class activation in training"
        if recipe.guide
        else "",
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
        "classes": list(classes),
    }
    save_checkpoint(folder, about, recipe.network, dict(network.named_parameters()))


def class_names(data: Path) -> list[str]:
    """Return the first name of each ImageNet class, the background first."""
    path = data / "backbone" / LABELS
    try:
        return [line.partition(",")[0].strip() for line in path.read_text("utf-8").splitlines()]
    except OSError as error:
        raise BackboneError(f"{path}: {error}") from error
