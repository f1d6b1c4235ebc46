"""A trace is the same alone and under concurrency."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from heed.models.catalogue import compiled_for
from tests.live import Live
from tests.scale import amount, report
from tests.traffic import TRANSLATE

THREADS = 50
ROUNDS = amount(1, 20)
# The kernels give the same bits, except those with AMX tiles. These, and ONNX Runtime, sum a batch
# in another order. Scores and vectors have four digits on the wire, weights five.
TOLERANCE = 2e-4 if compiled_for() in (None, "amx") else 0.0
TEXTS = [f"{day} {month} 20{day:02}" for day in range(1, 29) for month in ("may", "december")]


def trace_of(it: Live, text: str) -> dict[str, Any]:
    """Return the trace of a text without its timing."""
    for _ in range(1000):  # the queue has sixteen places for fifty threads
        answer = httpx.post(it.url + TRANSLATE, json={"text": text}, timeout=60)
        if answer.status_code != 503:
            break
        time.sleep(0.05)
    assert answer.status_code == 200, answer.text
    trace: dict[str, Any] = json.loads(answer.content)
    del trace["timing"]
    return trace


def same(one: Any, other: Any) -> bool:
    """Compare two traces, numbers within the tolerance."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= TOLERANCE * max(1.0, abs(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def test_fifty_threads_get_the_same_traces_as_one(it: Live) -> None:
    texts = TEXTS[:THREADS]
    alone = {text: trace_of(it, text) for text in texts}
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            together = list(pool.map(lambda text: trace_of(it, text), texts))
            for text, trace in zip(texts, together, strict=True):
                assert same(trace, alone[text]), text
    report(threads=THREADS, answers=THREADS * ROUNDS)
