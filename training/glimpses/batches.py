"""Pictures with one digit, alone or among parts of other digits.

Shapes: `N` pictures, `Y` rows, `X` columns, `E` side of a digit's square.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.glimpses.digits import SIDE, Bank, Bytes

PART: Final = 8  # side of a part of a digit, in pixels
PARTS: Final = 4  # in a cluttered picture
DARKEST: Final = 40  # of 255; paler pixels do not count as a digit's

Indices = NDArray[np.int64]


class Batch(NamedTuple):
    """Pictures and the digits in them."""

    pictures: Tensor  # (N, Y, X), from 0 to 1, white on black
    labels: Tensor  # (N,)
    boxes: Tensor  # (N, 4), left, top, right and bottom of the digits, in pixels

    def to(self, device: torch.device) -> Batch:
        """Move to a device."""
        return Batch(*(tensor.to(device) for tensor in self))


def draw_batch(
    rng: np.random.Generator,
    bank: Bank,
    count: int,
    side: int,
    alone: float,
    *,
    in_order: bool = False,
) -> Batch:
    """Draw pictures; `alone` is the share of those without clutter.

    Their digits are drawn from the bank, or are its first ones, `in_order`.
    """
    chosen = np.arange(count) if in_order else rng.integers(len(bank.labels), size=count)
    digits = bank.pictures[chosen]
    margin = SIDE
    canvas = np.zeros((count, side + 2 * margin, side + 2 * margin), np.uint8)
    there = digits > DARKEST
    extents = _extent(there), _extent(there.transpose(0, 2, 1))
    starts, ends = (np.stack(sides, axis=1) for sides in zip(*extents, strict=True))
    corners = rng.integers(-starts, side - ends + 1)
    _paste(canvas, digits, corners + margin)
    rows = np.flatnonzero(rng.random(count) >= alone)
    cluttered = canvas[rows]
    for _ in range(PARTS):
        places = rng.integers(0, side - PART + 1, size=(len(rows), 2)) + margin
        _paste(cluttered, _parts(rng, bank, len(rows)), places)
    canvas[rows] = cluttered
    inner = canvas[:, margin : margin + side, margin : margin + side]
    pictures = torch.from_numpy(np.ascontiguousarray(inner)).float() / 255
    boxes = torch.from_numpy(np.concatenate([corners + starts, corners + ends], axis=1))
    return Batch(pictures, torch.from_numpy(bank.labels[chosen]), boxes)


def _extent(there: NDArray[np.bool_]) -> tuple[Indices, Indices]:
    """Return the first and one past the last column of each digit (N, E, E) that is inked."""
    inked = np.asarray(there.any(axis=1))  # (N, E)
    return inked.argmax(axis=1), SIDE - inked[:, ::-1].argmax(axis=1)


def _parts(rng: np.random.Generator, bank: Bank, count: int) -> Bytes:
    """Cut parts out of digits (N, PART, PART)."""
    chosen = rng.integers(len(bank.labels), size=count)
    corners = rng.integers(4, SIDE - PART - 3, size=(count, 2))
    rows, columns = _square(corners, PART)
    return bank.pictures[chosen[:, None, None], rows, columns]


def _paste(canvas: Bytes, squares: Bytes, corners: Indices) -> None:
    """Paste a square into each picture, where its pixels are the lighter ones."""
    rows, columns = _square(corners, squares.shape[1])
    place = np.arange(len(canvas))[:, None, None], rows, columns
    canvas[place] = np.maximum(canvas[place], squares)


def _square(corners: Indices, side: int) -> tuple[Indices, Indices]:
    """Return the rows and the columns of squares, given their corners (x, y)."""
    steps = np.arange(side)
    return corners[:, 1, None, None] + steps[:, None], corners[:, 0, None, None] + steps
