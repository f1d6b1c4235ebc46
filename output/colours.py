"""The colour scale of weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]
SCALE = ("#fbfaf7", "#d9e9e8", "#a6d0d3", "#66adbb", "#2f86a0", "#145f7d", "#0a3450")
"""The colour scale of the page (static/js/core/colours.js)."""


def shades(positions: float | npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Return the colours at places of the scale, between 0 and 1; the last axis is the channels."""
    scale = np.array([rgb(colour) for colour in SCALE], float)
    places = np.linspace(0, 1, len(SCALE))
    channels = [np.interp(positions, places, channel) for channel in scale.T]
    return np.stack(channels, axis=-1).round().astype(np.uint8)


def shade(position: float) -> Colour:
    """Return the colour at a place of the scale, between 0 and 1."""
    red, green, blue = map(int, shades(position))
    return red, green, blue


def rgb(colour: str) -> Colour:
    """Return the channels of `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue
