"""How much is done: little in the gate, much with `LONG=1`, as `make fuzz` and `make soak` do."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

Amount = TypeVar("Amount", int, float)

LONG = os.environ.get("LONG") == "1"


def amount(quick: Amount, long: Amount) -> Amount:
    """As much as is to be done now."""
    return long if LONG else quick


def told(**figures: object) -> None:
    """Print what was measured; `make soak` and `make fuzz` show it."""
    print("\n  measured:", *(f"{name}={_short(value)}" for name, value in figures.items()))


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of all is not above."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


def resident(pid: int) -> int:
    """Bytes of a process that are in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(status.partition("VmRSS:")[2].split()[0])


def open_files(pid: int) -> int:
    """Files, sockets and the like that a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
