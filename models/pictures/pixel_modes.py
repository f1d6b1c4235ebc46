"""Conversion of every pixel mode to red, green and blue over white.

Pixels are converted a band at a time, since an uncommon mode takes several copies.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops

WHITE = (255, 255, 255)
SIXTEEN_BITS = {"I;16": "<u2", "I;16L": "<u2", "I;16B": ">u2", "I;16N": "=u2"}
ALPHA = {"LA", "La", "PA", "RGBA", "RGBa"}


def white_level(image: Image.Image) -> float:
    """Return the value of white; no format defines it for pixels of 32 bits.

    It follows from the largest value: 1, 255 or 65,535, or that value itself if it is larger.
    """
    if image.mode not in ("I", "F"):
        return 255.0
    _, largest = image.getextrema()
    most = float(largest) if isinstance(largest, int | float) else 255.0
    if not np.isfinite(most):
        return 1.0
    scales = (1.0, 255.0, 65_535.0) if image.mode == "F" else (255.0, 65_535.0)
    return next((scale for scale in scales if most <= scale), most)


def over_white(band: Image.Image, white: float, *, inverted: bool = False) -> Image.Image:
    """Convert a band to RGB; `inverted` is for CMYK where 0 is full ink."""
    if band.mode in SIXTEEN_BITS:
        return _from_sixteen_bits(band)
    if band.mode in ("I", "F"):
        return _grey(np.nan_to_num(np.asarray(band, dtype=np.float64)) * (255.0 / white))
    if band.mode == "CMYK":
        return (ImageChops.invert(band) if inverted else band).convert("RGB")
    if band.mode in ALPHA:
        return _laid_on_white(band.convert("RGBA"))
    if "transparency" in band.info:
        band.info["transparency"] = _eight_bits(band.info["transparency"])
        return _laid_on_white(band.convert("RGBA"))
    return band.convert("RGB")


def _laid_on_white(band: Image.Image) -> Image.Image:
    ground = Image.new("RGBA", band.size, WHITE)
    return Image.alpha_composite(ground, band).convert("RGB")


def _from_sixteen_bits(band: Image.Image) -> Image.Image:
    """Keep the upper byte; one value may be transparent."""
    # Whole pixels as they lie in memory: np.asarray would take some of these modes for others.
    values = np.frombuffer(band.tobytes(), SIXTEEN_BITS[band.mode]).reshape(band.height, band.width)
    transparent = band.info.get("transparency")
    grey = values >> 8
    if isinstance(transparent, int):
        grey = np.where(values == transparent, 255, grey)
    return _grey(grey)


def _grey(values: NDArray[Any]) -> Image.Image:
    return Image.fromarray(np.clip(values + 0.0, 0, 255).astype(np.uint8)).convert("RGB")


def _eight_bits(transparent: object) -> object:
    """Convert the transparent colour to 8 bits: a PNG of 16 bits declares it in 16 bits."""
    if isinstance(transparent, tuple) and max(transparent, default=0) > 255:
        return tuple(value >> 8 for value in transparent)
    return transparent
