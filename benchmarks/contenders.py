"""Who is measured: each reads texts of a length and writes as many tokens, attention included."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.config import NetworkConfig, read_network
from heed.models.text.tokenizer import BytePieces

RNN, TRANSFORMER = "en-fr-additive", "en-fr-transformer"
Call = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured: tokens read (and as many written) by each of so many texts together."""

    length: int
    batch: int


class Contender(Protocol):
    """Something that translates."""

    def call(self, case: Case) -> Call:
        """One run of a case, everything that it does only once already done."""


def open_contender(name: str, threads: int) -> Contender:
    """The contender of a name like `marian:en-fr-additive`: of a kind, of the size of a model."""
    kind, _, model = name.partition(":")
    match kind:
        case "heed" | "heed-onnx" | "heed-torch":
            from benchmarks.ours import RUNTIMES, Ours

            return Ours(model, threads, RUNTIMES[kind])
        case "marian" | "marian-shallow":
            from benchmarks.marian import Marian

            return Marian(model, threads, shallow=kind != "marian")
        case "ctranslate2" | "ctranslate2-shallow":
            from benchmarks.converted import Converted

            return Converted(model, threads, shallow=kind != "ctranslate2")
        case "eager" | "eager-keys":
            from benchmarks.tutorial import Tutorial

            return Tutorial(model, threads, precomputed=kind == "eager-keys")
        case "limit" | "limit-half":
            from benchmarks.limit import Limit

            return Limit(model, threads, halves=kind != "limit")
        case "photo" | "photo-eager":
            from benchmarks.lookers import EagerPhotos, Photos

            return Photos(model, threads) if kind == "photo" else EagerPhotos(model, threads)
    raise ValueError(f"there is no contender {name!r}")


def network_of(model: str) -> NetworkConfig:
    """The shape of a shipped model."""
    return read_network(checkpoint.read_config(DEFAULT_DIRECTORY / model)["network"])


def tokenizer_of(model: str) -> BytePieces:
    """The tokenizer of a shipped model."""
    return checkpoint.tokenizer_of(DEFAULT_DIRECTORY / model)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that is gone with this process."""
    return tempfile.TemporaryDirectory(prefix="heed-benchmark-")
