"""One process, several workers and Ray under the same two loads.

All run on one machine, in turns, with one thread for each model. The light load is one sentence of
20 tokens, with greedy search; the heavy one has 40 words, and beam search with ten hypotheses. Both
write 20 tokens. No two texts in a row are the same, and caches are off. The figures
go to `scaling.json`, which `benchmarks.simulation` reads too, and to docs/scaling.md.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from benchmarks import figures, served, wrk
from benchmarks.case import RNN, SEED, scratch, sentences, tokenizer_of, words_of, write_no_eos
from benchmarks.document import SCALING
from benchmarks.figures import Options, Report, Target, machine, most, ratio, shown, table
from benchmarks.memory import Memory, memory
from heed.app.settings import Settings

FILE = Path(__file__).with_name("scaling.json")
TOKENS, WORDS, BEAM = 20, 40, 10
TEXTS = 400
REPLICAS = {"one": 1, "two": 2}
CPUS = 8  # that Ray counts with: nothing else runs on this cluster
REPLICA_PORTS = range(30_000, 30_020)  # that Ray gives to replicas
FALLBACK_PORT = 8500  # of Ray's proxy in Python, beside HAProxy
WARM_SECONDS = 1
FLOOR = 1.6  # times the requests of one, with the heavy load
ADDED = 60  # megabytes of the second worker

POINTS = {"light 1": 4, "light 4": 4, "light 16": 6, "heavy 1": 4, "heavy 8": 8}
"""Each load: its kind and the number of clients that each wait for their answer, and seconds."""
PLACES = {
    "one": ("one process", tuple(POINTS)),
    "workers": ("two workers", ("light 16", "heavy 8")),
    "direct": ("a replica, asked directly", ("light 1", "light 16")),
    "haproxy 1": ("Ray, one replica, HAProxy", ("light 1", "light 16", "heavy 8")),
    "haproxy 2": ("Ray, two replicas, HAProxy", ("light 16", "heavy 8")),
    "python 1": ("Ray, one replica, proxy in Python", ("light 1", "light 16", "heavy 8")),
    "python 2": ("Ray, two replicas, proxy in Python", ("light 16", "heavy 8")),
}
"""The servers: their names, and their loads."""
MEMORY = {
    "one": "one process",
    "workers": "two workers",
    "replica": "a replica on Ray",
    "two replicas": "two replicas on Ray",
    "ray": "Ray with three replicas and both proxies",
}
MEASURES = ("proportional", "unique")
FLOORS = {
    "two workers over one process, heavy": ("workers", "one"),
    "two replicas over one, heavy, HAProxy": ("haproxy 2", "haproxy 1"),
    "two replicas over one, heavy, proxy in Python": ("python 2", "python 1"),
}


@dataclass
class Results:
    """All rounds: loads by server and point, and memory by server."""

    loads: wrk.Loads[str] = field(default_factory=dict)
    memory: dict[str, list[Memory]] = field(default_factory=dict)
    machine: str = field(default_factory=machine)

    def rates(self, place: str, point: str) -> list[float]:
        """Requests per second, one for each round."""
        return [one.requests_per_second for one in self.loads[place][point]]

    def median(self, place: str, point: str, what: str = "requests_per_second") -> float:
        """The median of all rounds."""
        return figures.median(self.loads[place][point], what)

    def note_memory(self, place: str, pid: int, name: str = "") -> None:
        """Add the memory of a process and of those that it started."""
        self.memory.setdefault(place, []).append(memory(pid, name))


FORMAT = TypeAdapter(Results)


def kept() -> Results:
    """Return the results of the last run."""
    return FORMAT.validate_json(FILE.read_bytes())


@dataclass(frozen=True, slots=True)
class Bench:
    """The files and settings of all servers."""

    folder: Path

    @property
    def settings(self) -> dict[str, object]:
        """The settings of all servers."""
        return {
            "weights": self.folder / "weights",
            "store": self.folder / "kept",
            "preload": RNN,
            "threads": 1,
            **served.UNDER_LOAD,
        }

    def write(self) -> None:
        """Write the model, which writes as many tokens as it may, and the requests."""
        write_no_eos(self.folder / "weights", [RNN], TOKENS)
        light, beam = sentences(tokenizer_of(RNN), TOKENS, TEXTS), {"kind": "beam", "beam": BEAM}
        for kind, texts, search in (("light", light, {}), ("heavy", long_texts(), beam)):
            wrk.write(self.folder / kind, texts, model=RNN, search=search, detail="weights")

    def measure(self, results: Results, addresses: Mapping[str, str], order: int) -> None:
        """Measure some servers in turns, load by load."""
        for point, seconds in POINTS.items():
            kind, clients = point.split()
            for place in (p for p in list(addresses)[::order] if point in PLACES[p][1]):
                url, bodies = f"{addresses[place]}/api/v1/translate", self.folder / kind
                wrk.load(url, bodies, int(clients), WARM_SECONDS)
                found = wrk.load(url, bodies, int(clients), seconds)
                results.loads.setdefault(place, {}).setdefault(point, []).append(found)
                print(".", end="", file=sys.stderr, flush=True)


def long_texts() -> list[str]:
    """Return different texts of so many words."""
    chance, words = random.Random(SEED), words_of(tokenizer_of(RNN))
    return [" ".join(chance.choices(words, k=WORDS)) for _ in range(TEXTS)]


def measure_processes(bench: Bench, results: Results, order: int) -> None:
    """Measure one process, and two workers."""
    with (
        served.heed(**bench.settings) as one,
        served.heed(**bench.settings, workers=2) as workers,
    ):
        servers = {"one": one, "workers": workers}
        bench.measure(results, {name: each.address for name, each in servers.items()}, order)
        for place, server in servers.items():
            results.note_memory(place, server.pid)


def measure_ray(bench: Bench, results: Results, order: int) -> None:
    """Measure a cluster: replicas through HAProxy, through the proxy in Python, and directly."""
    port = served.free_port()
    with cluster(bench, port) as pid:
        one, two = REPLICAS
        addresses = {"direct": asked_directly(one)}
        for proxy, at in (("haproxy", port), ("python", FALLBACK_PORT)):
            for name, replicas in REPLICAS.items():
                addresses[f"{proxy} {replicas}"] = f"http://127.0.0.1:{at}/{name}"
        bench.measure(results, addresses, order)
        results.note_memory("ray", pid)
        results.note_memory("replica", pid, f"ServeReplica:{one}")
        results.note_memory("two replicas", pid, f"ServeReplica:{two}")


def asked_directly(name: str) -> str:
    """Return the address at which a replica listens by itself, for HAProxy."""
    for port in REPLICA_PORTS:
        address = f"http://127.0.0.1:{port}/{name}"
        with suppress(OSError), urllib.request.urlopen(f"{address}/healthz", timeout=5):  # noqa: S310
            return address
    raise RuntimeError(f"no replica of {name} listens on {REPLICA_PORTS}")


@contextmanager
def cluster(bench: Bench, port: int) -> Iterator[int]:
    """Run a Ray cluster until the end of the block; yield the id of its process."""
    variables = {
        **os.environ,
        **served.environment(bench.settings),
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    command = [sys.executable, "-m", "benchmarks.scaling", str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=variables
    ) as process:
        assert process.stdin
        assert process.stdout
        if "ready\n" not in process.stdout:
            raise RuntimeError("Ray did not start; its log is in /tmp/ray/session_latest/logs")
        try:
            yield process.pid
        finally:
            process.stdin.close()
            process.wait(served.SECONDS)


def serve_on_ray(port: int) -> None:
    """Serve `/one` with one replica and `/two` with two, until the standard input ends."""
    import ray
    from ray import serve

    from heed.ray import QUIET, deployment

    ray.init(num_cpus=CPUS, include_dashboard=False, log_to_driver=False)
    serve.start(http_options={"host": "127.0.0.1", "port": port}, logging_config=QUIET)
    settings = Settings.from_environment()
    for name, replicas in REPLICAS.items():
        serve.run(deployment(settings, replicas), name=name, route_prefix=f"/{name}")
    print("ready", flush=True)
    sys.stdin.read()
    ray.shutdown()


PARTS: tuple[Callable[[Bench, Results, int], None], ...] = (measure_processes, measure_ray)


def targets(results: Results) -> Iterator[Target]:
    """Yield the floors of the rates, and the bound of the memory of another worker."""
    for what, (place, other) in FLOORS.items():
        rates = [results.rates(one, "heavy 8") for one in (other, place)]
        yield Target(what, FLOOR, ratio(*rates))
    pairs = zip(results.memory["workers"], results.memory["one"], strict=True)
    added = statistics.median(two.proportional - one.proportional for two, one in pairs)
    yield most("memory of the second worker", ADDED, added, " MB")


def blocks(results: Results) -> dict[str, str]:
    """The blocks of the document."""
    loads = [
        [
            point.replace(" ", ", ") + " client" * (point == "light 1"),
            name,
            *wrk.cells(results.loads[place][point]),
        ]
        for point in POINTS
        for place, (name, points) in PLACES.items()
        if point in points
    ]
    memories = [
        [name, *(shown(figures.median(results.memory[place], what)) for what in MEASURES)]
        for place, name in MEMORY.items()
    ]
    head = ["load", "server", "requests a second", "p50, ms", "p99, ms", "failed"]
    return {
        "machine": results.machine,
        "floors": figures.targets_table(list(targets(results))),
        "loads": table(head, loads),
        "cost": _cost(results),
        "memory": table(["", "PSS, MB", "USS, MB"], memories),
    }


def _cost(results: Results) -> str:
    """Milliseconds that a request takes more through a proxy than if its replica is asked."""
    rows = []
    for place in ("haproxy 1", "python 1"):
        more = [
            results.median(place, "light 1", what) - results.median("direct", "light 1", what)
            for what in ("p50", "p99")
        ]
        rates = [results.rates(one, "light 16") for one in ("direct", place)]
        rows.append([PLACES[place][0], *map(shown, more), shown(ratio(*rates), "×")])
    head = ["light load", "p50 more, ms", "p99 more, ms", "requests a second, 16 clients"]
    return table(head, rows)


def measure(options: Options) -> Report:
    """Measure, and keep the results."""
    wrk.find()
    results = Results()
    with scratch() as folder:
        bench = Bench(Path(folder))
        bench.write()
        for order in (1,) if options.quick else (1, -1, 1):
            for part in PARTS[::order]:
                part(bench, results, order)
    if not options.quick:
        FILE.write_bytes(FORMAT.dump_json(results, indent=1) + b"\n")
    return Report(blocks(results), document=SCALING)


if __name__ == "__main__":
    serve_on_ray(int(sys.argv[1]))
