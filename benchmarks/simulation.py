"""Replicas for many students: a simulation fed with the service times of `benchmarks.scaling`.

A replica answers whatever waits, up to a batch, in `fixed + each × requests` seconds. These two
numbers follow from the rates that were measured with one client, whose batches have one request,
and with sixteen, whose batches are full. Requests are spread at random, so the replicas are alike
and one is simulated. Each has a core.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.document import SCALING
from benchmarks.figures import Options, Report, shown, table
from benchmarks.scaling import Results, kept
from heed.app.inference.batching import MAX_ROWS

SECONDS = 60.0  # simulated
WARM = 0.1  # of them, left out
P99 = 0.3
ASK_EVERY = 20.0
STUDENTS = (100, 1_000, 10_000, 1_000_000)
MACHINE = 8  # cores of a machine, in the table
SPARE = 1  # replicas, so that one may end
STEPS = 20  # of a bisection


@dataclass(frozen=True, slots=True)
class Service:
    """Seconds of a batch: those of any, and those of each request in it."""

    fixed: float
    each: float

    def seconds(self, requests: int) -> float:
        """The seconds of a batch."""
        return self.fixed + self.each * requests

    def rate(self, requests: int) -> float:
        """Requests per second where all batches have so many."""
        return requests / self.seconds(requests)

    def p99(self, rate: float) -> float:
        """The 99th percentile of the seconds of requests that arrive at random at this rate."""
        chance = random.Random(1)
        arrives, ends = chance.expovariate(rate), 0.0
        waiting: deque[float] = deque()
        took: list[float] = []
        while ends < SECONDS:
            begins = max(ends, waiting[0] if waiting else arrives)
            while arrives <= begins:
                waiting.append(arrives)
                arrives += chance.expovariate(rate)
            batch = [waiting.popleft() for _ in range(min(len(waiting), MAX_ROWS))]
            ends = begins + self.seconds(len(batch))
            if ends > WARM * SECONDS:
                took += [ends - asked for asked in batch]
        return sorted(took)[int(0.99 * len(took))]


def fitted(results: Results) -> Service:
    """Return the service of one process under light loads."""
    alone, full = (
        requests / results.median("one", point)
        for point, requests in (("light 1", 1), (f"light {MAX_ROWS}", MAX_ROWS))
    )
    each = (full - alone) / (MAX_ROWS - 1)
    return Service(alone - each, each)


def bisected(low: float, high: float, too_high: Callable[[float], bool]) -> float:
    """Return the largest value that is not too high."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if too_high(middle) else (middle, high)
    return low


def capacity(service: Service) -> float:
    """Return the requests per second that a replica takes before the p99 is too long."""
    most = service.rate(MAX_ROWS)
    return bisected(most / 100, most, lambda rate: service.p99(rate) > P99)


def blocks(light: Service, four: float) -> dict[str, str]:
    """The blocks of the document, with the rate that was measured with four clients."""
    most = capacity(light)
    return {
        "service": (
            f"A batch of *n* light requests takes {1e3 * light.fixed:.1f} + {1e3 * light.each:.1f} "
            f"× *n* ms; with four clients, that is {light.rate(4):.0f} requests a second, and "
            f"{four:.0f} were measured. With requests that arrive at random, a replica takes "
            f"{most:.0f} of them a second before the 99th percentile exceeds {1e3 * P99:.0f} ms."
        ),
        "students": _students(light, most),
    }


def _students(service: Service, most: float) -> str:
    rows = []
    for students in STUDENTS:
        rate = students / ASK_EVERY
        needed = math.ceil(rate / most)
        replicas = needed + SPARE
        machines = math.ceil(replicas / MACHINE)
        p99 = shown(1e3 * service.p99(rate / needed))
        needs = [f"{needed:,}", p99, f"{replicas:,}", f"{machines:,}"]
        rows.append([f"{students:,}", f"{rate:,.0f}", *needs])
    head = ["students", "requests a second", "replicas needed", "p99, ms"]
    return table([*head, "cores, with a spare one", f"machines of {MACHINE} cores"], rows)


def measure(_: Options) -> Report:
    """Simulate."""
    results = kept()
    return Report(blocks(fitted(results), results.median("one", "light 4")), document=SCALING)
