"""The server under a crowd: ours against models in FastAPI's thread pool.

Nobody is answered from the cache: it is off, and no two texts in a row are the same. All texts
have 20 tokens, and all servers write 20.
"""

from __future__ import annotations

import json
import statistics
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import served
from benchmarks.contenders import RNN, Case, scratch, tokenizer_of
from benchmarks.endless import write_endless
from benchmarks.figures import ratio, shown, table, times
from benchmarks.rounds import Worker, workers
from benchmarks.sentences import sentences
from benchmarks.wrk import PATIENCE, Load, load
from heed.app.settings import Settings
from heed.models.catalogue import spare_cores

LENGTH = 20
TEXTS = 500
QUEUE = 1_000  # nobody is turned away: what is measured is how fast, not how much is too much
CLIENTS = (1, 8, 32, 128)
ROUNDS = {"heed": 3, "eager": 2, "marian": 1}
# By clients: the slower the answers, the longer until there are enough of them. `transformers`
# would be kept busy for minutes by the largest crowd.
SECONDS: dict[str, dict[int, float]] = {
    "heed": {1: 3, 8: 3, 32: 3, 128: 4},
    "eager": {1: 3, 8: 3, 32: 5, 128: 10},
    "marian": {1: 4, 8: 8, 32: 24},
}
NAMES = {"heed": "Heed", "eager": "eager PyTorch in the pool", "marian": "transformers in the pool"}


@dataclass(frozen=True, slots=True)
class Crowded:
    """So many clients at once: what came of each round, by server."""

    clients: int
    loads: Mapping[str, Sequence[Load]]
    bare: Sequence[float] = ()  # milliseconds of the model alone, with one client

    def median(self, name: str, what: str) -> float:
        """Of all rounds."""
        return float(statistics.median(getattr(one, what) for one in self.loads[name]))

    def faster_than(self, name: str) -> float:
        """How many times as many requests a second ours answers."""
        mine, theirs = (self.median(one, "requests_per_second") for one in ("heed", name))
        return mine / theirs

    @property
    def overhead(self) -> float:
        """How many times longer an answer takes than the model alone."""
        return ratio(self.bare, [one.p50 for one in self.loads["heed"]])


def measure(*, quick: bool) -> Iterator[Crowded]:
    """Each number of clients, as it is measured."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(scratch()))
        weights = write_endless(folder / "weights", [RNN], LENGTH)
        bodies = _write_bodies(folder / "bodies")
        settings = {"weights": weights, "queue_size": QUEUE, "cache_bytes": 0, "store": folder}
        servers = {
            "heed": stack.enter_context(served.ours(**settings, deadline_seconds=PATIENCE)),
            "eager": stack.enter_context(served.pool("eager", RNN, LENGTH)),
            "marian": stack.enter_context(served.pool("marian", RNN, LENGTH)),
        }
        threads = Settings.from_environment().threads or spare_cores()
        (bare,) = stack.enter_context(workers([f"heed:{RNN}"], threads))
        for clients in (1, 32) if quick else CLIENTS:
            yield _crowded(servers, bare, bodies, clients, quick=quick)


def _crowded(
    servers: Mapping[str, served.Served], bare: Worker, bodies: Path, clients: int, *, quick: bool
) -> Crowded:
    loads: dict[str, list[Load]] = {name: [] for name in servers if clients in SECONDS[name]}
    alone = []
    for number in range(1 if quick else max(ROUNDS.values())):
        for name in loads:
            if number >= ROUNDS[name]:
                continue
            url = f"{servers[name].address}/api/v1/translate"
            _post(url, bodies)
            loads[name].append(load(url, bodies, clients, SECONDS[name][clients]))
            _post(url, bodies)  # answered once those who left are through
            if clients == 1 and name == "heed":
                alone.append(1e3 * bare.round(Case(LENGTH, 1), 1.0))
    return Crowded(clients, loads, alone)


def _write_bodies(path: Path) -> Path:
    texts = sentences(tokenizer_of(RNN), LENGTH, TEXTS)
    path.write_text(
        "".join(json.dumps({"text": t, "model": RNN, "detail": "weights"}) + "\n" for t in texts),
        "utf-8",
    )
    return path


def _post(url: str, bodies: Path) -> None:
    """One request, to the end."""
    body = bodies.read_bytes().splitlines()[0]
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=4 * PATIENCE) as answer:  # noqa: S310 - our own
        answer.read()


def report(crowds: Sequence[Crowded]) -> str:
    """The table of requests a second and of waiting."""
    head = ["clients", "server", "requests a second", "p50, ms", "p99, ms", "Heed is faster by"]
    rows = []
    for crowd in crowds:
        for name in crowd.loads:
            figures = [crowd.median(name, what) for what in ("requests_per_second", "p50", "p99")]
            faster = "" if name == "heed" else times(crowd.faster_than(name))
            failed = sum(one.failed for one in crowd.loads[name])
            label = NAMES[name] + (f" ({failed} failed)" if failed else "")
            rows.append([str(crowd.clients), label, *map(shown, figures), faster])
    return table(head, rows)
