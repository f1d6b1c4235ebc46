"""The limit of the machine: every weight that is needed is read, and nothing else is done.

A written token needs every weight of the decoder's step once; the rest of a batch has the same
ones. A read token needs the recurrent weights of the encoder, each state waiting for the one
before; what does not wait (all of a Transformer's encoder, and projections of the memory) is read
once for the whole batch. They are read as matrices times a vector by NumPy, the fastest of the
ways that were tried (PyTorch takes a third longer, sums longer still), warm, from cache where that
is large enough. As 32-bit floats, as others have them, or half as much, as weights of 16 bits are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np

from benchmarks.case import RNN, TRANSFORMER, Call, Case
from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.trace import Floats

COLUMNS = 2048  # wide rows are read fastest
STEP = {
    RNN: ("decoder.attention.query", "decoder.attention.energy", "decoder.cells", "decoder.join"),
    TRANSFORMER: tuple(
        f"decoder.{layer}.{part}"
        for layer in range(3)
        for part in ("own", "cross.query", "cross.output", "feedforward", "norms")
    ),
}
OUTPUT = ("decoder.output", "output", "embedding")  # the embedding is the output projection
THREADS = "OPENBLAS_NUM_THREADS"  # of NumPy
READ = ("encoder.forwards.0.weight_hh", "encoder.backwards.0.weight_hh")


class Limit:
    """Reads as many bytes as a model of this size must, and does nothing with them."""

    def __init__(self, model: str, threads: int, *, halves: bool = False) -> None:
        assert os.environ[THREADS] == str(threads)  # read when NumPy is imported
        sizes = {name: size // (1 + halves) for name, size in _sizes(model).items()}
        self._step = _matrix(_sum(sizes, (*STEP[model], *OUTPUT)))
        self._read = _matrix(_sum(sizes, READ))
        self._once = _matrix(sum(sizes.values()) - _sum(sizes, (*STEP[model], *OUTPUT, *READ)))
        self._vector = np.ones(COLUMNS, np.float32)

    def call(self, case: Case) -> Call:
        """All that is read for a batch of this length."""
        reads = [self._once, *[self._read] * case.length, *[self._step] * case.length]
        wanted = [matrix for matrix in reads if len(matrix)]

        def read() -> None:
            for matrix in wanted:
                matrix @ self._vector

        return read


def _sizes(model: str) -> dict[str, int]:
    weights = checkpoint.tensors(DEFAULT_DIRECTORY / model)
    return {name: tensor.size for name, tensor in weights.items()}


def _sum(sizes: dict[str, int], beginnings: Iterable[str]) -> int:
    return sum(size for name, size in sizes.items() if name.startswith(tuple(beginnings)))


def _matrix(size: int) -> Floats:
    rows = round(size / COLUMNS)
    return np.random.default_rng(1).standard_normal((rows, COLUMNS), np.float32)
