"""What the kernels read and write: the tensors of a checkpoint, and memory cut into arrays."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from heed.models import checkpoint
from heed.models.errors import CheckpointError
from heed.models.runtime.native import kernels as c
from heed.models.runtime.protocol import Ints
from heed.models.trace import Floats


class Tensors:
    """The tensors of a checkpoint, or of eyes, asked for by name and shape."""

    def __init__(self, folder: Path, *, eyes: bool = False) -> None:
        self._folder = folder
        self._tensors = (  # eyes have no config, and share none of theirs
            checkpoint.mapped(folder / checkpoint.WEIGHTS) if eyes else checkpoint.tensors(folder)
        )

    def __call__(self, name: str, *shape: int) -> c.Halves:
        """The tensor of this name, which must have this shape: the kernels look no further."""
        found = self._tensors.get(name)
        if found is None or found.shape != shape:
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name} {shape}")
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of the tensor of this name."""
        found = self._tensors.get(name)
        if found is None:
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name}")
        return found.shape


class Workspace:
    """Memory for numbers, cut into arrays one behind the other."""

    def __init__(self, *shapes: tuple[int, ...]) -> None:
        sizes = [math.prod(shape) for shape in shapes]
        whole = np.empty(sum(sizes), np.float32)
        start, base = 0, c.address(whole)
        self.arrays: list[Floats] = []
        self.at: list[int] = []
        for shape, size in zip(shapes, sizes, strict=True):
            self.arrays.append(whole[start : start + size].reshape(shape))
            self.at.append(base + 4 * start)
            start += size


class LogitsBuffer:
    """Memory that each step of a batch writes anew: the logits, which nobody keeps."""

    def __init__(self, vocabulary: int) -> None:
        self._vocabulary = vocabulary
        self._logits = np.empty((0, vocabulary), np.float32)

    def logits(self, rows: int) -> Floats:
        """Room for those of so many rows."""
        if len(self._logits) < rows:
            self._logits = np.empty((rows, self._vocabulary), np.float32)
        return self._logits[:rows]


def indices(values: Ints) -> Ints:
    """The same one behind the other, as the kernels read them."""
    return np.ascontiguousarray(values, np.int64)


def check(tokens: Ints, vocabulary: int) -> None:
    """The kernels look up whatever they are given."""
    if not 0 <= tokens.min() <= tokens.max() < vocabulary:
        raise IndexError(f"a token is none of the {vocabulary}")


def where(array: Floats | Ints | None) -> int | None:
    """The address of an array that need not be there."""
    return None if array is None else c.address(array)
