"""Attention rollout, Abnar and Zuidema 2020: what tokens read through all layers.

The mean of the heads, and the same again for the residual connection, multiplied over the layers.

Shapes: `L` layers, `H` heads, `K` tokens.
"""

from __future__ import annotations

import numpy as np

from heed.models.trace import Floats


def rollout(weights: Floats) -> Floats:
    """Return how much the first token, the class token, reads of each (K,), of (L, H, K, K)."""
    read: Floats = np.zeros(weights.shape[-1], dtype=np.float32)
    read[0] = 1
    return through_layers(weights.mean(axis=1), read)


def through_layers(means: Floats, read: Floats) -> Floats:
    """Follow what is read (…, K) down through the layers, by the means of their heads (L, K, K).

    The identity gives the rollout of all tokens.
    """
    for mean in means[::-1]:
        read = (read @ mean + read) / 2
    return read
