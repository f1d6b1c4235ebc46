"""The figures of the preview pictures: a map, a photo under its attention, or one vector."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from heed.app.pages.link_preview.typeface import (
    ACCENT,
    GRID,
    INK,
    MOST_OF_NAME,
    PAPER,
    SOFT,
    Room,
    drawable,
    fitting,
    font,
)
from heed.app.pages.table import Table, cross_weights
from heed.app.schemas import GridAxisOut, PictureOut, TokenAxisOut, TraceOut
from heed.output.colours import rgb, shades
from heed.output.photo import Light, lit

Matrix = npt.NDArray[np.float64]

MOST_NAMED = 18
"""Rows or columns, beyond which a map has no headings."""
LONGEST_NAME = 120
HEADING_TURN = 50
LIGHT = Light(least=0.4, gamma=0.6)
"""Weaker places are seen, too."""
MOST_BARS = 64
"""Numbers of a vector that are drawn."""
GAP_CELL = 6
"""Width or height, beyond which cells have gaps between them."""
TONES = 1024
"""Places of the colour scale that cells may have."""


def draw_map(image: Image.Image, table: Table, room: Room, longest: int = LONGEST_NAME) -> None:
    """Draw the cells, and the headings of the rows, of at most `longest` pixels, and columns.

    There are no headings if there are too many to be read.
    """
    left, top, right, bottom = room
    rows, columns = (len(names) for names in (table.rows, table.columns))
    most = max(rows, columns)
    named = most <= MOST_NAMED
    face = font("Sans", 22 if 2 * most <= MOST_NAMED else 17)
    head = 0
    if named:
        headings = [_longest(names, face) for names in ([n for n, _ in table.rows], table.columns)]
        left += min(longest, round(headings[0])) + 12
        head = min(110, round(headings[1] * 0.8))
    width = (right - left - 0.6 * head) / columns
    height = (bottom - top - head) / rows
    width, height = min(width, 2 * height, 72), min(height, 2 * width, 56)
    _cells(image, table, (left, top + head), (width, height))
    if named:
        _headings(image, table, face, (left, top + head), (width, height), longest)


def _longest(names: Sequence[str], face: ImageFont.FreeTypeFont) -> float:
    return max(face.getlength(drawable(name, MOST_OF_NAME)) for name in names)


def _cells(
    image: Image.Image,
    table: Table,
    corner: tuple[int, int],
    cell: tuple[float, float],
) -> None:
    """Draw the cells pixel by pixel: of a large map there are more cells than pixels."""
    (left, top), (width, height) = corner, cell
    weights = np.asarray([row for _, row in table.rows], float) / (table.largest or 1)
    tones = (weights.clip(0, 1) * (TONES - 1)).round().astype(int)
    across, down = (
        np.minimum((np.arange(max(1, round(count * side))) / side).astype(int), count - 1)
        for count, side in ((len(table.columns), width), (len(table.rows), height))
    )
    colours = shades(np.linspace(0, 1, TONES))[tones[down][:, across]]
    if min(cell) > GAP_CELL:
        colours[np.flatnonzero(np.diff(down))] = rgb(PAPER)
        colours[:, np.flatnonzero(np.diff(across))] = rgb(PAPER)
    end = (left + colours.shape[1], top + colours.shape[0])
    ImageDraw.Draw(image).rectangle((left - 1, top - 1, *end), outline=GRID)
    image.paste(Image.fromarray(colours), (left, top))


def _headings(
    image: Image.Image,
    table: Table,
    face: ImageFont.FreeTypeFont,
    corner: tuple[int, int],
    cell: tuple[float, float],
    longest: int,
) -> None:
    (left, top), (width, height) = corner, cell
    brush = ImageDraw.Draw(image)
    for y, (name, _) in enumerate(table.rows):
        text = fitting(drawable(name, MOST_OF_NAME), face, longest)
        brush.text((left - 10, top + (y + 0.5) * height), text, INK, face, anchor="rm")
    for x, name in enumerate(table.columns):
        _turned(image, name, face, (left + (x + 0.5) * width, top - 6))


def _turned(
    image: Image.Image, name: str, face: ImageFont.FreeTypeFont, place: tuple[float, float]
) -> None:
    """Draw the heading of a column, slanted, so that it begins above its cells."""
    text = fitting(drawable(name, MOST_OF_NAME), face, LONGEST_NAME)
    size = (round(face.getlength(text)) + 4, round(face.size * 1.4))
    label = Image.new("L", size, 0)
    ImageDraw.Draw(label).text((0, size[1] / 2), text, 255, face, anchor="lm")
    turned = label.rotate(HEADING_TURN, Image.Resampling.BICUBIC, expand=True)
    corner = (round(place[0] - face.size * 0.5), round(place[1] - turned.height + face.size * 0.2))
    image.paste(rgb(SOFT), corner, turned)


def draw_photo(
    image: Image.Image, trace: TraceOut, grid: GridAxisOut, picture: PictureOut, room: Room
) -> None:
    """Draw the photo, lit for the word with the sharpest attention."""
    left, top, right, bottom = room
    encoded = picture.preview.partition(",")[2]
    photo = Image.open(io.BytesIO(base64.b64decode(encoded)), formats=["JPEG"]).convert("RGB")
    photo.thumbnail((right - left, bottom - top + 40), Image.Resampling.LANCZOS)
    weights = _sharpest(trace)
    if weights is not None:
        weights = weights[len(grid.marks or ()) :]
        cells = weights.reshape(grid.rows, grid.columns)
        box = grid.left, grid.top, grid.width, grid.height
        photo = lit(photo, cells, box, (picture.width, picture.height), LIGHT)
    image.paste(photo, (right - photo.width, (top + bottom - photo.height) // 2))


def _sharpest(trace: TraceOut) -> Matrix | None:
    """Return the weights of a word, the mean of the heads of the last layer."""
    weights = cross_weights(trace.maps)
    if weights is None or not isinstance(trace.target, TokenAxisOut):
        return None
    gates = np.asarray([1.0 if one.gate is None else one.gate for one in trace.steps] or 1.0)
    spoken = [not token.special for token in trace.target.tokens]
    entropy = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1)
    sharpness = (np.log2(weights.shape[1]) - entropy) * gates * spoken
    row: Matrix = weights[int(sharpness.argmax())]
    return row


def draw_vector(brush: ImageDraw.ImageDraw, trace: TraceOut, room: Room) -> None:
    """Draw the one vector of a model without attention."""
    left, top, right, bottom = room
    context = trace.steps[0].context if trace.steps else None
    values = context.summary[:MOST_BARS] if context else []
    middle, most = (top + bottom) / 2, max(map(abs, values), default=1) or 1
    edges = np.linspace(left, right, len(values) + 1).tolist()
    for value, (start, end) in zip(values, pairwise(edges), strict=True):
        reach = sorted((middle, middle - value / most * 120))
        colour = ACCENT if value > 0 else SOFT
        brush.rectangle((start, reach[0], max(start, end - 3), reach[1]), fill=colour)
    label = "One vector for the whole input: no attention"
    brush.text((left, top + 20), label, SOFT, font("Sans", 22))
