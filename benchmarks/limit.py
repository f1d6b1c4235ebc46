"""The limit of the machine: every weight that is needed is read, and nothing else is done.

A written token needs every weight of the decoder's step once; the rest of a batch has the same
ones. A read token needs the recurrent weights of the encoder, each state waiting for the one
before; what does not wait (all of a Transformer's encoder, and projections of the memory) is read
once for the whole batch. They are read as matrices times a vector, warm, from cache where the
cache is large enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch

from benchmarks.contenders import RNN, TRANSFORMER, Call, Case
from models import checkpoint
from models.zoo import DEFAULT_DIRECTORY

COLUMNS = 512
STEP = {
    RNN: ("decoder.attention.query", "decoder.attention.energy", "decoder.cells", "decoder.join"),
    TRANSFORMER: tuple(
        f"decoder.{layer}.{part}"
        for layer in range(3)
        for part in ("own", "cross.query", "cross.output", "feedforward", "norms")
    ),
}
OUTPUT = ("decoder.output", "output", "embedding")  # the embedding is the output projection
READ = ("encoder.forwards.0.weight_hh", "encoder.backwards.0.weight_hh")


class Limit:
    """Reads as many bytes as our model of this name must, and does nothing with them."""

    def __init__(self, model: str, threads: int) -> None:
        torch.set_num_threads(threads)
        sizes = _sizes(model)
        self._step = _matrix(_sum(sizes, (*STEP[model], *OUTPUT)))
        self._read = _matrix(_sum(sizes, READ))
        self._once = _matrix(sum(sizes.values()) - _sum(sizes, (*STEP[model], *OUTPUT, *READ)))
        self._vector = torch.ones(COLUMNS)

    def call(self, case: Case) -> Call:
        """All that is read for a batch of this length."""
        reads = [self._once, *[self._read] * case.length, *[self._step] * case.length]
        wanted = [matrix for matrix in reads if len(matrix)]

        def read() -> None:
            with torch.inference_mode():
                for matrix in wanted:
                    torch.mv(matrix, self._vector)

        return read


def _sizes(model: str) -> dict[str, int]:
    from safetensors import safe_open

    with safe_open(DEFAULT_DIRECTORY / model / checkpoint.WEIGHTS, "np") as file:
        return {name: math.prod(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118 - it is no dictionary


def _sum(sizes: dict[str, int], beginnings: Iterable[str]) -> int:
    return sum(size for name, size in sizes.items() if name.startswith(tuple(beginnings)))


def _matrix(size: int) -> torch.Tensor:
    return torch.randn(round(size / COLUMNS), COLUMNS)
