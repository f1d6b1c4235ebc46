"""The configuration of a memory network."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar, Literal

from heed.models.config import NetworkConfig
from heed.models.mechanisms import MEMORY_MECHANISMS


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNetworkConfig(NetworkConfig):
    """Shape of a network that answers questions about stories (Sukhbaatar et al. 2015)."""

    width: int
    hops: int
    sentences: int  # the longest story whose sentences all have their own temporal encoding
    words: int  # the longest sentence
    answers: int
    family: Literal["memory"] = "memory"

    mechanism: Literal["memory"] = "memory"
    mechanisms: ClassVar[Collection[str]] = MEMORY_MECHANISMS
    task: ClassVar[str | None] = "story"
    reads: ClassVar[str] = "stories"
    order: Literal["before"] = "before"

    @property
    def heads_and_layers(self) -> tuple[int, int]:
        """Heads of a hop, and hops, which are the layers of the paper."""
        return 1, self.hops
