"""Replicas for many students: a simulation fed with the service times of `benchmarks.scaling`.

A replica answers whatever waits, up to a batch, in `fixed + each × requests` seconds. These two
numbers are fitted to the measured rates with one client and with sixteen, and for two replicas on
Ray a third one: how much longer a batch takes where they and Ray share two cores. The other
measured rates check the simulation. Each replica has a core.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.document import SCALING
from benchmarks.figures import Options, Report, shown, table
from benchmarks.scaling import BEAM, PLACES, Results, kept
from heed.app.inference.batching import MAX_ROWS

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
SLOWEST = 4.0


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """Requests per second, and the 99th percentile of their seconds."""

    rate: float
    p99: float


def simulated(
    service: Service, replicas: int = 1, *, clients: int = 0, rate: float = 0.0
) -> Outcome:
    """Simulate clients that ask again once they have an answer, as wrk does, or random arrivals.

    A request waits at the replica with the fewest, which answers all that wait, up to a batch.
    """
    chance = random.Random(1)
    queues: list[deque[float]] = [deque() for _ in range(replicas)]  # when each was asked
    running: list[list[float]] = [[] for _ in range(replicas)]
    events: list[tuple[float, int]] = []  # ends of batches by replica, or an arrival
    took: list[float] = []

    def ask(now: float) -> None:
        least = min(range(replicas), key=lambda one: len(queues[one]) + len(running[one]))
        queues[least].append(now)

    def arrive_after(now: float) -> None:
        heapq.heappush(events, (now + chance.expovariate(rate), replicas))

    def answer(now: float, replica: int) -> None:
        batch = running[replica]
        while batch:
            if now > WARM * SECONDS:
                took.append(now - batch[0])
            del batch[0]
            if clients:
                ask(now)

    for _ in range(clients):
        ask(0.0)
    if rate:
        arrive_after(0.0)
    now = 0.0
    while True:
        for replica, queue in enumerate(queues):
            if queue and not running[replica]:
                running[replica] = [queue.popleft() for _ in range(min(len(queue), service.batch))]
                ends = now + service.seconds(len(running[replica]))
                heapq.heappush(events, (ends, replica))
        now, replica = heapq.heappop(events)
        if now >= SECONDS:
            break
        if replica < replicas:
            answer(now, replica)
        else:
            ask(now)
            arrive_after(now)
    p99 = sorted(took)[int(0.99 * len(took))] if took else math.inf
    return Outcome(len(took) / (SECONDS * (1 - WARM)), p99)


def bisected(low: float, high: float, too_high: Callable[[float], bool]) -> float:
    """Return the largest value that is not too high."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return low


def fitted(results: Results, place: str) -> Service:
    """Return the service that gives the measured rates of light loads, one client and sixteen."""
    alone, rate = 1 / results.median(place, "light 1"), results.median(place, "light 16")

    def service(each: float) -> Service:
        return Service(alone - each, each, BATCHES["light"])

    return service(
        bisected(0, alone, lambda each: simulated(service(each), clients=16).rate < rate)
    )


def slowdown(results: Results, service: Service, place: str) -> float:
    """Return how much longer a batch takes where two replicas and Ray share two cores."""
    rate = results.median(place, "light 16")
    return bisected(
        1, SLOWEST, lambda times: simulated(service.slower(times), 2, clients=16).rate < rate
    )


@dataclass(frozen=True, slots=True)
class Check:
    """A measured rate, and that of the simulation."""

    name: str
    measured: float
    simulated: float

    @property
    def difference(self) -> float:
        """The share by which the simulation differs."""
        return self.simulated / self.measured - 1


def checks(results: Results, light: Service) -> list[Check]:
    """Return the rates that were not fitted."""
    heavy = Service(1 / results.median("one", "heavy 1"), 0, BATCHES["heavy"])
    times = slowdown(results, fitted(results, "haproxy 1"), "haproxy 2")
    wanted = [
        ("one", "light 4", light, 1),
        ("one", "heavy 8", heavy, 1),
        ("workers", "light 16", light, 2),
        ("workers", "heavy 8", heavy, 2),
        ("haproxy 1", "heavy 8", heavy, 1),
        ("haproxy 2", "heavy 8", heavy.slower(times), 2),
    ]
    return [
        Check(
            f"{PLACES[place][0]}, {point}",
            results.median(place, point),
            simulated(service, replicas, clients=int(point.split()[1])).rate,
        )
        for place, point, service, replicas in wanted
    ]


def capacity(service: Service) -> float:
    """Return the requests per second that a replica takes before the p99 is too long."""
    most = service.batch / service.seconds(service.batch)
    return bisected(most / 100, most, lambda rate: simulated(service, rate=rate).p99 > P99)


def blocks(found: list[Check], light: Service) -> dict[str, str]:
    """The blocks of the document."""
    rows = [
        [one.name, shown(one.measured), shown(one.simulated), f"{one.difference:+.0%}"]
        for one in found
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
        p99 = simulated(service, rate=rate / needed).p99
        replicas = needed + SPARE
        machines = math.ceil(replicas / MACHINE)
        needs = [f"{needed:,}", shown(1e3 * p99), f"{replicas:,}", f"{machines:,}"]
        rows.append([f"{students:,}", f"{rate:,.0f}", *needs])
    head = ["students", "requests a second", "replicas needed", "p99, ms"]
    return table([*head, "cores, with a spare one", f"machines of {MACHINE} cores"], rows)


def measure(_: Options) -> Report:
    """Simulate, or raise `ValueError` if the simulation differs from what was measured."""
    results = kept()
    light = fitted(results, "one")
    found = checks(results, light)
    if any(abs(check.difference) > WITHIN for check in found):
        raise ValueError(f"the simulation differs too much: {found}")
    return Report(blocks(found, light), document=SCALING)
