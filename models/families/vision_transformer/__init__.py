"""Vision Transformers, which attend among the patches of a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from heed.models.checkpoint import read_config
from heed.models.errors import CheckpointError
from heed.models.families.family import Family, Stored
from heed.models.families.vision_transformer.config import VisionConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.vision_transformer.pipeline import VisionPipeline
    from heed.models.families.vision_transformer.runtime import NumpyVision
    from heed.models.runtime.numpy import load_runtime

    runtime = load_runtime(stored.folder, VisionConfig, NumpyVision)
    return VisionPipeline(stored.card, runtime, _classes_of(stored.folder))


def _classes_of(folder: Path) -> tuple[str, ...]:
    """Read the names of the classes."""
    try:
        return tuple(map(str, read_config(folder)["classes"]))
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{folder} has no names of classes: {error!r}") from error


FAMILY: Final = Family(VisionConfig, _load, on_numpy=True)
