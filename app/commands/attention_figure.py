"""The figure of Xu et al. (2015): the photo once for every word, lit where the model looked for it.

The panels stand in reading order, the photo itself first. Maps are laid over smoothly, the mean of
all heads, those of the pieces of a word averaged.
"""

from __future__ import annotations

import math
from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from heed.models.trace import Floats, GridAxis, Trace, Word

PANEL_SIDE = 240  # the longer one of each photo
GAP, WORD_ROOM, WORD_SIZE = 12, 30, 18
MOST_COLUMNS = 6
DARK = 0.25  # of the light that is left where nobody looked
PAPER, INK = (255, 255, 255), (20, 20, 20)
# Letters that Pillow's own font has not are looked for in fonts of the system.
FONTS = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "arial.ttf", "Arial.ttf"),
    *("NotoSansCJK-Regular.ttc", "msgothic.ttc", "NotoSansArabic-Regular.ttf", "FreeSans.ttf"),
    *("NotoSansDevanagari-Regular.ttf", "NotoSansHebrew-Regular.ttf", "NotoSansThai-Regular.ttf"),
)
NOWHERE = "\U0010ffff"  # a character that no font has

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def figure(trace: Trace) -> Image.Image:
    """The figure of a trace whose source is a picture."""
    if trace.picture is None or not isinstance(trace.source, GridAxis):
        raise ValueError("only a trace of a picture has a figure of this kind")
    with Image.open(BytesIO(trace.picture.preview), formats=["JPEG"]) as preview:
        photo = _fitted(preview.convert("RGB"))
    panels = [("", photo)]
    for word, weights in _maps(trace):
        light = Image.fromarray(weights.reshape(trace.source.rows, trace.source.columns))
        panels.append((word.text, lit(photo, light)))
    columns = min(len(panels), max(math.ceil(math.sqrt(len(panels))), 1), MOST_COLUMNS)
    rows = math.ceil(len(panels) / columns)
    width, height = photo.width + GAP, photo.height + WORD_ROOM + GAP
    sheet = Image.new("RGB", (columns * width + GAP, rows * height + GAP), PAPER)
    draw = ImageDraw.Draw(sheet)
    for place, (written, panel) in enumerate(panels):
        left, top = GAP + place % columns * width, GAP + place // columns * height
        sheet.paste(panel, (left, top))
        _write(draw, written, (left + photo.width / 2, top + photo.height + 4), photo.width)
    return sheet


def lit(photo: Image.Image, weights: Image.Image) -> Image.Image:
    """The photo, dark but where the weights are; the largest of them leaves it as it is."""
    smooth = np.asarray(weights.resize(photo.size, Image.Resampling.BICUBIC))
    level = np.clip(smooth / max(float(smooth.max()), 1e-9), 0, 1)[..., None]
    shown = np.asarray(photo, dtype=np.float32) * (DARK + (1 - DARK) * level)
    return Image.fromarray(shown.round().astype(np.uint8))


def _maps(trace: Trace) -> list[tuple[Word, Floats]]:
    """Each written word with its weights over the cells."""
    cross = [
        one.weights for one in trace.output.maps if one.kind == "cross" and one.key == "source"
    ]
    weights: NDArray[np.float32] = np.mean(cross, axis=0, dtype=np.float32)
    target = trace.output.target
    found = []
    for index, word in enumerate(target.words):
        rows = [row for row, token in enumerate(target.tokens) if token.word == index]
        if rows and not word.special:
            found.append((word, weights[rows].mean(axis=0)))
    return found


def _fitted(photo: Image.Image) -> Image.Image:
    """The photo as large as a panel, smaller ones enlarged; never less than a pixel."""
    scale = PANEL_SIDE / max(photo.size)
    width, height = (max(round(side * scale), 1) for side in photo.size)
    return photo.resize((width, height), Image.Resampling.BICUBIC)


# --- words ------------------------------------------------------------------------------------


def _write(draw: ImageDraw.ImageDraw, word: str, middle: tuple[float, float], room: int) -> None:
    """The word below its panel, cut where it is wider."""
    font = _font_for(word)
    room = max(room, PANEL_SIDE // 3)
    shown = word
    while shown and draw.textlength(shown, font=font) > room:
        shown = shown[:-2] + "…" if shown.endswith("…") else shown[:-1] + "…"
    draw.text((middle[0] - draw.textlength(shown, font=font) / 2, middle[1]), shown, INK, font)


def _font_for(word: str) -> Font:
    """The first font that has all letters of the word, else the one with most of them."""
    fonts = [_own(), *(font for name in FONTS if (font := _of_the_system(name)))]
    return min(fonts, key=lambda font: sum(not _has(font, letter) for letter in set(word)))


def _has(font: Font, letter: str) -> bool:
    if letter.isspace():
        return True
    drawn, missing = (bytes(font.getmask(sign)) for sign in (letter, NOWHERE))
    return drawn != missing


@cache
def _own() -> Font:
    return ImageFont.load_default(WORD_SIZE)


@cache
def _of_the_system(name: str) -> Font | None:
    try:
        return ImageFont.truetype(name, WORD_SIZE)
    except OSError:
        return None
