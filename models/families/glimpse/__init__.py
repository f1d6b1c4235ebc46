"""Glimpse networks, which look at a picture of a digit place after place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models.families.family import Family, Stored
from heed.models.families.glimpse.config import GlimpseConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.glimpse.pipeline import GlimpsePipeline
    from heed.models.families.glimpse.runtime import NumpyGlimpse
    from heed.models.runtime.numpy import load_runtime

    return GlimpsePipeline(stored.card, load_runtime(stored.folder, GlimpseConfig, NumpyGlimpse))


FAMILY: Final = Family(GlimpseConfig, _load, on_numpy=True)
