"""Eyes that several models share, with the cells of the pictures they saw last.

A second question about a photo, or another model, then costs no look at it.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from models.checkpoint import load_eyes
from models.pictures import Bytes
from models.vision import Eyes

REMEMBERED = 32  # pictures, of some 400 kB each


class Sight:
    """Pictures to cells. Not to be used from two threads at once."""

    def __init__(self, eyes: Eyes, remembered: int = REMEMBERED) -> None:
        self._eyes = eyes
        self._remembered = remembered
        self._seen: OrderedDict[bytes, Tensor] = OrderedDict()

    def cells(self, pictures: Sequence[Bytes]) -> Tensor:
        """The cells (B, K, D) of pictures; one is the same in any company, so each has its turn."""
        return torch.stack([self._cells(pixels) for pixels in pictures])

    def _cells(self, pixels: Bytes) -> Tensor:
        key = hashlib.sha256(pixels.tobytes()).digest()
        if key not in self._seen:
            self._seen[key] = self._eyes(torch.tensor(pixels).unsqueeze(0))[0]
        self._seen.move_to_end(key)
        cells = self._seen[key]
        if len(self._seen) > self._remembered:
            self._seen.popitem(last=False)
        return cells


def load_sight(folder: Path) -> Sight:
    """The eyes in a folder."""
    return Sight(load_eyes(folder))
