"""Replicas for many students: a simulation fed with the service times of `benchmarks.scaling`.

A replica answers whatever waits, up to a batch, in `fixed + each × requests` seconds. These two
numbers are fitted to the measured rates with one client and with sixteen, and for two replicas on
Ray a third one: how much longer a batch takes where they and Ray share two cores. The other
measured rates check the simulation.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import simpy

from benchmarks import document
from benchmarks.figures import shown, table
from benchmarks.scaling import BEAM, Results
from benchmarks.scaling_report import NAMES, median
from heed.app.inference.batching import MAX_ROWS

CORES = 2  # of the machine that was measured
BATCHES = {"light": MAX_ROWS, "heavy": MAX_ROWS // BEAM}
"""Requests in the largest batch."""
SECONDS = 60.0  # simulated
WARM = 0.1  # of them, left out
WITHIN = 0.15
P99 = 0.3
ASK_EVERY = 20.0
STUDENTS = (100, 1_000, 10_000, 1_000_000)
MACHINE = 8  # cores of a machine, in the table
SPARE = 1  # replicas, so that one may end
STEPS = 20  # of each bisection
Event = Generator[Any, Any, None]


@dataclass(frozen=True, slots=True)
class Service:
    """Seconds of a batch, and its largest size."""

    fixed: float
    each: float
    batch: int

    def seconds(self, requests: int) -> float:
        """The seconds of a batch."""
        return self.fixed + self.each * requests

    def slower(self, times: float) -> Service:
        """The same, taking so many times as long."""
        return Service(self.fixed * times, self.each * times, self.batch)


@dataclass
class Machine:
    """Replicas that share the cores of a machine, or have enough of them."""

    env: simpy.Environment
    service: Service
    replicas: int
    cores: simpy.Resource
    took: list[tuple[float, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.queues = [simpy.Store(self.env) for _ in range(self.replicas)]
        self.load = [0] * self.replicas  # requests that wait or run
        for number in range(self.replicas):
            self.env.process(self._replica(number))

    def ask(self) -> Event:
        """Send a request to the replica with the fewest, and wait for its answer."""
        began = self.env.now
        least = min(range(self.replicas), key=self.load.__getitem__)
        self.load[least] += 1
        answered = self.env.event()
        yield self.queues[least].put(answered)
        yield answered
        self.load[least] -= 1
        self.took.append((self.env.now, self.env.now - began))

    def _replica(self, number: int) -> Event:
        queue = self.queues[number]
        while True:
            batch = [(yield queue.get())]
            while queue.items and len(batch) < self.service.batch:
                batch.append((yield queue.get()))
            yield from self._busy(self.service.seconds(len(batch)))
            for answered in batch:
                answered.succeed()

    def _busy(self, seconds: float) -> Event:
        with self.cores.request() as core:
            yield core
            yield self.env.timeout(seconds)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Requests per second, and the 99th percentile of their seconds."""

    rate: float
    p99: float


def closed(service: Service, replicas: int, clients: int) -> Outcome:
    """Simulate clients that each ask again as soon as they have their answer, as wrk does."""

    def client(machine: Machine) -> Event:
        while True:
            yield from machine.ask()

    return _run(service, replicas, CORES, lambda machine: [client(machine) for _ in range(clients)])


def open_(service: Service, rate: float, replicas: int = 1) -> Outcome:
    """Simulate requests that arrive at random, on replicas with a core each."""
    chance = random.Random(1)

    def arrivals(machine: Machine) -> Event:
        while True:
            yield machine.env.timeout(chance.expovariate(rate))
            machine.env.process(machine.ask())

    return _run(service, replicas, 2 * replicas, lambda machine: [arrivals(machine)])


def _run(
    service: Service, replicas: int, cores: int, clients: Callable[[Machine], list[Event]]
) -> Outcome:
    env = simpy.Environment()
    machine = Machine(env, service, replicas, simpy.Resource(env, cores))
    for one in clients(machine):
        env.process(one)
    env.run(SECONDS)
    took = sorted(seconds for at, seconds in machine.took if at > WARM * SECONDS)
    p99 = took[int(0.99 * len(took))] if took else math.inf
    return Outcome(len(took) / (SECONDS * (1 - WARM)), p99)


