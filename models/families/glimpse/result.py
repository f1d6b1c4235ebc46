"""The numbers of a glimpse network, between its runtime and the pipeline.

Shapes: `Y` rows, `X` columns, `T` glimpses, `S` scales, `P` side of a patch, `D` width,
`C` classes.
"""

from __future__ import annotations

from typing import NamedTuple

from heed.models.trace import Floats


class GlimpseResult(NamedTuple):
    """The glimpses at one drawing."""

    places: Floats  # (T, 2), x and y, from -1 to 1
    patches: Floats  # (T, S, P, P)
    queries: Floats  # (T, D), the state before each glimpse
    seen: Floats  # (T, D), g
    states: Floats  # (T, D), h
    log_probabilities: Floats  # (T, C)
