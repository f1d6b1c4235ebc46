"""Memory networks, which answer a question about a story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models.families.family import Family, Stored
from heed.models.families.memory.config import MemoryNetworkConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.memory.pipeline import StoryPipeline
    from heed.models.families.memory.runtime import NumpyMemoryNetwork
    from heed.models.families.memory.stories import StoryVocabulary
    from heed.models.runtime.numpy import load_runtime

    runtime = load_runtime(stored.folder, MemoryNetworkConfig, NumpyMemoryNetwork)
    return StoryPipeline(stored.card, runtime, StoryVocabulary.load(stored.folder))


FAMILY: Final = Family(MemoryNetworkConfig, _load, on_numpy=True)
