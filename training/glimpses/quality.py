"""Quality of a glimpse network: right digits, alone and in clutter, and where it looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor

from training.glimpses.batches import Batch, draw_batch
from training.glimpses.digits import Bank, draw_bank
from training.glimpses.handwritten import handwritten

SEEDS: Final = {"dev": 59, "test": 60}
CHUNK: Final = 500
KINDS: Final = {"alone": 1.0, "cluttered": 0.0}  # share of pictures without clutter
WRITTEN: Final = {"handwritten": "alone", "handwritten_cluttered": "cluttered"}
"""The same of digits that people wrote."""

Part = Literal["dev", "test"]


class Looked(NamedTuple):
    """The beliefs and the places of a network."""

    logits: Tensor  # (B, T, C)
    places: Tensor  # (B, T, 2), from -1 to 1


Look = Callable[[Tensor], Looked]
"""Looks at pictures (B, Y, X)."""


@lru_cache(2)
def _bank(part: Part, count: int) -> Bank:
    return draw_bank(f"{SEEDS[part]} {part}", count)


def held_out(part: Part, kind: str, count: int, side: int) -> Batch:
    """Draw pictures of digits that no training drew."""
    rng = np.random.default_rng((SEEDS[part], list(KINDS).index(kind)))
    return draw_batch(rng, _bank(part, count), count, side, KINDS[kind])


def written(data: Path, part: Part, name: str, side: int) -> Batch:
    """Put pictures together of the digits of a part that people wrote, one of each."""
    kind = WRITTEN[name]
    rng = np.random.default_rng((SEEDS[part], list(KINDS).index(kind)))
    bank = handwritten(data, part)
    return draw_batch(rng, bank, len(bank.labels), side, KINDS[kind], in_order=True)


def evaluate_glimpses(look: Look, batch: Batch) -> tuple[list[float], float]:
    """Return the share of right digits after each glimpse, and that of glimpses on the digit.

    A glimpse is on the digit if its middle lies in the digit's box. The first, whose place is
    fixed, does not count.
    """
    right, on_digit = [], []
    for start in range(0, len(batch.labels), CHUNK):
        pictures, labels, boxes = (tensor[start : start + CHUNK] for tensor in batch)
        seen = look(pictures)
        right.append(seen.logits.argmax(dim=-1) == labels[:, None])
        pixels = (seen.places[:, 1:] + 1) / 2 * pictures.shape[-1]
        inside = (pixels >= boxes[:, None, :2]) & (pixels <= boxes[:, None, 2:])
        on_digit.append(inside.all(dim=-1))
    shares = torch.cat(right).double().mean(dim=0).tolist()
    return shares, float(torch.cat(on_digit).double().mean())
