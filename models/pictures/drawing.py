"""A user's picture as a glimpse network reads it: a small square, strokes light on dark.

Whatever is as dark or as light as the edge of the picture is the ground, and what differs from it
is ink: dark strokes on light and light strokes on dark become the same. A picture of another shape
is fitted into the square. A single digit that is much larger or smaller than those of the training
is brought to their size, where it stands.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heed.models.errors import PictureError
from heed.models.pictures.decode import SIDE as READ_SIDE
from heed.models.pictures.decode import Picture
from heed.models.trace import Floats

LEAST_CONTRAST: Final = 24  # of 255, between ink and ground
PALEST, DARKEST = 0.06, 0.96  # of the strongest ink: below is ground, above is full ink
INKED: Final = 0.3
SIZES: Final = (12, 30)  # the longer side of a digit that is read as it is, in pixels
SIZE: Final = 21  # to which a single digit of another size is brought
ALONE: Final = 0.97  # share of the ink in one piece, beyond which it is a digit alone
GAP: Final = 2  # pixels that a digit's strokes may lie apart

Mask = NDArray[np.bool_]
Pair = NDArray[np.float64]  # across and down


def fit_drawing(picture: Picture, side: int) -> Floats:
    """Return the ink of a picture in a square (side, side), or raise `PictureError`."""
    ink = _ink(picture)
    sizes = np.array([picture.width, picture.height])
    fitted = sizes / sizes.max() * side
    middle = np.array([side / 2, side / 2])
    square = _placed(ink, sizes, fitted, middle, side)
    box = _digit_alone(square)
    if box is None:
        return square
    low, high = np.array(box[:2]), np.array(box[2:])
    scale = SIZE / max(high - low)
    half = (high - low) * scale / 2
    kept = np.clip((low + high) / 2, half + 1, side - half - 1)  # the digit stays inside
    moved = kept + (middle - (low + high) / 2) * scale
    return _placed(ink, sizes, fitted * scale, moved, side)


def _ink(picture: Picture) -> Floats:
    """Return how far each pixel of a picture differs from its edge, from 0 to 1."""
    gray = np.asarray(Image.fromarray(picture.pixels).convert("L"), np.float32)
    edge = np.concatenate([gray[0], gray[-1], gray[1:-1, 0], gray[1:-1, -1]])
    ink = np.abs(gray - np.median(edge))
    strongest = float(ink.max())
    if strongest < LEAST_CONTRAST:
        message = "The picture is blank: it has one colour. Draw a digit, or choose another file."
        raise PictureError("blank_picture", message)
    levels: Floats = (ink / strongest - PALEST) / (DARKEST - PALEST)
    return levels.clip(0, 1)


def _placed(ink: Floats, sizes: Pair, fitted: Pair, centre: Pair, side: int) -> Floats:
    """Return a square with the ink of a picture of these sizes, fitted, its middle at a point."""
    columns, rows = (
        _shares(along[0] / along[1], READ_SIDE / along[1], along[2], side)
        for along in zip(sizes, fitted, centre, strict=True)
    )
    square: Floats = (rows @ ink @ columns.T).clip(0, 1).astype(np.float32)
    return square


def _shares(shrunk: float, step: float, centre: float, side: int) -> Floats:
    """Return how much of each new pixel comes from each pixel that was read (side, READ_SIDE).

    `shrunk` is how many of the user's own pixels a new one takes, and `step` how many that were
    read. A new pixel is their mean; where it takes one of the user's own or less, it is that one,
    which lies at the middle, as enlarging has blurred those around it.
    """
    width = max(step * (1 - 1 / max(shrunk, 1.0)), 1.0)
    middles = READ_SIDE / 2 + (np.arange(side) + 0.5 - centre) * step
    old = np.arange(READ_SIDE)
    low = np.maximum(middles[:, None] - width / 2, old)
    high = np.minimum(middles[:, None] + width / 2, old + 1)
    shares: Floats = (np.maximum(high - low, 0) / width).astype(np.float32)
    return shares


def _digit_alone(square: Floats) -> tuple[int, int, int, int] | None:
    """Return the box of the ink if it is one digit of an unusual size, else None."""
    mask = square > INKED
    if not mask.any():
        return None
    piece = _piece(mask)
    if square[piece].sum() < ALONE * square[mask].sum():
        return None
    rows, columns = (np.flatnonzero(piece.any(axis=axis)) for axis in (1, 0))
    box = int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
    longer = max(box[2] - box[0], box[3] - box[1])
    return None if SIZES[0] <= longer <= SIZES[1] else box


def _piece(mask: Mask) -> Mask:
    """Return the part of the ink that hangs together, around the pixel in the middle of it."""
    places = np.argwhere(mask)
    nearest = np.square(places - places.mean(axis=0)).sum(axis=1).argmin()
    piece = np.zeros_like(mask)
    piece[tuple(places[nearest])] = True
    while True:
        grown: Mask = np.logical_and(_grown(piece), mask)
        if np.array_equal(grown, piece):
            return piece
        piece = grown


def _grown(mask: Mask) -> Mask:
    """Return the mask with all pixels that are no more than the gap away."""
    for axis in (0, 1):
        padded = np.pad(mask, [(GAP, GAP) if axis == other else (0, 0) for other in (0, 1)])
        parts = (padded.take(range(k, k + mask.shape[axis]), axis) for k in range(2 * GAP + 1))
        mask = np.logical_or.reduce(list(parts))
    return mask
