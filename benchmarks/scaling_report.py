"""Tables and floors of `benchmarks.scaling`."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks import figures
from benchmarks.figures import Target, shown, table, targets_table

if TYPE_CHECKING:
    from benchmarks.scaling import Results

NAMES = {
    "one": "one process",
    "workers": "two workers",
    "direct": "a replica, asked directly",
    "haproxy 1": "Ray, one replica, HAProxy",
    "haproxy 2": "Ray, two replicas, HAProxy",
    "python 1": "Ray, one replica, proxy in Python",
    "python 2": "Ray, two replicas, proxy in Python",
}
LOADS = {
    "light 1": "light, 1 client",
    "light 4": "light, 4",
    "light 16": "light, 16",
    "heavy 1": "heavy, 1",
    "heavy 8": "heavy, 8",
}
MEMORY = {
    "one": "one process",
    "workers": "two workers",
    "replica": "a replica on Ray",
    "two replicas": "two replicas on Ray",
    "ray": "Ray with three replicas and both proxies",
}
RATE_AND_TIMES = ("requests_per_second", "p50", "p99")
MEASURES = ("proportional", "unique")
FLOOR = 1.6  # times the requests of one, with the heavy load
ADDED = 60  # megabytes of the second worker


def median(results: Results, place: str, point: str, what: str) -> float:
    """The median of all rounds."""
    return figures.median(results.loads[place][point], what)


def over(results: Results, place: str, other: str, point: str) -> float:
    """Requests per second over those of another place, the median of the rounds."""
    pairs = zip(results.loads[place][point], results.loads[other][point], strict=True)
    return statistics.median(
        one.requests_per_second / two.requests_per_second for one, two in pairs
    )


def added(results: Results, place: str, other: str) -> float:
    """Megabytes that a place takes more than another, the median of the rounds."""
    pairs = zip(results.memory[place], results.memory[other], strict=True)
    return statistics.median(one.proportional - two.proportional for one, two in pairs)


def targets(results: Results) -> Sequence[Target]:
    """The floors."""
    floors = [
        Target(f"{what}, heavy{proxy}", FLOOR, over(results, place, other, "heavy 8"))
        for what, proxy, place, other in (
            ("two workers over one process", "", "workers", "one"),
            ("two replicas over one", ", HAProxy", "haproxy 2", "haproxy 1"),
            ("two replicas over one", ", proxy in Python", "python 2", "python 1"),
        )
    ]
    second = added(results, "workers", "one")
    return [*floors, Target("memory of the second worker", ADDED, second, False, " MB")]


def blocks(results: Results) -> dict[str, str]:
    """The blocks of the document."""
    return {
        "machine": results.machine,
        "floors": targets_table(targets(results)),
        "loads": _loads(results),
        "cost": _cost(results),
        "memory": _memory(results),
    }


def _loads(results: Results) -> str:
    rows = [
        [
            load,
            name,
            *(shown(median(results, place, point, what)) for what in RATE_AND_TIMES),
            str(sum(one.failed for one in results.loads[place][point])),
        ]
        for point, load in LOADS.items()
        for place, name in NAMES.items()
        if point in results.loads[place]
    ]
    head = ["load", "server", "requests a second", "p50, ms", "p99, ms", "failed"]
    return table(head, rows)


def _cost(results: Results) -> str:
    """Milliseconds that a request takes more through a proxy than if its replica is asked."""
    rows = []
    for place in ("haproxy 1", "python 1"):
        direct, through = (
            [median(results, one, "light 1", what) for what in ("p50", "p99")]
            for one in ("direct", place)
        )
        more = [shown(b - a) for a, b in zip(direct, through, strict=True)]
        rows.append([NAMES[place], *more, shown(over(results, place, "direct", "light 16"), "×")])
    head = ["light load", "p50 more, ms", "p99 more, ms", "requests a second, 16 clients"]
    return table(head, rows)


def _memory(results: Results) -> str:
    rows = [
        [name, *(shown(figures.median(results.memory[place], what)) for what in MEASURES)]
        for place, name in MEMORY.items()
    ]
    return table(["", "PSS, MB", "USS, MB"], rows)
