"""The server under load: Heed against models in FastAPI's thread pool.

The cache is off, and no two texts in a row are the same. All texts have 20 tokens, and all servers
write 20.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks import served, wrk
from benchmarks.case import RNN, Case, scratch, sentences, tokenizer_of
from benchmarks.figures import Report, Target, dotted, median, ratio, table, times
from benchmarks.no_eos import write_no_eos
from benchmarks.rounds import Worker, workers
from benchmarks.served import Served
from benchmarks.wrk import PATIENCE, Load, load
from heed.app.settings import Settings
from heed.models.cores import spare_cores

LENGTH = 20
TEXTS = 500
QUEUE = 1_000  # long enough that no request is refused
CLIENTS = (1, 8, 32, 128)
ROUNDS = {"heed": 3, "eager": 2, "marian": 1}
# By clients: slower answers need more time until there are enough of them. 128 clients would keep
# `transformers` busy for minutes.
SECONDS: dict[str, dict[int, float]] = {
    "heed": {1: 3, 8: 3, 32: 3, 128: 4},
    "eager": {1: 3, 8: 3, 32: 5, 128: 10},
    "marian": {1: 4, 8: 8, 32: 24},
}
SHORT_MS = 4.0
"""Below it, the fixed costs of a request weigh more beside the model."""
NAMES = {"heed": "Heed", "eager": "eager PyTorch in the pool", "marian": "transformers in the pool"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """The rounds of each server with this number of clients."""

    clients: int
    loads: Mapping[str, Sequence[Load]]
    alone: Sequence[float] = ()  # milliseconds of the model without a server, with one client

    def median(self, name: str, what: str) -> float:
        """The median of all rounds."""
        return median(self.loads[name], what)

    def faster_than(self, name: str) -> float:
        """Requests per second of Heed over those of another server."""
        heed, other = (self.median(one, "requests_per_second") for one in ("heed", name))
        return heed / other


def measure(*, quick: bool) -> Report:
    """Measure the servers with one client and with many."""
    wrk.find()
    loads = list(dotted(_loads(quick=quick)))
    return Report({"load": report(loads)}, list(targets(loads)))


def _loads(*, quick: bool) -> Iterator[Loaded]:
    texts = sentences(tokenizer_of(RNN), LENGTH, TEXTS)
    same = {"model": RNN, "detail": "weights"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(scratch()))
        weights = write_no_eos(folder / "weights", [RNN], LENGTH)
        bodies = wrk.write(folder / "bodies", ({"text": text, **same} for text in texts))
        settings = {"weights": weights, "queue_size": QUEUE, "cache_bytes": 0, "store": folder}
        servers = {
            "heed": stack.enter_context(served.heed(**settings, deadline_seconds=PATIENCE)),
            "eager": stack.enter_context(served.pool("eager", RNN, LENGTH)),
            "marian": stack.enter_context(served.pool("marian", RNN, LENGTH)),
        }
        threads = Settings.from_environment().threads or spare_cores()
        (alone,) = stack.enter_context(workers([f"heed:{RNN}"], threads))
        for clients in (1, 32) if quick else CLIENTS:
            yield _loaded(servers, alone, bodies, clients, quick=quick)


def _loaded(
    servers: Mapping[str, Served], model: Worker, bodies: Path, clients: int, *, quick: bool
) -> Loaded:
    body = bodies.read_bytes().splitlines()[0]
    loads: dict[str, list[Load]] = {name: [] for name in servers if clients in SECONDS[name]}
    alone = []
    for number in range(1 if quick else max(ROUNDS.values())):
        for name in (name for name in loads if number < ROUNDS[name]):
            url = f"{servers[name].address}/api/v1/translate"
            served.post(url, body)
            loads[name].append(load(url, bodies, clients, SECONDS[name][clients]))
            served.post(url, body)  # returns once the abandoned requests are done
            if clients == 1 and name == "heed":
                alone.append(1e3 * model.round(Case(LENGTH, 1), 1.0))
    return Loaded(clients, loads, alone)


def targets(loads: Sequence[Loaded]) -> Iterator[Target]:
    """Yield the targets."""
    known = {load.clients: load for load in loads}
    for name, bound in (("eager", 12), ("marian", 100)):
        what = f"requests a second, 32 clients, over {name} in the pool"
        yield Target(what, bound, known[32].faster_than(name))
    alone = known[1].alone
    overhead = ratio(alone, [one.p50 for one in known[1].loads["heed"]])
    most = overhead_bound(statistics.median(alone))
    yield Target("p50 over the model alone, 1 client", most, overhead, at_least=False)
    p50, p99 = (known[32].median("heed", what) for what in ("p50", "p99"))
    yield Target("p99 over p50, 32 clients", 2, p99 / p50, at_least=False)


def overhead_bound(model_ms: float) -> float:
    """The largest ratio of an answer's p50 to the time of the model alone, with one client."""
    return 1.35 if model_ms < SHORT_MS else 1.15


def report(measured: Sequence[Loaded]) -> str:
    """The table of requests per second and latencies."""
    head = ["clients", "server", "requests a second", "p50, ms", "p99, ms", "Heed is faster by"]
    rows = []
    for loaded in measured:
        for name, loads in loaded.loads.items():
            faster = "" if name == "heed" else times(loaded.faster_than(name))
            failed = sum(one.failed for one in loads)
            label = NAMES[name] + (f" ({failed} failed)" if failed else "")
            rows.append([str(loaded.clients), label, *wrk.cells(loads), faster])
    return table(head, rows)
