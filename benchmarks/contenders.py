"""The contenders by name. Each reads texts of a length and writes as many tokens with attention."""

from __future__ import annotations

from benchmarks.case import Contender


def open_contender(name: str, threads: int) -> Contender:
    """The contender of a name like `marian:en-fr-additive`: a kind, and the model it resembles."""
    kind, _, model = name.partition(":")
    match kind:
        case "heed" | "heed-onnx" | "heed-torch":
            from benchmarks.heed import RUNTIMES, Heed

            return Heed(model, threads, RUNTIMES[kind])
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
            from benchmarks.photo_models import EagerPhotos, Photos

            return Photos(model, threads) if kind == "photo" else EagerPhotos(model, threads)
    raise ValueError(f"unknown contender {name!r}")
