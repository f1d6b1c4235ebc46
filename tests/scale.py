"""The extent of long tests: short in the gate, long with `LONG=1` (`make fuzz`, `make soak`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

Amount = TypeVar("Amount", int, float)

LONG = os.environ.get("LONG") == "1"


def amount(quick: Amount, long: Amount) -> Amount:
    """Return the short or the long extent, by `LONG`."""
    return long if LONG else quick


def report(**figures: object) -> None:
    """Print what was measured; `make soak` and `make fuzz` show it."""
    print("\n  measured:", *(f"{name}={_short(value)}" for name, value in figures.items()))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])


def open_files(pid: int) -> int:
    """Return the number of file descriptors that a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
