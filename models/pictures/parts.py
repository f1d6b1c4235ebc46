"""A picture, or the error of its file, as parts of bytes: read in one process, used in another.

A decoder of untrusted bytes may have been taken over, so its parts are not trusted either.
"""

from __future__ import annotations

import json
from typing import Final

import numpy as np

from heed.models.errors import PictureError, PictureMemoryError
from heed.models.pictures.decode import NAMED, SIDE, Picture, decode_picture

ERRORS: Final = {kind.__name__: kind for kind in (PictureError, PictureMemoryError)}


def picture_parts(data: bytes, max_bytes: int, max_pixels: int, max_memory: int) -> list[bytes]:
    """Read the picture in these bytes; return it or its error as parts."""
    try:
        picture = decode_picture(
            data, max_bytes=max_bytes, max_pixels=max_pixels, max_memory=max_memory
        )
    except PictureError as error:
        return [json.dumps([type(error).__name__, error.code, error.message]).encode()]
    facts = [picture.width, picture.height, picture.format]
    return [json.dumps(facts).encode(), picture.pixels.tobytes(), picture.preview]


def picture_of_parts(parts: list[bytes]) -> Picture:
    """Return the picture of these parts, or raise its `PictureError`."""
    facts = json.loads(parts[0])
    if len(parts) == 1:
        kind, code, message = facts
        raise ERRORS[kind](code, message)
    width, height, format = facts
    if not (isinstance(width, int) and isinstance(height, int) and format in NAMED):
        raise ValueError(facts)
    pixels = np.frombuffer(parts[1], np.uint8).reshape(SIDE, SIDE, 3)
    return Picture(pixels, width, height, format, parts[2])
