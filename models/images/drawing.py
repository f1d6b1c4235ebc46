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
from heed.models.images.read import SIDE as READ_SIDE
from heed.models.images.read import Picture
from heed.models.trace import Floats

LEAST_CONTRAST: Final = 24  # of 255, between ink and ground
PALEST, DARKEST = 0.1, 0.9  # of the strongest ink: below is ground, above is full ink
INKED: Final = 0.3
SIZES: Final = (15, 26)  # the longer side of a digit in the training, in pixels
SIZE: Final = 21  # to which a single digit of another size is brought
ALONE: Final = 0.9  # share of the ink in one piece, beyond which it is a digit alone
GAP: Final = 2  # pixels that a digit's strokes may lie apart

Mask = NDArray[np.bool_]


def fit_drawing(picture: Picture, side: int) -> Floats:
    """Return the ink of a picture in a square (side, side), or raise `PictureError`."""
    ink = _ink(picture)
    longer = max(picture.width, picture.height)
    across, down = picture.width / longer * side, picture.height / longer * side
    square = _placed(ink, (across, down), (side / 2, side / 2), side)
    box = _digit_alone(square)
    if box is None:
        return square
    left, top, right, bottom = box
    scale = SIZE / max(right - left, bottom - top)
    middle = side / 2
    centre = np.array([(left + right) / 2, (top + bottom) / 2])
    half = np.array([right - left, bottom - top]) * scale / 2
    kept = np.clip(centre, half + 1, side - half - 1)  # the digit stays inside
    moved = kept + (middle - centre) * scale
    return _placed(ink, (across * scale, down * scale), (moved[0], moved[1]), side)


def _ink(picture: Picture) -> Floats:
    """Return how far each pixel of a picture differs from its edge, from 0 to 1."""
    gray = np.asarray(Image.fromarray(picture.pixels).convert("L"), np.float32)
    edge = np.concatenate([gray[0], gray[-1], gray[1:-1, 0], gray[1:-1, -1]])
    ink = np.abs(gray - np.median(edge))
    strongest = float(ink.max())
    if strongest < LEAST_CONTRAST:
        message = "The picture is blank: it has one colour. Draw a digit, or choose another file."
        raise PictureError("blank_picture", message)
    levels = (ink / strongest - PALEST) / (DARKEST - PALEST)
    return levels.clip(0, 1).astype(np.float32)


def _placed(
    ink: Floats, size: tuple[float, float], centre: tuple[float, float], side: int
) -> Floats:
    """Return a square with the ink in this size, its middle at this point."""
    (across, down), (x, y) = size, centre
    scale_x, scale_y = READ_SIDE / across, READ_SIDE / down
    # A square of the picture's pixels that is as large as the drawing, around its middle.
    box = (
        READ_SIDE / 2 - x * scale_x,
        READ_SIDE / 2 - y * scale_y,
        READ_SIDE / 2 + (side - x) * scale_x,
        READ_SIDE / 2 + (side - y) * scale_y,
    )
    return _resampled(ink, box, side)


def _resampled(ink: Floats, box: tuple[float, float, float, float], side: int) -> Floats:
    """Average a part of the ink, which may reach beyond it, to a square."""
    left, top, right, bottom = box
    columns = _overlaps(left, right, side)
    rows = _overlaps(top, bottom, side)
    square: Floats = (rows @ ink @ columns.T).astype(np.float32)
    return square.clip(0, 1)


def _overlaps(start: float, end: float, side: int) -> Floats:
    """Return how much of each new pixel is covered by each old one (side, READ_SIDE)."""
    edges = np.linspace(start, end, side + 1)
    old = np.arange(READ_SIDE)
    low = np.maximum(edges[:-1, None], old)
    high = np.minimum(edges[1:, None], old + 1)
    shares = np.maximum(high - low, 0) / ((end - start) / side)
    return shares.astype(np.float32)


def _digit_alone(square: Floats) -> tuple[int, int, int, int] | None:
    """Return the box of the ink if it is one digit of an unusual size, else None."""
    mask = square > INKED
    if not mask.any():
        return None
    ink = square[_piece(mask)].sum()
    if ink < ALONE * square[mask].sum():
        return None
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
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
    padded = np.pad(mask, GAP)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * GAP + 1,) * 2)
    return np.asarray(windows.any(axis=(2, 3)))
