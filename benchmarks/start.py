"""Time from the command until the server is ready, and its memory then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

from benchmarks import served
from benchmarks.case import RNN
from benchmarks.figures import Options, Report, in_turns, median, most, shown, table
from benchmarks.served import Served

ROUNDS = 5
HEED = "Heed"
SERVERS: dict[str, Callable[[], AbstractContextManager[Served]]] = {
    HEED: partial(served.heed, preload=RNN),
    "FastAPI with PyTorch and a model": partial(served.pool, "eager", RNN, 1),
}
BOUNDS = (
    ("ready to serve", "ready_after", 1, " s"),
    ("resident with one RNN", "megabytes", 180, " MB"),
)


def measure(options: Options) -> Report:
    """Start each server several times in turn."""
    starts = in_turns(
        {name: partial(_started, server) for name, server in SERVERS.items()},
        2 if options.quick else ROUNDS,
    )
    rows = [
        [name, *(shown(median(each, what)) for _, what, _, _ in BOUNDS)]
        for name, each in starts.items()
    ]
    targets = [
        most(name, bound, median(starts[HEED], what), unit) for name, what, bound, unit in BOUNDS
    ]
    return Report({"start": table(["", "ready after, s", "resident, MB"], rows)}, targets)


def _started(server: Callable[[], AbstractContextManager[Served]]) -> Served:
    with server() as started:
        return started
