"""The contenders by name. Each reads texts of a length and writes as many tokens with attention."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.case import (
    RNN,
    TRANSFORMER,
    Call,
    Case,
    Contender,
    scratch,
    sentences,
    write_no_eos,
)
from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue, RuntimeName
from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import Floats

RUNTIMES: dict[str, RuntimeName] = {"heed": "native", "heed-onnx": "onnx", "heed-torch": "torch"}


def open_contender(name: str, threads: int) -> Contender:
    """The contender of a name like `marian:en-fr-additive`: a kind, and the model it resembles."""
    kind, _, model = name.partition(":")
    match kind:
        case "heed" | "heed-onnx" | "heed-torch":
            return Heed(model, threads, RUNTIMES[kind])
        case "limit" | "limit-half":
            return Limit(model, threads, halves=kind != "limit")
        case "photo" | "photo-eager":
            from benchmarks.photos import EagerPhotos, Photos

            return Photos(model, threads) if kind == "photo" else EagerPhotos(model, threads)
    from benchmarks import peers

    match kind:
        case "marian" | "marian-shallow":
            return peers.Marian(model, threads, shallow=kind != "marian")
        case "ctranslate2" | "ctranslate2-shallow":
            return peers.Converted(model, threads, shallow=kind != "ctranslate2")
        case "eager" | "eager-keys":
            return peers.Tutorial(model, threads, precomputed=kind != "eager")
    raise ValueError(f"unknown contender {name!r}")


class Heed:
    """Heed from texts to traces: tokenizer, network, search, all maps, alternatives."""

    def __init__(self, model: str, threads: int, runtime: RuntimeName) -> None:
        self._scratch = scratch()
        folder = write_no_eos(Path(self._scratch.name), [model], 1)
        loaded = Catalogue(folder, runtime).load(model, threads)
        assert isinstance(loaded, Translator)
        self._translator = loaded

    def call(self, case: Case) -> Call:
        """From the texts to their traces."""
        translator = self._translator
        translator.card = replace(
            translator.card, limits=replace(translator.card.limits, steps=case.length)
        )
        texts = sentences(translator.tokenizer, case.length, case.batch)
        asks = [TextRequest(text) for text in texts]
        for trace in translator.run(asks):
            assert len(trace.source) == len(trace.output.target) == case.length
            assert len(trace.output.maps) >= translator.card.heads * translator.card.layers
        return lambda: translator.run(asks)


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
READ = ("encoder.forwards.0.weight_hh", "encoder.backwards.0.weight_hh")


class Limit:
    """The limit of the machine: every weight that is needed is read, and nothing else is done.

    A written token needs every weight of the decoder's step once; the rest of a batch has the same
    ones. A read token needs the recurrent weights of the encoder, each state waiting for the one
    before; what does not wait (all of a Transformer's encoder, and projections of its states) is
    read once for the whole batch. They are read as matrices times a vector by NumPy, the fastest of
    the ways that were tried (PyTorch takes a third longer, sums longer still), warm, from cache
    where that is large enough. As 32-bit floats, as others have them, or half as much, as weights
    of 16 bits are.
    """

    def __init__(self, model: str, threads: int, *, halves: bool = False) -> None:
        assert os.environ["OPENBLAS_NUM_THREADS"] == str(threads)  # read when NumPy is imported
        weights = checkpoint.tensors(DEFAULT_DIRECTORY / model)
        sizes = {name: tensor.size // (1 + halves) for name, tensor in weights.items()}
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


def _sum(sizes: dict[str, int], beginnings: Iterable[str]) -> int:
    return sum(size for name, size in sizes.items() if name.startswith(tuple(beginnings)))


def _matrix(size: int) -> Floats:
    rows = round(size / COLUMNS)
    return np.random.default_rng(1).standard_normal((rows, COLUMNS), np.float32)
