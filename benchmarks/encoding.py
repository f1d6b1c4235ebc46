"""A matrix of 100×100 to bytes: by Heed, by FastAPI's encoder, and compressed."""

from __future__ import annotations

import gzip
import statistics
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from fastapi.encoders import jsonable_encoder
from starlette.responses import JSONResponse

from benchmarks.figures import ratio, shown, table, times
from heed.app.http.encoding import to_json
from heed.app.schemas import MapOut
from heed.models.trace import AttentionMap
from heed.output.serialize import map_out

SIDE = 100
ROUNDS, CALLS = 9, 3
HEED, FASTAPI = "Heed: rounded as arrays, written by orjson", "FastAPI's encoder for plain objects"


def measure(*, quick: bool) -> dict[str, list[float]]:
    """Milliseconds of each way, in turn."""
    ways = _ways()
    measured: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(3 if quick else ROUNDS):
        for name, way in ways.items():
            measured[name].append(1e3 * statistics.median(_seconds(way) for _ in range(CALLS)))
    return measured


def a_map() -> AttentionMap:
    """An attention map: rows that sum to 1."""
    logits = np.random.default_rng(1).normal(size=(SIDE, SIDE)).astype(np.float32) * 2
    weights = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return AttentionMap("cross", 0, 0, "target", "source", weights, logits)


def _ways() -> dict[str, Callable[[], object]]:
    made = a_map()
    body = to_json(map_out(made, "weights"))
    plain = MapOut.model_validate_json(body)
    return {
        HEED: lambda: to_json(map_out(made, "weights")),
        FASTAPI: lambda: JSONResponse(jsonable_encoder(plain)),
        "gzip at level 1": lambda: gzip.compress(body, 1),
        "gzip at level 9, Starlette's default": lambda: gzip.compress(body, 9),
    }


def _seconds(way: Callable[[], object]) -> float:
    began = time.perf_counter()
    way()
    return time.perf_counter() - began


def report(measured: Mapping[str, Sequence[float]]) -> str:
    """The table."""
    rows = [
        [name, shown(statistics.median(each)), times(ratio(measured[HEED], each))]
        for name, each in measured.items()
    ]
    return table(["a matrix of 100×100", "ms", "over Heed's"], rows)
