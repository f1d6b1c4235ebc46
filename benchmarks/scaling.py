"""`make bench-scaling`: one process, several workers and Ray under the same two loads.

All run on one machine, in turns, with one thread for each model. The light load is one sentence of
20 tokens, with greedy search; the heavy one has 40 words, and beam search with ten hypotheses. Both
write 20 tokens. No two texts in a row are the same, and caches are off. The figures
go to `scaling.json`, which `benchmarks.simulation` reads too, and to docs/scaling.md.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import document, scaling_report, served, wrk
from benchmarks.case import RNN, scratch, tokenizer_of
from benchmarks.figures import machine
from benchmarks.memory import Memory, memory
from benchmarks.no_eos import write_no_eos
from benchmarks.ray_server import REPLICAS
from benchmarks.sentences import SEED, sentences

FILE = Path(__file__).with_name("scaling.json")
ROUNDS = 3
QUEUE = 1_000  # long enough that no request is refused
TOKENS, WORDS, BEAM = 20, 40, 10
TEXTS = 400
REPLICA_PORTS = range(30_000, 30_020)  # that Ray gives to replicas
FALLBACK_PORT = 8500  # of Ray's proxy in Python, beside HAProxy
WARM_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Point:
    """A load: its kind, and the number of clients that each wait for their answer."""

    kind: str  # light or heavy
    clients: int
    seconds: float

    @property
    def name(self) -> str:
        """The name in the results."""
        return f"{self.kind} {self.clients}"


ALONE, SOME, MANY = Point("light", 1, 4), Point("light", 4, 4), Point("light", 16, 6)
SLOW, HEAVY = Point("heavy", 1, 4), Point("heavy", 8, 8)
POINTS = ALONE, SOME, MANY, SLOW, HEAVY
PLACES: dict[str, tuple[Point, ...]] = {
    "one": (ALONE, SOME, MANY, SLOW, HEAVY),
    "workers": (MANY, HEAVY),
    "direct": (ALONE, MANY),
    "haproxy 1": (ALONE, MANY, HEAVY),
    "haproxy 2": (MANY, HEAVY),
    "python 1": (ALONE, MANY, HEAVY),
    "python 2": (MANY, HEAVY),
}
"""The addresses of the measurement, and its loads."""
PLACES_OF = {
    "processes": ("one", "workers"),
    "ray": tuple({*PLACES, "ray", "replica", "two replicas"} - {"one", "workers"}),
}


@dataclass
class Results:
    """All rounds: loads by place and point, and memory by place."""

    loads: dict[str, dict[str, list[wrk.Load]]]
    memory: dict[str, list[Memory]]
    machine: str = ""

    @classmethod
    def read(cls) -> Results:
        """Return the results of the last run."""
        found = json.loads(FILE.read_text("utf-8"))
        loads = {
            place: {point: [wrk.Load(**one) for one in each] for point, each in points.items()}
            for place, points in found["loads"].items()
        }
        memories = {
            place: [Memory(**one) for one in each] for place, each in found["memory"].items()
        }
        return cls(loads, memories, found["machine"])

    def write(self) -> None:
        """Keep them."""
        FILE.write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")

    def note(self, place: str, point: Point, load: wrk.Load) -> None:
        """Add a round."""
        self.loads.setdefault(place, {}).setdefault(point.name, []).append(load)

    def note_memory(self, place: str, pid: int, name: str = "") -> None:
        """Add the memory of a process and of those that it started."""
        self.memory.setdefault(place, []).append(memory(pid, name))


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
            "queue_size": QUEUE,
            "cache_bytes": 0,
            "deadline_seconds": wrk.PATIENCE,
            "log_level": "warning",
        }

    def write(self) -> None:
        """Write the model, which writes as many tokens as it may, and the requests."""
        write_no_eos(self.folder / "weights", [RNN], TOKENS)
        light, beam = sentences(tokenizer_of(RNN), TOKENS, TEXTS), {"kind": "beam", "beam": BEAM}
        for kind, texts, search in (("light", light, {}), ("heavy", long_texts(), beam)):
            same = {"model": RNN, "search": search, "detail": "weights"}
            lines = (json.dumps({"text": text, **same}) + "\n" for text in texts)
            self.bodies(kind).write_text("".join(lines), "utf-8")

    def bodies(self, kind: str) -> Path:
        """The requests of a load, one on each line."""
        return self.folder / f"{kind}.jsonl"

    def measure(self, results: Results, addresses: Mapping[str, str]) -> None:
        """Measure some places in turns, load by load."""
        for point in POINTS:
            bodies = self.bodies(point.kind)
            for place in (place for place in addresses if point in PLACES[place]):
                url = f"{addresses[place]}/api/v1/translate"
                wrk.load(url, bodies, point.clients, WARM_SECONDS)
                results.note(place, point, wrk.load(url, bodies, point.clients, point.seconds))
                print(".", end="", file=sys.stderr, flush=True)


def long_texts() -> list[str]:
    """Return different texts of so many words."""
    tokenizer = tokenizer_of(RNN)
    texts = (tokenizer.text_of(id) for id in range(len(tokenizer)))
    words = [text[1:] for text in texts if text[0] == " " and text[1:].isalpha() and len(text) > 3]
    chance = random.Random(SEED)
    return [" ".join(chance.choices(words, k=WORDS)) for _ in range(TEXTS)]


def measure_processes(bench: Bench, results: Results, *, backwards: bool) -> None:
    """Measure one process, and two workers."""
    with (
        served.heed(**bench.settings) as one,
        served.heed(**bench.settings, workers=2) as workers,
    ):
        servers = {"one": one, "workers": workers}
        bench.measure(results, turns({k: v.address for k, v in servers.items()}, backwards))
        for place, server in servers.items():
            results.note_memory(place, server.pid)


def measure_ray(bench: Bench, results: Results, *, backwards: bool) -> None:
    """Measure a cluster: replicas through HAProxy, through the proxy in Python, and directly."""
    port = served.free_port()
    with cluster(bench, port) as pid:
        one, two = REPLICAS
        addresses = {"direct": asked_directly(one)}
        for proxy, at in (("haproxy", port), ("python", FALLBACK_PORT)):
            for name, replicas in REPLICAS.items():
                addresses[f"{proxy} {replicas}"] = f"http://127.0.0.1:{at}/{name}"
        bench.measure(results, turns(addresses, backwards))
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


def turns(addresses: Mapping[str, str], backwards: bool) -> dict[str, str]:
    """Return the places in their order, or in the opposite one."""
    return dict(list(addresses.items())[::-1] if backwards else addresses.items())


@contextmanager
def cluster(bench: Bench, port: int) -> Iterator[int]:
    """Run a Ray cluster until the end of the block; yield the id of its process."""
    environment = {
        **os.environ,
        **{f"HEED_{name.upper()}": str(value) for name, value in bench.settings.items()},
        "RAY_SERVE_ENABLE_HA_PROXY": "1",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    command = [sys.executable, "-m", "benchmarks.ray_server", str(port)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
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


PARTS = {"processes": measure_processes, "ray": measure_ray}


def measure(parts: Sequence[str]) -> Results:
    """Measure these parts, or all; keep the results of the others."""
    results = Results.read() if parts else Results({}, {}, machine())
    for place in (place for part in parts for place in PLACES_OF[part]):
        results.loads.pop(place, None)
        results.memory.pop(place, None)
    with ExitStack() as stack:
        bench = Bench(Path(stack.enter_context(scratch())))
        bench.write()
        for number in range(ROUNDS):
            backwards = bool(number % 2)
            for part in sorted(parts or PARTS, reverse=backwards):
                PARTS[part](bench, results, backwards=backwards)
    print(file=sys.stderr)
    return results


def main() -> int:
    """Measure, keep the results, and write the figures into the document."""
    if wrk.missing():
        sys.exit(wrk.ADVICE)
    if set(sys.argv[1:]) - set(PARTS):
        sys.exit(f"python -m benchmarks.scaling [{'] ['.join(PARTS)}]")
    results = measure(sys.argv[1:])
    results.write()
    for one in (blocks := scaling_report.blocks(results)).values():
        print(f"\n{one}")
    document.write(blocks, document=document.SCALING)
    return 0


if __name__ == "__main__":
    sys.exit(main())
