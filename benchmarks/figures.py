"""Medians, ratios and tables. Machines are noisy: what is compared was measured side by side."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

Row = Sequence[str]


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """How many times larger `other` is: round by round, and of that the median."""
    if not one or len(one) != len(other):
        raise ValueError("both must have been measured in the same rounds")
    return statistics.median(theirs / ours for ours, theirs in zip(one, other, strict=True))


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
