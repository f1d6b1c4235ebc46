"""The memory that kernels read and write: tensors of a checkpoint, and arrays of one block."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from heed.models import checkpoint
from heed.models.errors import CheckpointError
from heed.models.runtime.native import kernels as c
from heed.models.runtime.operation_log import OperationLog
from heed.models.runtime.protocol import Ints
from heed.models.trace import Floats


class Tensors:
    """The tensors of a checkpoint, or of an image encoder, by name and shape."""

    def __init__(
        self, folder: Path, file: str = checkpoint.WEIGHTS, *, image_encoder: bool = False
    ) -> None:
        self._folder = folder
        self._tensors = (  # an image encoder has no config, and shares no tensors
            checkpoint.mapped(folder / file) if image_encoder else checkpoint.tensors(folder, file)
        )

    def __call__(self, name: str, *shape: int) -> c.Halves:
        """Return the tensor of this name and shape, which the kernels do not check."""
        tensor = self._tensors.get(name)
        if tensor is None or tensor.shape != shape:
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name} {shape}")
        return tensor

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of the tensor of this name."""
        tensor = self._tensors.get(name)
        if tensor is None:
            raise CheckpointError(f"{self._folder} cannot be read: it has no {name}")
        return tensor.shape

    def unload(self) -> None:
        """Take the tensors out of memory: the kernels have packed copies of nearly all."""
        checkpoint.unload(self._tensors.values())


class Workspace:
    """One block of memory, divided into arrays by name."""

    def __init__(self, **shapes: tuple[int, ...]) -> None:
        sizes = [math.prod(shape) for shape in shapes.values()]
        whole = np.empty(sum(sizes), np.float32)
        start, base = 0, c.address(whole)
        self._arrays: dict[str, Floats] = {}
        self.addresses: dict[str, int] = {}
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self._arrays[name] = whole[start : start + size].reshape(shape)
            self.addresses[name] = base + 4 * start
            start += size

    def __getitem__(self, name: str) -> Floats:
        """Return the array of this name."""
        return self._arrays[name]


class LogitsBuffer:
    """Memory for the logits, which each step of a batch overwrites."""

    def __init__(self, vocabulary: int) -> None:
        self._vocabulary = vocabulary
        self._logits = np.empty((0, vocabulary), np.float32)

    def logits(self, rows: int) -> Floats:
        """Return memory for the logits of so many rows."""
        if len(self._logits) < rows:
            self._logits = np.empty((rows, self._vocabulary), np.float32)
        return self._logits[:rows]


def indices(values: Ints) -> Ints:
    """Return the values as contiguous 64-bit integers."""
    return np.ascontiguousarray(values, np.int64)


def check(tokens: Ints, vocabulary: int) -> None:
    """Raise `IndexError` on a token outside the vocabulary, which the kernels do not check."""
    if not 0 <= tokens.min() <= tokens.max() < vocabulary:
        raise IndexError(f"a token is outside the vocabulary of {vocabulary}")


def optional_address(array: Floats | Ints | None) -> int | None:
    """Return the address of an array, if there is one."""
    return None if array is None else c.address(array)


def log_address(log: OperationLog | None) -> int | None:
    """Return the address of a log of operations, if there is one."""
    return None if log is None else c.address(log.numbers)
