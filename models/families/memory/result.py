"""The input and the numbers of a memory network, between its runtime and the pipeline.

Shapes: `H` hops, `S` sentences, `A` answers, `D` width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from heed.models.families.memory.stories import NOTHING
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.protocol import Tokens
from heed.models.trace import Floats

HOPS: Final = MapGroup("cross", 0, 1, "target", "source")
"""The one map, with a row for each hop."""


@dataclass(frozen=True, slots=True)
class StoryInput:
    """The words of a story, sentence by sentence, and those of a question about it."""

    sentences: tuple[Tokens, ...]
    question: Tokens

    @property
    def memory(self) -> tuple[Tokens, ...]:
        """The sentences as the network has them, the empty one first."""
        return ((NOTHING,), *self.sentences)


class StoryResult(NamedTuple):
    """The hops through one story, whose first sentence is the empty one."""

    scores: Floats  # (H, S)
    weights: Floats  # (H, S)
    queries: Floats  # (H, D)
    keys: Floats  # (H, S, D)
    values: Floats  # (H, S, D)
    contexts: Floats  # (H, D)
    states: Floats  # (H, D)
    log_probabilities: Floats  # (H, A)
