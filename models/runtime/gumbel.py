"""The luck of hard attention: what a seed draws, the same in every runtime."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.trace import Floats

DRAWS = 64  # steps that a seed has random numbers for; then it starts over


def gumbel(seeds: Sequence[int], cells: int) -> Floats:
    """Random numbers (B, T, K) that draw a cell at each step, the same for the same seed.

    Where log α plus such a number is largest, there is a cell drawn by α (Gumbel 1954).
    """
    tables = [np.random.default_rng(seed).gumbel(size=(DRAWS, cells)) for seed in seeds]
    return np.stack(tables).astype(np.float32)
