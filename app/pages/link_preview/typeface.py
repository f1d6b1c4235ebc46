"""Type and colours of the preview pictures."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageDraw, ImageFont

Room = tuple[int, int, int, int]
"""Left, top, right and bottom."""

FONTS = Path(__file__).parent / "fonts"
PAPER, INK, SOFT, ACCENT, GRID = "#fbfaf7", "#1d1c1a", "#5d5a54", "#0e5a76", "#efece5"
MOST_CHARACTERS = 800
"""Of a text; there is no room for more."""
MOST_OF_NAME = 120
"""Characters of a heading."""
UNKNOWN = "•"
WITHOUT_GLYPH = ("Cf", "Me", "Mn")
"""Categories of the characters that are left out where the fonts lack them."""
REPLACED = {"→": "–", "⟨": "‹", "⟩": "›", "␣": "_"}
"""Signs that the fonts lack."""


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Return Noto `Sans` or `Serif` in a size."""
    return ImageFont.truetype(FONTS / f"Noto{name}.ttf", size)


@lru_cache(4096)
def _known(character: str) -> str:
    """Return the character, or what stands for it where the fonts lack it."""
    if character == " " or character in REPLACED:
        return REPLACED.get(character, character)
    category = unicodedata.category(character)
    if category == "Cf":  # it would change the direction of the text, or how letters join
        return ""
    if character.isprintable() and bytes(font("Sans", 24).getmask(character)) != _missing():
        return character
    return "" if category in WITHOUT_GLYPH else UNKNOWN


@cache
def _missing() -> bytes:
    """Return the picture of a character that the fonts lack."""
    return bytes(font("Sans", 24).getmask("\uffff"))


def drawable(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return the beginning of a text on one line, without characters that the fonts lack."""
    flat = " ".join(text[: 4 * most].split())  # of white space there may be more than is drawn
    return "".join(map(_known, flat[:most]))


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
        if len(lines) > most:
            break
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
    lengths = range(1, len(line) + 1)
    kept = bisect_left(lengths, True, key=lambda n: face.getlength(f"{line[:n]}…") > width)
    return f"{line[:kept].rstrip()}…"
