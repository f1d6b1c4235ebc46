"""Preview pictures of links (Open Graph): a trace as a PNG, drawn without a browser."""

from __future__ import annotations

import base64
import io
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from heed.app.pages.table import Table, table_of
from heed.app.schemas import GridAxisOut, TokenAxisOut, TraceOut

Matrix = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

SIZE: Final = (1200, 630)
MARGIN = 64
FONTS = Path(__file__).parent / "fonts"
PAPER, INK, SOFT, ACCENT, GRID = "#fbfaf7", "#1d1c1a", "#5d5a54", "#0e5a76", "#efece5"
SCALE = ("#fbfaf7", "#d9e9e8", "#a6d0d3", "#66adbb", "#2f86a0", "#145f7d", "#0a3450")
"""The colour scale of the page (static/js/core/colours.js)."""
MARK = ((6, 2, 1), (2, 5, 2), (1, 3, 6))
"""The cells of the logo, as places on the colour scale."""
LEFT = 500
"""Width of the text; the picture has the rest."""
MOST_NAMED = 18
"""Rows or columns, beyond which a map has no headings."""
HEADING_TURN = 50
LONG = 160
"""Characters of both texts, beyond which they are set smaller."""
DIM = 0.35
"""Brightness of the photo where the attention is lowest."""
REPLACED = {"→": "–", "⟨": "‹", "⟩": "›", "␣": "_"}
"""Signs that the fonts lack."""
TAGLINE = "Attention, made visible: see which words a translator looks at for every word it writes."


def picture(trace: TraceOut | None, model_name: str = "") -> bytes:
    """Return the preview of a trace, or of the site, as a PNG."""
    image = Image.new("RGB", SIZE, PAPER)
    brush = ImageDraw.Draw(image)
    _brand(brush)
    if trace is None:
        _paragraph(brush, TAGLINE, (MARGIN, 250), SIZE[0] - 2 * MARGIN, 52, INK, 3)
    else:
        _texts(brush, trace, model_name)
        room = (MARGIN + LEFT + 40, 130, SIZE[0] - MARGIN, SIZE[1] - MARGIN)
        if isinstance(trace.source, GridAxisOut):
            _photo(image, trace, room)
        elif table := table_of(trace):
            _map(image, table, room)
        else:
            _vector(brush, trace, room)
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / f"Noto{name}.ttf", size)


@lru_cache(4096)
def _known(character: str) -> str:
    """Return the character, or one that stands for it where the fonts lack it."""
    font = _font("Sans", 24)
    missing = bytes(font.getmask(character)) == bytes(font.getmask("\uffff"))
    return REPLACED.get(character, "•" if missing and character.isprintable() else character)


def _drawable(text: str) -> str:
    return "".join(" " if each == " " else _known(each) for each in " ".join(text.split()))


def _brand(brush: ImageDraw.ImageDraw) -> None:
    for y, row in enumerate(MARK):
        for x, shade in enumerate(row):
            corner = (MARGIN + 16 * x, 52 + 16 * y)
            box = (*corner, corner[0] + 13, corner[1] + 13)
            brush.rounded_rectangle(box, 3, fill=SCALE[shade])
    brush.text((MARGIN + 64, 76), "Heed", INK, _font("Serif", 38), anchor="lm")


