"""Maps over a picture as SVG: the photo once per word, under the colours of the page.

As in static/js/draw/paper/photo_sheet.js. The photo is stored once, under an identifier of its own,
so that several drawings can stand on one page.
"""

from __future__ import annotations

import base64
import hashlib
import io
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from heed.models.errors import RecordingError
from heed.models.trace import AttentionMap, Floats, GridAxis, PictureInfo, Trace
from heed.output.map_figure import (
    FONT,
    INK,
    LETTER,
    MARGIN,
    PAPER,
    RIGHT_TO_LEFT,
    SOFT,
    described,
    escaped,
)
from heed.output.photo import heat
from heed.output.word_figure import word_maps

ALONE: Final = (460.0, 520.0)
"""Width and height of a single photo, at most."""
SHEET: Final = 598.0
"""Width of a sheet of photos, of a page of A4 within its margins."""
MOST_COLUMNS = 4
NAME, TEXT = 12, 16
GAP = 10.0
ASPECTS: Final = (0.3, 4.0)
"""Width over height; longer or wider pictures are distorted, as on the page."""


class Panel(NamedTuple):
    """A photo with the weights of its cells, and the name below it."""

    name: str
    weights: Floats


def photo_svg(trace: Trace, drawn: AttentionMap | None, row: int | None) -> str:
    """Return the maps of a picture as SVG.

    Without a map, a mean over all heads. Without a row, a photo for each word; of patches that
    attend to each other, that of the first token.
    """
    if trace.picture is None or not isinstance(trace.source, GridAxis):
        raise RecordingError("This trace has no picture to draw its maps over.")
    about = trace.model.id
    if drawn is not None:
        about += f" · {described(drawn)}"
    elif any(attention.kind == "rollout" for attention in trace.output.maps):
        about += " · rollout of all layers"
    if drawn is not None and drawn.query == "source":
        panels = _patches(trace.source, drawn.weights)
        row = row or 0
    else:
        panels = [
            Panel(word.text, weights)
            for word, weights in word_maps(trace, None if drawn is None else [drawn])
        ]
    if not panels:
        raise RecordingError("Nothing was written: save the trace as .npz or .json.")
    if row is not None:
        if not 0 <= row < len(panels):
            raise RecordingError(f"There is no row {row}: the map has {len(panels)}, from 0 on.")
        panels = [panels[row]]
    return _sheet(about, trace.text, panels, trace.source, trace.picture)


def _patches(axis: GridAxis, weights: Floats) -> list[Panel]:
    """Return a panel for each token of a picture, without the weights of its marks."""
    cells = range(axis.rows * axis.columns)
    names = [
        *axis.marks,
        *(f"patch {place // axis.columns + 1}.{place % axis.columns + 1}" for place in cells),
    ]
    return [Panel(name, own[len(axis.marks) :]) for name, own in zip(names, weights, strict=True)]


def _sheet(
    about: str, text: str, panels: Sequence[Panel], axis: GridAxis, picture: PictureInfo
) -> str:
    aspect = min(max(picture.width / picture.height, ASPECTS[0]), ASPECTS[1])
    columns = min(len(panels), MOST_COLUMNS)
    room = min(ALONE[0], ALONE[1] * aspect) if columns == 1 else SHEET
    wide = (room - GAP * (columns - 1)) / columns
    high = wide / aspect
    room = max(room, 300)
    marks = [_line(about, 0, 10, 10.5, SOFT)]
    top = 20.0
    for line in _lines(text, room):
        marks.append(_line(line, 0, top + TEXT, TEXT, INK))
        top += 1.3 * TEXT
    top += GAP
    identity = f"photo-{hashlib.sha256(picture.preview).hexdigest()[:12]}"
    for place, panel in enumerate(panels):
        x = place % columns * (wide + GAP)
        y = top + place // columns * (high + 2 * GAP + NAME)
        marks.append(
            f'<g transform="translate({x:.2f} {y:.2f})">'
            f'<use href="#{identity}" transform="scale({wide:.3f} {high:.3f})"/>'
            f"{_heat(panel.weights, axis, picture, wide, high)}"
            f"{_line(_short(panel.name, wide), 0, high + 15, NAME, INK)}</g>"
        )
    rows = math.ceil(len(panels) / columns)
    width = room + 2 * MARGIN
    height = top + rows * (high + 2 * GAP + NAME) + 2 * MARGIN
    title = escaped(f"{about}: {text}")
    photo = base64.b64encode(picture.preview).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="{FONT}" '
        f'fill="{INK}"><title>{title}</title><defs><image id="{identity}" width="1" height="1" '
        f'preserveAspectRatio="none" href="data:image/jpeg;base64,{photo}"/></defs>'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        f'<g transform="translate({MARGIN} {MARGIN})">{"".join(marks)}</g></svg>\n'
    )


def _heat(weights: Floats, axis: GridAxis, picture: PictureInfo, wide: float, high: float) -> str:
    """Draw the heat over the part of the picture that the cells cover."""
    across, down = wide / picture.width, high / picture.height
    content = io.BytesIO()
    heat(weights.reshape(axis.rows, axis.columns)).save(content, "PNG")
    return (
        f'<image x="{axis.left * across:.2f}" y="{axis.top * down:.2f}" '
        f'width="{axis.width * across:.2f}" height="{axis.height * down:.2f}" '
        'preserveAspectRatio="none" href="data:image/png;base64,'
        f'{base64.b64encode(content.getvalue()).decode()}"/>'
    )


def _lines(text: str, room: float) -> list[str]:
    """Break a text into lines that fit."""
    most = int(room / (LETTER * TEXT))
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _short(name: str, room: float) -> str:
    most = max(int(room / (LETTER * NAME)), 2)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _line(text: str, x: float, y: float, size: float, fill: str) -> str:
    """Write a line from the left; one from right to left ends there."""
    backwards = ' text-anchor="end" direction="rtl"' if RIGHT_TO_LEFT.search(text) else ""
    return (
        f'<text font-size="{size:.2f}" x="{x:.2f}" y="{y:.2f}" fill="{fill}"{backwards}>'
        f"{escaped(text)}</text>"
    )
