"""A map of a trace as SVG, as the page draws it: cells under headings, and a colour bar.

The drawing needs no font of its own and no identifiers, so that several can stand on one page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from heed.models.errors import RecordingError
from heed.models.trace import AttentionMap, Axis, Floats, TokenAxis, Trace
from heed.output.colours import shade

FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
INK, SOFT, EDGE, PAPER = "#1d1c1a", "#5d5a54", "#e4e1da", "#ffffff"
MARGIN, GAP, SIZE = 22, 8, 12
ROOM = 598
"""Width of cells and headings, of a page of A4 within its margins."""
CELL = (10.0, 26.0)
LONGEST = 110
"""Width of the longest heading, in pixels."""
LETTER = 0.56
"""Width of a letter, as a share of its size: wide enough for most texts in the fonts above."""
TURN = 52
NAMES = {"cross": "cross-attention", "decoder-self": "masked self-attention"}
MARKS = {"</s>": "⟨end⟩", "<s>": "⟨start⟩"}
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class Heading(NamedTuple):
    """A row or a column."""

    text: str
    mark: bool


def map_svg(trace: Trace, drawn: AttentionMap) -> str:
    """Return one map of a trace as SVG, with a heading for each row and column."""
    target = trace.output.target
    axes: dict[str, Axis] = {"source": trace.source}
    if isinstance(target, TokenAxis):
        axes |= {"target": target, "decoder_input": target}
    if drawn.query not in axes or drawn.key not in axes:
        raise RecordingError("This map has no tokens on its axes: save the trace as .npz or .html.")
    rows, columns = _headings(axes[drawn.query]), _headings(axes[drawn.key])
    if drawn.key == "decoder_input":
        columns = [Heading(MARKS["<s>"], True), *columns[:-1]]
    return _sheet(f"{trace.model.id} · {described(drawn)}", rows, columns, drawn.weights)


def table_svg(
    about: str, rows: Sequence[str], columns: Sequence[str], weights: Floats, marks: Sequence[str]
) -> str:
    """Return a table of weights as SVG, with a heading for each row and column."""
    named_rows, named_columns = (
        [Heading(text, text in marks) for text in texts] for texts in (rows, columns)
    )
    return _sheet(about, named_rows, named_columns, weights)


def described(drawn: AttentionMap) -> str:
    """Return the kind of a map, its layer and its head."""
    kind = NAMES.get(drawn.kind, "self-attention")
    return f"{kind}, layer {drawn.layer + 1}, head {drawn.head + 1}"


def _headings(axis: Axis) -> list[Heading]:
    if not isinstance(axis, TokenAxis):
        return []
    return [
        Heading(MARKS.get(token.text, token.text.strip("<>")), True)
        if token.special
        else Heading(axis.text[token.start : token.end].strip() or "␣", False)
        for token in axis.tokens
    ]


def _sheet(about: str, rows: Sequence[Heading], columns: Sequence[Heading], weights: Floats) -> str:
    """Draw the sheet: the name of the map, its headings and cells, and the colour bar."""
    left = _widest(rows) + GAP
    high = min(24.0, max(CELL[0], 720 / max(len(rows), 1)))
    wide = min(CELL[1], max(CELL[0], (ROOM - left - LONGEST) / max(len(columns), 1)))
    size = min(SIZE, 0.85 * wide)
    up = float(np.sin(np.radians(TURN))) * _widest(columns) + 16
    top = up + 24
    reversed_ = bool(RIGHT_TO_LEFT.search("".join(column.text for column in columns)))
    places = [
        left + wide * (len(columns) - 1 - place if reversed_ else place)
        for place in range(len(columns))
    ]
    largest = float(weights.max(initial=0.0)) or 1.0
    marks = [_text(about, 0, 10, 10.5, SOFT)]
    for heading, x in zip(columns, places, strict=True):
        marks.append(_text(_short(heading.text), x + 0.6 * wide, top - 5, size, heading, TURN))
    for place, heading in enumerate(rows):
        y = top + (place + 0.5) * high + 0.35 * min(SIZE, 0.72 * high)
        marks.append(
            _text(_short(heading.text), left - GAP, y, min(SIZE, 0.72 * high), heading, end=True)
        )
    for (row, column), weight in np.ndenumerate(weights):
        fill = _colour(float(weight) / largest)
        if fill != PAPER:
            marks.append(_rectangle(places[column], top + row * high, wide, high, fill))
    inner, bottom = wide * len(columns), top + high * len(rows)
    marks.append(
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{inner:.2f}" height="{high * len(rows):.2f}"'
        f' fill="none" stroke="{EDGE}"/>'
    )
    marks += _bar(bottom + 12, largest)
    width = max(left + inner + 0.62 * _widest(columns), ROOM / 2) + 2 * MARGIN
    height = bottom + 34 + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family={quoteattr(FONT)} '
        f'fill="{INK}"><title>{escaped(about)}</title>'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        f'<g transform="translate({MARGIN} {MARGIN})">{"".join(marks)}</g></svg>\n'
    )


def _bar(top: float, largest: float) -> list[str]:
    """Draw the colour bar, with the weight of its strongest colour."""
    slices = [
        _rectangle(
            30 + 2.5 * place, top, 3.0 if place < 43 else 2.5, 9, _colour((place + 0.5) / 44)
        )
        for place in range(44)
    ]
    return [
        _text("α 0", 0, top + 8.5, 10.5, SOFT),
        *slices,
        _text(f"{largest:.2f}", 146, top + 8.5, 10.5, SOFT),
    ]


def _text(
    text: str,
    x: float,
    y: float,
    size: float,
    look: Heading | str,
    turn: float = 0,
    *,
    end: bool = False,
) -> str:
    """Write a line; one from right to left is anchored at the other side."""
    backwards = bool(RIGHT_TO_LEFT.search(text))
    attributes = (
        f' transform="translate({x:.2f} {y:.2f}) rotate(-{turn})"'
        if turn
        else f' x="{x:.2f}" y="{y:.2f}"'
    )
    if end != backwards:
        attributes += ' text-anchor="end"'
    if backwards:
        attributes += ' direction="rtl"'
    if isinstance(look, str):
        attributes += f' fill="{look}"'
    elif look.mark:
        attributes += f' fill="{SOFT}" font-style="italic"'
    return f'<text font-size="{size:.2f}"{attributes}>{escaped(text)}</text>'


def _rectangle(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}"/>'
    )


def _colour(position: float) -> str:
    """Return the colour of the page's scale; a weight of 0 is as white as the paper."""
    if position < 1 / 256:
        return PAPER
    return "#" + "".join(f"{channel:02x}" for channel in shade(position))


def _short(text: str) -> str:
    most = int(LONGEST / (LETTER * SIZE))
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _widest(headings: Sequence[Heading]) -> float:
    return max((LETTER * SIZE * len(_short(heading.text)) for heading in headings), default=0.0)


def escaped(text: str) -> str:
    """Return a text within markup."""
    return escape(FORBIDDEN.sub("\ufffd", text))
