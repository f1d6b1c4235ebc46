"""Type and colours of the preview pictures."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageDraw, ImageFont

Colour = tuple[int, int, int]
Room = tuple[int, int, int, int]
"""Left, top, right and bottom."""

FONTS = Path(__file__).parent / "fonts"
PAPER, INK, SOFT, ACCENT, GRID = "#fbfaf7", "#1d1c1a", "#5d5a54", "#0e5a76", "#efece5"
SCALE = ("#fbfaf7", "#d9e9e8", "#a6d0d3", "#66adbb", "#2f86a0", "#145f7d", "#0a3450")
"""The colour scale of the page (static/js/core/colours.js)."""
REPLACED = {"→": "–", "⟨": "‹", "⟩": "›", "␣": "_"}
"""Signs that the fonts lack."""


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return Noto `Sans` or `Serif` in a size."""
    return ImageFont.truetype(FONTS / f"Noto{name}.ttf", size)


@lru_cache(4096)
def _known(character: str) -> str:
    """Return the character, or one that stands for it where the fonts lack it."""
    face = font("Sans", 24)
    missing = bytes(face.getmask(character)) == bytes(face.getmask("\uffff"))
    return REPLACED.get(character, "•" if missing and character.isprintable() else character)


def drawable(text: str) -> str:
    """Return the text on one line, without characters that the fonts lack."""
    return "".join(" " if each == " " else _known(each) for each in " ".join(text.split()))


def paragraph(
    brush: ImageDraw.ImageDraw,
    text: str,
    place: tuple[int, int],
    width: int,
    size: int,
    fill: str,
    most: int,
) -> int:
    """Draw a text in at most so many lines; return the place below it."""
    face = font("Serif", size)
    lines = [""]
    for word in drawable(text).split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or face.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    y = place[1]
    for line in lines:
        brush.text((place[0], y), fitting(line, face, width), fill, face)
        y += round(size * 1.36)
    return y


def fitting(line: str, face: ImageFont.FreeTypeFont, width: float) -> str:
    """Return the line, cut off with an ellipsis if it is too long."""
    if face.getlength(line) <= width:
        return line
    while line and face.getlength(f"{line}…") > width:
        line = line[:-1]
    return f"{line.rstrip()}…"


def shade(position: float) -> Colour:
    """Return the colour at a place of the scale, between 0 and 1."""
    place = min(max(position, 0.0), 1.0) * (len(SCALE) - 1)
    below = min(int(place), len(SCALE) - 2)
    start, end = (rgb(colour) for colour in SCALE[below : below + 2])
    share = place - below
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
    return red, green, blue


def rgb(colour: str) -> Colour:
    """Return the channels of `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
