"""Time from the command until the server is ready, and its memory then."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from benchmarks import served
from benchmarks.case import RNN
from benchmarks.figures import shown, table
from benchmarks.served import Served

ROUNDS = 5
NAMES = {"heed": "Heed", "eager": "FastAPI with PyTorch and a model"}


def measure(*, quick: bool) -> dict[str, list[Served]]:
    """Start each server several times in turn."""
    starts: dict[str, list[Served]] = {name: [] for name in NAMES}
    for _ in range(2 if quick else ROUNDS):
        for name in NAMES:
            with _started(name) as server:
                starts[name].append(server)
    return starts


def _started(name: str) -> AbstractContextManager[Served]:
    return served.heed(preload=RNN) if name == "heed" else served.pool(name, RNN, 1)


def median(starts: Sequence[Served], what: str) -> float:
    """The median of all starts."""
    return float(statistics.median(getattr(start, what) for start in starts))


def report(starts: Mapping[str, Sequence[Served]]) -> str:
    """The table."""
    head = ["", "ready after, s", "resident, MB"]
    rows = [
        [NAMES[name], *(shown(median(each, what)) for what in ("ready_after", "megabytes"))]
        for name, each in starts.items()
    ]
    return table(head, rows)
