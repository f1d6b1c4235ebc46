"""Gumbel noise for hard attention: the same numbers for a seed in every runtime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.trace import Floats

DRAWS = 64  # steps that a seed has noise for; then it starts over


def gumbel(seeds: Sequence[int], cells: int) -> Floats:
    """Return noise (B, T, K) that draws a cell at each step, the same for the same seed.

    The cell where log α plus its noise is largest is a draw from α (Gumbel 1954).
    """
    tables = [np.random.default_rng(seed).gumbel(size=(DRAWS, cells)) for seed in seeds]
    return np.stack(tables).astype(np.float32)
