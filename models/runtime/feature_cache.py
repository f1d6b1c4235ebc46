"""Eyes that several models share, with the cells of the pictures they saw last.

A second question about a photo, or another model, then costs no look at it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from heed.models.images.read import Bytes

GRID = 14  # cells on a side
CELLS = GRID * GRID
REMEMBERED = 32  # pictures, of some 250 kB each

Cells = TypeVar("Cells")


class FeatureCache(Generic[Cells]):
    """Pictures to cells (K, D). Not to be used from two threads at once."""

    def __init__(self, look: Callable[[Bytes], Cells], remembered: int = REMEMBERED) -> None:
        self._look = look
        self._remembered = remembered
        self._seen: OrderedDict[bytes, Cells] = OrderedDict()

    def cells(self, pictures: Sequence[Bytes]) -> list[Cells]:
        """The cells of pictures; one is the same in any company, so each has its turn."""
        return [self._cells(pixels) for pixels in pictures]

    def _cells(self, pixels: Bytes) -> Cells:
        key = hashlib.sha256(pixels.tobytes()).digest()
        if key not in self._seen:
            self._seen[key] = self._look(pixels)
        self._seen.move_to_end(key)
        cells = self._seen[key]
        if len(self._seen) > self._remembered:
            self._seen.popitem(last=False)
        return cells
