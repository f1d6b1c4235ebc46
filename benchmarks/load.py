"""The server under load: Heed against models in FastAPI's thread pool.

The cache is off, and no two texts in a row are the same. All texts have 20 tokens, and all servers
write 20.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks import served, wrk
from benchmarks.case import RNN, Case, scratch, sentences, tokenizer_of, write_no_eos
from benchmarks.figures import Options, Report, Target, median, most, ratio, table, times
from benchmarks.rounds import workers
from benchmarks.served import Served
from benchmarks.wrk import Load, Loads
from heed.app.settings import Settings
from heed.models.cores import spare_cores

LENGTH = 20
TEXTS = 500
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


def measure(options: Options) -> Report:
    """Measure the servers with one client and with many."""
    wrk.find()
    loads, alone = _measured(quick=options.quick)
    return Report({"load": report(loads)}, list(targets(loads, alone)))


def _measured(*, quick: bool) -> tuple[Loads[int], list[float]]:
    """Return the loads, and with one client the milliseconds of the model without a server."""
    loads: Loads[int] = {name: {} for name in NAMES}
    alone: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(scratch()))
        weights = write_no_eos(folder / "weights", [RNN], LENGTH)
        texts = sentences(tokenizer_of(RNN), LENGTH, TEXTS)
        bodies = wrk.write(folder / "bodies", texts, model=RNN, detail="weights")
        settings = {"weights": weights, "store": folder, **served.UNDER_LOAD}
        servers = {
            "heed": stack.enter_context(served.heed(**settings)),
            "eager": stack.enter_context(served.pool("eager", RNN, LENGTH)),
            "marian": stack.enter_context(served.pool("marian", RNN, LENGTH)),
        }
        threads = Settings.from_environment().threads or spare_cores()
        (model,) = stack.enter_context(workers([f"heed:{RNN}"], threads))
        for clients in (1, 32) if quick else CLIENTS:
            for number in range(1 if quick else max(ROUNDS.values())):
                if clients == 1:
                    alone.append(1e3 * model.round(Case(LENGTH, 1), 1.0))
                for name in (name for name in loads if clients in SECONDS[name]):
                    if number < ROUNDS[name]:
                        found = _loaded(servers[name], bodies, clients, SECONDS[name][clients])
                        loads[name].setdefault(clients, []).append(found)
    return loads, alone


def _loaded(server: Served, bodies: Path, clients: int, seconds: float) -> Load:
    """Put load on a server that has nothing to do, and wait until it has nothing to do again."""
    url, body = f"{server.address}/api/v1/translate", bodies.read_bytes().splitlines()[0]
    served.post(url, body)
    found = wrk.load(url, bodies, clients, seconds)
    served.post(url, body)  # returns once the abandoned requests are done
    return found


def targets(loads: Loads[int], alone: Sequence[float]) -> Iterator[Target]:
    """Yield the targets."""
    for name, bound in (("eager", 12), ("marian", 100)):
        what = f"requests a second, 32 clients, over {name} in the pool"
        yield Target(what, bound, faster(loads, name, 32))
    overhead = ratio(alone, [one.p50 for one in loads["heed"][1]])
    allowed = overhead_bound(statistics.median(alone))
    yield most("p50 over the model alone, 1 client", allowed, overhead)
    p50, p99 = (median(loads["heed"][32], what) for what in ("p50", "p99"))
    yield most("p99 over p50, 32 clients", 2, p99 / p50)


def overhead_bound(model_ms: float) -> float:
    """The largest ratio of an answer's p50 to the time of the model alone, with one client."""
    return 1.35 if model_ms < SHORT_MS else 1.15


def faster(loads: Loads[int], name: str, clients: int) -> float:
    """Requests per second of Heed over those of another server."""
    heed, other = (median(loads[one][clients], "requests_per_second") for one in ("heed", name))
    return heed / other


def report(loads: Loads[int]) -> str:
    """The table of requests per second and latencies."""
    head = ["clients", "server", "requests a second", "p50, ms", "p99, ms", "Heed is faster by"]
    rows = []
    for clients in loads["heed"]:
        for name in (name for name in loads if clients in loads[name]):
            *cells, failed = wrk.cells(loads[name][clients])
            label = NAMES[name] + (f" ({failed} failed)" if int(failed) else "")
            over = "" if name == "heed" else times(faster(loads, name, clients))
            rows.append([str(clients), label, *cells, over])
    return table(head, rows)
