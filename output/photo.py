"""Weights of the cells of a picture, drawn over it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from heed.models.trace import Floats

FINE: Final = 6
"""Points of the heat for each cell, in each direction."""
SMOOTHING: Final = 0.45 * 1.5
"""Standard deviation of the smoothing, in cells: the default of the page."""
OPACITY: Final = 0.8
HEAT: Final = np.array(
    [
        [0, 58, 12, 94, 0],
        [0.12, 72, 14, 104, 0.18],
        [0.35, 170, 42, 92, 0.62],
        [0.6, 233, 98, 46, 0.78],
        [0.82, 251, 173, 40, 0.86],
        [1, 255, 240, 128, 0.95],
    ]
)
"""Places of the scale, with red, green, blue and opacity (static/js/core/photo_colours.js)."""

Box = tuple[float, float, float, float]
"""Left, top, width and height of the part of a picture that the cells cover."""


class Light(NamedTuple):
    """Darkness over a photo: its brightness without weight, and the exponent of the light."""

    least: float
    gamma: float = 1.0


def heat(weights: Floats) -> Image.Image:
    """Return the weights (rows, columns) as the page draws them over a photo, as a layer."""
    smooth = _spread(weights.shape[0]) @ weights @ _spread(weights.shape[1]).T
    return _layer(smooth, HEAT, OPACITY)


def lit(
    photo: Image.Image, weights: ArrayLike, box: Box, picture: tuple[float, float], light: Light
) -> Image.Image:
    """Return a photo that is dark where the weights (rows, columns) are small.

    `picture` is the width and height in which the box is measured.
    """
    across, down = photo.width / picture[0], photo.height / picture[1]
    left, top, width, height = box
    size = max(1, round(width * across)), max(1, round(height * down))
    raw = Image.fromarray(np.asarray(weights, np.float32))
    smooth = np.asarray(raw.resize(size, Image.Resampling.BICUBIC))
    levels = np.linspace(0, 1, 256)
    opacity = (1 - light.least) * (1 - levels**light.gamma)
    scale = np.stack([levels, *np.zeros((3, 256)), opacity], axis=-1)
    dark = Image.new("RGBA", photo.size, (0, 0, 0, round(255 * (1 - light.least))))
    dark.paste(_layer(smooth, scale), (round(left * across), round(top * down)))
    return Image.alpha_composite(photo.convert("RGBA"), dark).convert("RGB")


def _layer(
    field: NDArray[np.floating[Any]], scale: NDArray[np.float64], opacity: float = 1.0
) -> Image.Image:
    """Return the colours of a field on a scale whose end is the largest value."""
    level = np.clip(field / max(float(field.max()), 1e-9), 0, 1)
    channels = [np.interp(level, scale[:, 0], scale[:, channel]) for channel in range(1, 5)]
    channels[3] *= 255 * opacity
    return Image.fromarray(np.stack(channels, axis=-1).round().astype(np.uint8), "RGBA")


def _spread(count: int) -> Floats:
    """Return the share of each cell of a side (points, cells) in each point along it."""
    places = (np.arange(count * FINE) + 0.5) / FINE - 0.5
    shares: Floats = np.exp(-(((np.arange(count) - places[:, None]) / SMOOTHING) ** 2) / 2)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
