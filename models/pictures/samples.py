"""The photos that ship with the page, as baselines of audits."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from heed.models.pictures.decode import Bytes, decode_picture

SAMPLES: Final = Path(__file__).parents[2] / "static" / "samples"
OTHERS: Final = "kitchen.jpg", "car.jpg"


@cache
def sample(name: str) -> Bytes:
    """Return the pixels of a photo that ships with the page."""
    return decode_picture((SAMPLES / name).read_bytes()).pixels


def another_photo(pixels: Bytes) -> tuple[str, Bytes]:
    """Return a photo that is not this one, with its name."""
    return next(
        (name, other)
        for name, other in ((name, sample(name)) for name in OTHERS)
        if not np.array_equal(other, pixels)
    )