def bisected(low: float, high: float, too_high: Callable[[float], bool]) -> float:
    """Return the largest value that is not too high."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return low


def fitted(results: Results, place: str, few: str, many: str) -> Service:
    """Return the service that gives the measured rates with one client and with many."""
    alone = 1 / median(results, place, few, "requests_per_second")
    rate, clients = median(results, place, many, "requests_per_second"), int(many.split()[1])
    batch = BATCHES[many.split()[0]]

    def too_slow(each: float) -> bool:
        return closed(Service(alone - each, each, batch), 1, clients).rate < rate

    each = bisected(0, alone, too_slow)
    return Service(alone - each, each, batch)


def slowdown(results: Results, service: Service, place: str, point: str) -> float:
    """Return how much longer a batch takes where two replicas and Ray share two cores."""
    rate, clients = median(results, place, point, "requests_per_second"), int(point.split()[1])
    slowest = 4.0
    return bisected(1, slowest, lambda times: closed(service.slower(times), 2, clients).rate < rate)


@dataclass(frozen=True, slots=True)
class Check:
    """A measured rate, and that of the simulation."""

    place: str
    point: str
    measured: float
    simulated: float

    @property
    def difference(self) -> float:
        """The share by which the simulation differs."""
        return self.simulated / self.measured - 1


def checks(results: Results) -> tuple[Service, list[Check]]:
    """Fit the services; return that of the light load, and the rates that were not fitted."""
    light = fitted(results, "one", "light 1", "light 16")
    alone = 1 / median(results, "one", "heavy 1", "requests_per_second")
    heavy = Service(alone, 0, BATCHES["heavy"])
    ray = fitted(results, "haproxy 1", "light 1", "light 16")
    times = slowdown(results, ray, "haproxy 2", "light 16")
    wanted = [
        ("one", "light 4", light, 1),
        ("one", "heavy 8", heavy, 1),
        ("workers", "light 16", light, 2),
        ("workers", "heavy 8", heavy, 2),
        ("haproxy 1", "heavy 8", heavy, 1),
        ("haproxy 2", "heavy 8", heavy.slower(times), 2),
    ]
    found = []
    for place, point, service, replicas in wanted:
        measured = median(results, place, point, "requests_per_second")
        rate = closed(service, replicas, int(point.split()[1])).rate
        found.append(Check(place, point, measured, rate))
    return light, found


def capacity(service: Service) -> float:
    """Return the requests per second that a replica takes before the p99 is too long."""
    most = service.batch / service.seconds(service.batch)
    return bisected(most / 100, most, lambda rate: open_(service, rate).p99 > P99)


def blocks(results: Results) -> dict[str, str]:
    """The blocks of the document."""
    light, found = checks(results)
    rows = [
        [
            f"{NAMES[check.place]}, {check.point}",
            shown(check.measured),
            shown(check.simulated),
            f"{check.difference:+.0%}",
        ]
        for check in found
    ]
    most = capacity(light)
    return {
        "simulation": table(["requests a second", "measured", "simulated", "difference"], rows),
        "service": (
            f"A batch of *n* light requests takes {1e3 * light.fixed:.1f} + {1e3 * light.each:.1f} "
            f"× *n* ms. With requests that arrive at random, a replica takes {most:.0f} of them a "
            f"second before the 99th percentile exceeds {1e3 * P99:.0f} ms."
        ),
        "students": _students(light, most),
    }


def _students(service: Service, most: float) -> str:
    rows = []
    for students in STUDENTS:
        rate = students / ASK_EVERY
        needed = math.ceil(rate / most)
        p99 = open_(service, rate / needed).p99
        replicas = needed + SPARE
        machines = math.ceil(replicas / MACHINE)
        needs = [f"{needed:,}", shown(1e3 * p99), f"{replicas:,}", f"{machines:,}"]
        rows.append([f"{students:,}", f"{rate:,.0f}", *needs])
    head = [
        "students",
        "requests a second",
        "replicas needed",
        "p99, ms",
        "cores, with a spare one",
    ]
    return table([*head, f"machines of {MACHINE} cores"], rows)


def main() -> int:
    """Simulate, and write the figures into the document; fail if a check does."""
    results = Results.read()
    for one in (made := blocks(results)).values():
        print(f"{one}\n")
    document.write(made, document=document.SCALING)
    return int(any(abs(check.difference) > WITHIN for check in checks(results)[1]))


if __name__ == "__main__":
    sys.exit(main())
