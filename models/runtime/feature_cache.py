"""A cache of the features that an image encoder computes, shared by several models.

A second question about a picture, or another model, then needs no second run of the encoder.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, Protocol, runtime_checkable

from heed.models.pictures.decode import Bytes
from heed.models.runtime.protocol import PictureInput
from heed.models.trace import Floats

CAPACITY: Final = 8  # pictures, of some 250 kB each


class FeatureCache:
    """From pictures to the features (K, D) of their cells. Not safe for use by two threads."""

    def __init__(self, encode: Callable[[Bytes], Floats], capacity: int = CAPACITY) -> None:
        self._encode = encode
        self._capacity = capacity
        self._cached: OrderedDict[bytes, Floats] = OrderedDict()

    def of(self, sources: Sequence[PictureInput]) -> list[Floats]:
        """Return the cells of the pictures of inputs, and keep those that are to be kept.

        They are encoded one by one: a batch would change the numbers.
        """
        return [self._cells(source.pixels, keep=source.kept) for source in sources]

    def _cells(self, pixels: Bytes, *, keep: bool) -> Floats:
        key = hashlib.sha256(pixels.tobytes()).digest()
        cells = self._cached.get(key)
        if cells is None:
            cells = self._encode(pixels)
            if not keep:
                return cells
        self._cached[key] = cells
        self._cached.move_to_end(key)
        if len(self._cached) > self._capacity:
            self._cached.popitem(last=False)
        return cells


@runtime_checkable
class ReadsPictures(Protocol):
    """A runtime whose network reads the cells of a picture."""

    features: FeatureCache
