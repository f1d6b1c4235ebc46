"""The interface between the reader of drawings and the runtimes of its glimpse network.

Shapes: `Y` rows, `X` columns, `T` glimpses, `S` scales, `P` side of a patch, `D` width,
`C` classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from heed.models.config import GlimpseConfig
from heed.models.trace import Floats


class GlimpsesRead(NamedTuple):
    """The glimpses at one drawing."""

    places: Floats  # (T, 2), x and y, from -1 to 1
    patches: Floats  # (T, S, P, P)
    queries: Floats  # (T, D), the state before each glimpse
    seen: Floats  # (T, D), g
    states: Floats  # (T, D), h
    log_probabilities: Floats  # (T, C)


class GlimpseRuntime(Protocol):
    """A glimpse network, ready to look."""

    @property
    def config(self) -> GlimpseConfig:
        """The shape of the network."""

    def look(self, drawings: Sequence[Floats]) -> list[GlimpsesRead]:
        """Look at drawings (Y, X), each at the means of the policy."""
