"""A plot as SVG: lines over lengths, both axes logarithmic, a name at the end of each line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 470, 360  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 60, 170, 34, 44
APART = 14  # lines of names, at least
# Okabe and Ito (2008), which the colour-blind tell apart
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05000")
STYLE = "font:12px system-ui,sans-serif;fill:#333"

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One of the plots beside each other."""

    title: str
    lines: Mapping[str, Points]


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels, by the logarithm."""

    least: float
    most: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """Return the position of a value in pixels."""
        share = math.log(value / self.least) / math.log(self.most / self.least)
        return self.first + share * (self.last - self.first)


def plot(panels: Sequence[Panel], across: str, up: str) -> str:
    """The panels side by side, on the same scales."""
    points = [point for panel in panels for line in panel.lines.values() for point in line]
    if not points:
        raise ValueError("there is nothing to plot")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x = Scale(min(xs) / 1.1, max(xs) * 1.1, LEFT, WIDTH - RIGHT)
    y = Scale(min(ys) / 1.2, max(ys) * 1.2, HEIGHT - BOTTOM, TOP)
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines))
    colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}
    drawn = [
        f'<g transform="translate({place * WIDTH})">{_panel(panel, x, y, colours, across, up)}</g>'
        for place, panel in enumerate(panels)
    ]
    size = f"0 0 {WIDTH * len(panels)} {HEIGHT}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img" style="{STYLE}">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def _panel(
    panel: Panel, x: Scale, y: Scale, colours: Mapping[str, str], across: str, up: str
) -> str:
    parts = [
        _text(LEFT, TOP - 16, panel.title, "font-weight:600"),
        _text((x.first + x.last) / 2, HEIGHT - 8, across, "text-anchor:middle"),
        f'<g transform="translate(14,{(y.first + y.last) / 2}) rotate(-90)">'
        f"{_text(0, 0, up, 'text-anchor:middle')}</g>",
    ]
    lengths = sorted({value for line in panel.lines.values() for value, _ in line})
    parts += [_text(x(at), y.first + 18, f"{at:g}", "text-anchor:middle") for at in lengths]
    for value in _ticks(y.least, y.most):
        place = y(value)
        parts.append(f'<path d="M{x.first} {place:.1f}H{x.last}" stroke="#ddd"/>')
        parts.append(_text(x.first - 6, place + 4, f"{value:,g}", "text-anchor:end"))
    labels = _spread({name: y(line[-1][1]) for name, line in panel.lines.items()})
    for name, line in panel.lines.items():
        path = "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in line)
        colour = colours[name]
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(_text(x.last + 8, labels[name] + 4, name, f"fill:{colour}"))
    return "".join(parts)


def _ticks(least: float, most: float) -> list[float]:
    decades = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    values = [step * 10.0**decade for decade in decades for step in (1, 2, 5)]
    return [value for value in values if least <= value <= most]


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """The places of names, moved down as far as they need so that none covers another."""
    places: dict[str, float] = {}
    last = -math.inf
    for name, place in sorted(wanted.items(), key=lambda pair: pair[1]):
        last = places[name] = max(place, last + APART)
    return places


def _text(x: float, y: float, text: str, style: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}">{escape(text)}</text>'
