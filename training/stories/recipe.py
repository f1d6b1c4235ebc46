"""Recipe of a memory network that answers questions about stories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from heed.models.families.memory.config import MemoryNetworkConfig
from training.common.recipe import Recipe
from training.stories.grammar import MOST
from training.stories.questions import HOPS, KINDS, Kind
from training.stories.vocabulary import ANSWERS, WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNetworkRecipe(Recipe):
    """A memory network and its training."""

    network: MemoryNetworkConfig
    kinds: Mapping[Kind, float]  # shares of the kinds of questions in a batch
    stories: int = 50_000  # in the pool of the training, varied in every batch
    unanswerable: float = 0.2  # of the questions
    unknown: float = 0.1  # examples of which one word is replaced by the unknown word
    guide: float = 0.0  # weight of the cross-entropy between the weights and the supporting facts
    each_hop: float = 0.0  # weight of the answers after the hops before the last
    examples: tuple[Mapping[str, str], ...] = ()

    fixed_network: ClassVar[Mapping[str, Any]] = {
        "vocabulary": len(WORDS),
        "answers": len(ANSWERS),
        "sentences": MOST,
        "hops": HOPS,
    }

    def problems(self) -> Iterator[str]:
        """Yield the kinds of questions that are unknown or missing."""
        if unknown := sorted(set(self.kinds) ^ set(KINDS)):
            yield f"kinds: unknown or missing: {', '.join(unknown)}"
