"""The figures of the preview pictures: a map, a photo under its attention, or one vector."""

from __future__ import annotations

import base64
import io
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from heed.app.pages.link_preview.typeface import (
    ACCENT,
    GRID,
    INK,
    SOFT,
    Room,
    drawable,
    fitting,
    font,
    rgb,
    shade,
)
from heed.app.pages.table import Table
from heed.app.schemas import GridAxisOut, PictureOut, TokenAxisOut, TraceOut

Matrix = npt.NDArray[np.float64]

MOST_NAMED = 18
"""Rows or columns, beyond which a map has no headings."""
LONGEST_NAME = 120
HEADING_TURN = 50
DIM = 0.4
"""Brightness of the photo where the attention is lowest."""
GAMMA = 0.6
"""Exponent of the light, so that weaker places are seen too."""


def draw_map(image: Image.Image, table: Table, room: Room, longest: int = LONGEST_NAME) -> None:
    """Draw the cells, and the headings of the rows, of at most `longest` pixels, and columns.

    There are no headings if there are too many to be read.
    """
    left, top, right, bottom = room
    most = max(len(table.rows), len(table.columns))
    named = most <= MOST_NAMED
    face = font("Sans", 22 if 2 * most <= MOST_NAMED else 17)
    head = 0
    if named:
        names = [face.getlength(drawable(name)) for name, _ in table.rows]
        left += min(longest, round(max(names))) + 12
        head = min(110, round(max(map(face.getlength, table.columns)) * 0.8))
    width = (right - left - 0.6 * head) / len(table.columns)
    height = (bottom - top - head) / len(table.rows)
    width, height = min(width, 2 * height, 72), min(height, 2 * width, 56)
    _cells(ImageDraw.Draw(image), table, (left, top + head), (width, height))
    if named:
        _headings(image, table, face, (left, top + head), (width, height), longest)


def _cells(
    brush: ImageDraw.ImageDraw,
    table: Table,
    corner: tuple[int, int],
    cell: tuple[float, float],
) -> None:
    (left, top), (width, height) = corner, cell
    gap = 1 if min(cell) > 6 else 0
    for y, (_, weights) in enumerate(table.rows):
        for x, weight in enumerate(map(float, weights)):
            start = (left + x * width, top + y * height)
            box = (*start, start[0] + width - gap, start[1] + height - gap)
            brush.rectangle(box, fill=shade(weight / (table.largest or 1)))
    end = (left + len(table.columns) * width, top + len(table.rows) * height)
    brush.rectangle((left - 1, top - 1, *end), outline=GRID)


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
        text = fitting(drawable(name), face, longest)
        brush.text((left - 10, top + (y + 0.5) * height), text, INK, face, anchor="rm")
    for x, name in enumerate(table.columns):
        _turned(image, name, face, (left + (x + 0.5) * width, top - 6))


def _turned(
    image: Image.Image, name: str, face: ImageFont.FreeTypeFont, place: tuple[float, float]
) -> None:
    """Draw the heading of a column, slanted, so that it begins above its cells."""
    text = fitting(drawable(name), face, LONGEST_NAME)
    size = (round(face.getlength(text)) + 4, round(face.size * 1.4))
    label = Image.new("L", size, 0)
    ImageDraw.Draw(label).text((0, size[1] / 2), text, 255, face, anchor="lm")
    turned = label.rotate(HEADING_TURN, Image.Resampling.BICUBIC, expand=True)
    corner = (round(place[0] - face.size * 0.5), round(place[1] - turned.height + face.size * 0.2))
    image.paste(rgb(SOFT), corner, turned)


def draw_photo(
    image: Image.Image, trace: TraceOut, grid: GridAxisOut, picture: PictureOut, room: Room
) -> None:
    """Draw the photo, lit for the word with the sharpest attention, as on the page."""
    left, top, right, bottom = room
    encoded = picture.preview.partition(",")[2]
    photo = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB")
    photo.thumbnail((right - left, bottom - top + 40), Image.Resampling.LANCZOS)
    weights = _sharpest(trace)
    if weights is not None:
        weights = weights[len(grid.marks or ()) :]
        cells = weights.reshape(grid.rows, grid.columns) / (weights.max() or 1)
        photo = _lit(photo, cells, grid, picture)
    image.paste(photo, (right - photo.width, (top + bottom - photo.height) // 2))


def _sharpest(trace: TraceOut) -> Matrix | None:
    """Return the weights of a word, the mean of the heads of the last layer."""
    maps = [one for one in trace.maps if one.kind in ("cross", "rollout") and one.key == "source"]
    if not maps:
        return None
    last = max(one.layer for one in maps)
    weights: Matrix = np.mean([one.weights for one in maps if one.layer == last], axis=0)
    gates = [1.0 if step.gate is None else step.gate for step in trace.steps]
    tokens = trace.target.tokens if isinstance(trace.target, TokenAxisOut) else []
    spoken = [not token.special for token in tokens]
    entropy = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1)
    sharpness = (np.log2(weights.shape[1]) - entropy) * gates * spoken
    row: Matrix = weights[int(sharpness.argmax())]
    return row


def _lit(photo: Image.Image, cells: Matrix, grid: GridAxisOut, picture: PictureOut) -> Image.Image:
    """Return the photo, dark where the weights of the cells are small."""
    across, down = photo.width / picture.width, photo.height / picture.height
    size = (max(1, round(grid.width * across)), max(1, round(grid.height * down)))
    light = Image.fromarray((cells**GAMMA * 255).astype(np.uint8))
    light = light.resize(size, Image.Resampling.BICUBIC)
    mask = Image.new("L", photo.size, 0)
    mask.paste(light, (round(grid.left * across), round(grid.top * down)))
    return Image.composite(photo, photo.point(lambda value: value * DIM), mask)


def draw_vector(brush: ImageDraw.ImageDraw, trace: TraceOut, room: Room) -> None:
    """Draw the one vector of a model without attention."""
    left, top, right, bottom = room
    context = trace.steps[0].context if trace.steps else None
    values = context.summary if context else []
    middle, most = (top + bottom) / 2, max(map(abs, values), default=1) or 1
    edges = np.linspace(left, right, len(values) + 1).tolist()
    for value, (start, end) in zip(values, pairwise(edges), strict=True):
        reach = sorted((middle, middle - value / most * 120))
        colour = ACCENT if value > 0 else SOFT
        brush.rectangle((start, reach[0], max(start, end - 3), reach[1]), fill=colour)
    label = "One vector for the whole input: no attention"
    brush.text((left, top + 20), label, SOFT, font("Sans", 22))