def _texts(brush: ImageDraw.ImageDraw, trace: TraceOut, model_name: str) -> None:
    texts = [trace.source.text] if isinstance(trace.source, TokenAxisOut) else []
    texts += [trace.request.text] if not texts and trace.request.text else []
    size = 36 if sum(map(len, [*texts, trace.text])) <= LONG else 28
    lines = round(360 / (1.36 * size))
    y = 150
    for text in texts:
        y = _paragraph(brush, text, (MARGIN, y), LEFT, size, INK, lines // 2) + 20
    _paragraph(brush, trace.text or "(nothing)", (MARGIN, y), LEFT, size, ACCENT, (lines + 1) // 2)
    place = (MARGIN, SIZE[1] - MARGIN)
    brush.text(place, _drawable(model_name), SOFT, _font("Sans", 22), anchor="ls")


def _paragraph(
    brush: ImageDraw.ImageDraw,
    text: str,
    place: tuple[int, int],
    width: int,
    size: int,
    fill: str,
    most: int,
) -> int:
    """Draw a text in at most so many lines; return the place below it."""
    font = _font("Serif", size)
    lines = [""]
    for word in _drawable(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or font.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    y = place[1]
    for line in lines:
        brush.text((place[0], y), _fitting(line, font, width), fill, font)
        y += round(size * 1.36)
    return y


def _fitting(line: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def _shade(position: float) -> Colour:
    """Return the colour at a place of the scale, between 0 and 1."""
    place = min(max(position, 0.0), 1.0) * (len(SCALE) - 1)
    below = min(int(place), len(SCALE) - 2)
    start, end = (_rgb(colour) for colour in SCALE[below : below + 2])
    share = place - below
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def _rgb(colour: str) -> Colour:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _map(image: Image.Image, table: Table, room: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = room
    named = max(len(table.rows), len(table.columns)) <= MOST_NAMED
    size = 22 if max(len(table.rows), len(table.columns)) <= MOST_NAMED / 2 else 17
    font = _font("Sans", size)
    if named:
        left += min(130, 12 + round(max(font.getlength(_drawable(name)) for name, _ in table.rows)))
    head = min(110, round(max(map(font.getlength, table.columns)) * 0.8)) if named else 0
    width = (right - left - 0.6 * head) / len(table.columns)
    height = (bottom - top - head) / len(table.rows)
    width, height = min(width, 2 * height, 72), min(height, 2 * width, 56)
    top += head
    brush = ImageDraw.Draw(image)
    for y, (name, cells) in enumerate(table.rows):
        for x, weight in enumerate(map(float, cells)):
            box = [left + x * width, top + y * height]
            gap = 1 if min(width, height) > 6 else 0
            box += [box[0] + width - gap, box[1] + height - gap]
            brush.rectangle(box, fill=_shade(weight / (table.largest or 1)))
        if named:
            place = (left - 10, top + (y + 0.5) * height)
            brush.text(place, _fitting(_drawable(name), font, 120), INK, font, anchor="rm")
    frame = (left - 1, top - 1, left + len(table.columns) * width, top + len(table.rows) * height)
    brush.rectangle(frame, outline=GRID)
    for x, name in enumerate(table.columns if named else ()):
        _turned(image, name, font, (left + (x + 0.5) * width, top - 6))


def _turned(
    image: Image.Image, name: str, font: ImageFont.FreeTypeFont, place: tuple[float, float]
) -> None:
    """Draw the heading of a column, slanted, so that it begins above its cells."""
    text = _fitting(_drawable(name), font, 120)
    size = (round(font.getlength(text)) + 4, round(font.size * 1.4))
    label = Image.new("L", size, 0)
    ImageDraw.Draw(label).text((0, size[1] / 2), text, 255, font, anchor="lm")
    turned = label.rotate(HEADING_TURN, Image.Resampling.BICUBIC, expand=True)
    corner = (round(place[0] - font.size * 0.5), round(place[1] - turned.height + font.size * 0.2))
    image.paste(_rgb(SOFT), corner, turned)


def _photo(image: Image.Image, trace: TraceOut, room: tuple[int, int, int, int]) -> None:
    """Draw the photo, lit for the word with the sharpest attention, as on the page."""
    assert trace.picture is not None  # noqa: S101 - a trace with a grid has its picture
    assert isinstance(trace.source, GridAxisOut)  # noqa: S101
    left, top, right, bottom = room
    encoded = trace.picture.preview.partition(",")[2]
    photo = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB")
    photo.thumbnail((right - left, bottom - top + 40), Image.Resampling.LANCZOS)
    if maps := [one for one in trace.maps if one.kind == "cross" and one.key == "source"]:
        last = max(one.layer for one in maps)
        weights = np.mean([one.weights for one in maps if one.layer == last], axis=0)
        gates = [1.0 if step.gate is None else step.gate for step in trace.steps]
        spoken = [not token.special for token in trace.target.tokens]
        entropy = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1)
        row = int(((np.log2(weights.shape[1]) - entropy) * gates * spoken).argmax())
        photo = _lit(photo, trace, np.asarray(weights[row], np.float64))
    image.paste(photo, (right - photo.width, (top + bottom - photo.height) // 2))


def _lit(photo: Image.Image, trace: TraceOut, weights: Matrix) -> Image.Image:
    grid, picture = trace.source, trace.picture
    assert isinstance(grid, GridAxisOut)  # noqa: S101
    assert picture is not None  # noqa: S101
    cells = weights.reshape(grid.rows, grid.columns) / (weights.max() or 1)
    share = photo.width / picture.width, photo.height / picture.height
    size = (max(1, round(grid.width * share[0])), max(1, round(grid.height * share[1])))
    light = Image.fromarray((cells * 255).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
    mask = Image.new("L", photo.size, 0)
    mask.paste(light, (round(grid.left * share[0]), round(grid.top * share[1])))
    return Image.composite(photo, photo.point(lambda value: value * DIM), mask)


def _vector(brush: ImageDraw.ImageDraw, trace: TraceOut, room: tuple[int, int, int, int]) -> None:
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
    brush.text((left, top + 20), label, SOFT, _font("Sans", 22))
