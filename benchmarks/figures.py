"""Rounds, ratios, targets and tables. Machines are noisy: figures are compared within a run."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.document import PERFORMANCE

Row = Sequence[str]
Figure = TypeVar("Figure")


class MissingError(RuntimeError):
    """A program that a benchmark needs is not installed."""


def seconds(call: Callable[[], object]) -> float:
    """Measure one call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def in_turns(
    ways: Mapping[str, Callable[[], Figure]], rounds: int, warmup: int = 0
) -> dict[str, list[Figure]]:
    """Measure each way once in every round, so that a slow moment affects all of them."""
    measured: dict[str, list[Figure]] = {name: [] for name in ways}
    for number in range(warmup + rounds):
        for name, way in ways.items():
            figure = way()
            if number >= warmup:
                measured[name].append(figure)
    return measured


def dotted(measured: Iterable[Figure]) -> Iterator[Figure]:
    """Print a dot of progress for each figure."""
    for figure in measured:
        print(".", end="", file=sys.stderr, flush=True)
        yield figure
    print(file=sys.stderr)


def median(measured: Iterable[object], what: str) -> float:
    """Return the median of an attribute."""
    return float(statistics.median(getattr(one, what) for one in measured))


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the median over the rounds of `other` divided by `one`."""
    if not one or len(one) != len(other):
        raise ValueError("both must have been measured in the same rounds")
    return statistics.median(second / first for first, second in zip(one, other, strict=True))


def machine() -> str:
    """The machine, in words."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def shown(value: float, unit: str = "") -> str:
    """A figure in three digits, with thousands set apart."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}{unit}"


def times(value: float) -> str:
    """A ratio."""
    return shown(value, "×")


def table(head: Row, rows: Iterable[Row]) -> str:
    """A Markdown table; all columns but the first stand to the right."""
    lines = [list(head), ["---", *["---:"] * (len(head) - 1)], *map(list, rows)]
    if any(len(line) != len(head) for line in lines):
        raise ValueError("every row needs a cell for each column")
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def milliseconds(measured: Sequence[float]) -> str:
    """The median of seconds, in milliseconds."""
    return shown(1e3 * statistics.median(measured))


def compared(head: Row, measured: Mapping[str, Sequence[float]]) -> str:
    """A table of the seconds of several ways, in milliseconds, and of each over the first."""
    first = next(iter(measured.values()))
    rows = [
        [name, milliseconds(each), times(ratio(first, each))] for name, each in measured.items()
    ]
    return table(head, rows)


def paired(head: Row, measured: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """A table of two ways for each name, in milliseconds, and of the second over the first."""
    return table(head, [pair_row(name, pair) for name, pair in measured.items()])


def pair_row(name: str, pair: Mapping[str, Sequence[float]]) -> list[str]:
    """The row of two ways in such a table."""
    return [name, *map(milliseconds, pair.values()), times(ratio(*pair.values()))]


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and its bound."""

    what: str
    bound: float
    found: float
    at_least: bool = True
    unit: str = "×"

    @property
    def met(self) -> bool:
        """`True` if the figure keeps its bound."""
        return self.found >= self.bound if self.at_least else self.found <= self.bound

    @property
    def row(self) -> list[str]:
        """The row of the table."""
        sign = "≥" if self.at_least else "≤"
        found = shown(self.found, self.unit)
        return [self.what, f"{sign} {self.bound:g}{self.unit}", found, "yes" if self.met else "no"]


def most(what: str, bound: float, found: float, unit: str = "×") -> Target:
    """Return a target whose bound is the most that is allowed."""
    return Target(what, bound, found, at_least=False, unit=unit)


def targets_table(targets: Sequence[Target]) -> str:
    """The table of targets."""
    return table(["figure", "target", "measured", "met"], [target.row for target in targets])


@dataclass(frozen=True, slots=True)
class Report:
    """The tables of one part by the names of their places in a document, and its targets."""

    blocks: Mapping[str, str]
    targets: Sequence[Target] = ()
    plot: str | None = None
    document: Path | None = PERFORMANCE


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the command line."""

    quick: bool = False
    data: Path | None = None
    count: int = 0

    @property
    def corpora(self) -> Path:
        """The folder of the corpora."""
        if self.data is None:
            raise MissingError("the corpora are missing: --data FOLDER names them")
        return self.data
