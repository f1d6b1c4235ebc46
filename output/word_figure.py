"""The figure of Xu et al. (2015): the photo once per word, bright where the attention was.

The panels are in reading order, the photo itself first. A map is the mean over all heads and over
the tokens of a word, and is scaled up smoothly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from heed.models.card import SEE
from heed.models.trace import AttentionMap, Floats, GridAxis, Trace, Word
from heed.output.photo import Light, lit

PANEL_SIDE = 240  # pixels of the longer side of a photo
GAP, CAPTION_HEIGHT, FONT_SIZE = 12, 30, 18
MAX_COLUMNS = 6
LIGHT = Light(least=0.25)
BACKGROUND, TEXT_COLOUR = (255, 255, 255), (20, 20, 20)
# System fonts for characters that Pillow's own font lacks.
FONTS = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "arial.ttf", "Arial.ttf"),
    *("NotoSansCJK-Regular.ttc", "msgothic.ttc", "NotoSansArabic-Regular.ttf", "FreeSans.ttf"),
    *("NotoSansDevanagari-Regular.ttf", "NotoSansHebrew-Regular.ttf", "NotoSansThai-Regular.ttf"),
)
UNASSIGNED = "\U0010ffff"  # a character that no font has

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def figure(trace: Trace) -> Image.Image:
    """Draw the figure of a trace whose source is a picture."""
    if trace.picture is None or not isinstance(trace.source, GridAxis):
        raise ValueError("only a trace of a picture has this figure")
    with Image.open(BytesIO(trace.picture.preview), formats=["JPEG"]) as preview:
        photo = _panel(preview.convert("RGB"))
    size = trace.picture.width, trace.picture.height
    axis = trace.source
    box = axis.left, axis.top, axis.width, axis.height
    panels = [("", photo)]
    for word, weights in word_maps(trace):
        cells = weights.reshape(trace.source.rows, trace.source.columns)
        panels.append((word.text, lit(photo, cells, box, size, LIGHT)))
    columns = min(len(panels), max(math.ceil(math.sqrt(len(panels))), 1), MAX_COLUMNS)
    rows = math.ceil(len(panels) / columns)
    width, height = photo.width + GAP, photo.height + CAPTION_HEIGHT + GAP
    sheet = Image.new("RGB", (columns * width + GAP, rows * height + GAP), BACKGROUND)
    draw = ImageDraw.Draw(sheet)
    for place, (written, panel) in enumerate(panels):
        left, top = GAP + place % columns * width, GAP + place // columns * height
        sheet.paste(panel, (left, top))
        _write(draw, written, (left + photo.width / 2, top + photo.height + 4), photo.width)
    return sheet


def word_maps(
    trace: Trace, maps: Sequence[AttentionMap] | None = None
) -> list[tuple[Word, Floats]]:
    """Return each word of the output with its weights over the cells, a mean of these maps."""
    given = trace.output.maps if maps is None else maps
    cross = [
        attention.weights
        for attention in given
        if attention.kind in ("cross", "rollout") and attention.key == "source"
    ]
    heads = [attention.weights[:1] for attention in given if attention.kind == "encoder-self"]
    if trace.task == SEE and len(heads) == 1:  # in its first row the class token
        cross = heads
    weights: NDArray[np.float32] = np.mean(cross, axis=0, dtype=np.float32)
    if isinstance(trace.source, GridAxis):
        weights = weights[:, len(trace.source.marks) :]
    target = trace.output.tokens
    shown = []
    for index, word in enumerate(target.words):
        rows = [row for row, token in enumerate(target.tokens) if token.word == index]
        if rows and not word.special:
            shown.append((word, weights[rows].mean(axis=0)))
    return shown


def _panel(photo: Image.Image) -> Image.Image:
    """Scale the photo to the size of a panel; at least one pixel on each side."""
    scale = PANEL_SIDE / max(photo.size)
    width, height = (max(round(side * scale), 1) for side in photo.size)
    return photo.resize((width, height), Image.Resampling.BICUBIC)


# --- words ------------------------------------------------------------------------------------


def _write(draw: ImageDraw.ImageDraw, word: str, middle: tuple[float, float], room: int) -> None:
    """Write a word below its panel, shortened if it is wider."""
    font = _font_for(word)
    room = max(room, PANEL_SIDE // 3)
    shown = word
    while shown and draw.textlength(shown, font=font) > room:
        shown = shown[:-2] + "…" if shown.endswith("…") else shown[:-1] + "…"
    draw.text(
        (middle[0] - draw.textlength(shown, font=font) / 2, middle[1]), shown, TEXT_COLOUR, font
    )


def _font_for(word: str) -> Font:
    """Return the first font that has all characters of the word, else the one with most of them."""
    fonts = [_default_font(), *(font for name in FONTS if (font := _system_font(name)))]
    return min(fonts, key=lambda font: sum(not _has_glyph(font, letter) for letter in set(word)))


def _has_glyph(font: Font, letter: str) -> bool:
    if letter.isspace():
        return True
    drawn, missing = (bytes(font.getmask(sign)) for sign in (letter, UNASSIGNED))
    return drawn != missing


@cache
def _default_font() -> Font:
    return ImageFont.load_default(FONT_SIZE)


@cache
def _system_font(name: str) -> Font | None:
    try:
        return ImageFont.truetype(name, FONT_SIZE)
    except OSError:
        return None
