"""A matrix of 100×100 to bytes: by Heed, by FastAPI's encoder, and compressed."""

from __future__ import annotations

import gzip
import statistics
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from fastapi.encoders import jsonable_encoder
from starlette.responses import JSONResponse

from benchmarks.figures import Options, Report, compared, in_turns, seconds
from heed.app.http.encoding import to_json
from heed.app.schemas import MapOut
from heed.models.trace import AttentionMap
from heed.output.serialize import map_out

SIDE = 100
ROUNDS, CALLS = 9, 3


def measure(options: Options) -> Report:
    """Measure each way in turn."""
    ways = {name: partial(_median, way) for name, way in _ways().items()}
    measured = in_turns(ways, 3 if options.quick else ROUNDS)
    return Report({"encoding": compared(["a matrix of 100×100", "ms", "over Heed's"], measured)})


def _median(way: Callable[[], object]) -> float:
    return statistics.median(seconds(way) for _ in range(CALLS))


def _ways() -> Mapping[str, Callable[[], object]]:
    logits = np.random.default_rng(1).normal(size=(SIDE, SIDE)).astype(np.float32) * 2
    weights = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    made = AttentionMap("cross", 0, 0, "target", "source", weights, logits)
    body = to_json(map_out(made, "weights"))
    plain = MapOut.model_validate_json(body)
    return {
        "Heed: rounded as arrays, written by orjson": lambda: to_json(map_out(made, "weights")),
        "FastAPI's encoder for plain objects": lambda: JSONResponse(jsonable_encoder(plain)),
        "gzip at level 1": lambda: gzip.compress(body, 1),
        "gzip at level 9, Starlette's default": lambda: gzip.compress(body, 9),
    }
