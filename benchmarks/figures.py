"""Ratios, targets and tables. Machines are noisy: only figures of the same run are compared."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Row = Sequence[str]


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


def targets_table(targets: Sequence[Target]) -> str:
    """The table of targets."""
    return table(["figure", "target", "measured", "met"], [target.row for target in targets])
