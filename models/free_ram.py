"""The RAM that is free for another model."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

SYSTEM: Final = Path("/proc/meminfo")
LIMIT: Final = Path("/sys/fs/cgroup/memory.max")
USED: Final = Path("/sys/fs/cgroup/memory.current")
KIBIBYTE: Final = 1024


def free_ram() -> float:
    """Return the bytes that are free, of the machine or its container; infinity if unknown."""
    return min(_of_system(), _of_container())


def _of_system() -> float:
    try:
        lines = SYSTEM.read_text("ascii").splitlines()
        (available,) = (line for line in lines if line.startswith("MemAvailable:"))
        return float(available.split()[1]) * KIBIBYTE
    except (OSError, ValueError):
        return math.inf


def _of_container() -> float:
    """Read the limit of a control group (cgroup v2)."""
    try:
        return float(LIMIT.read_text("ascii")) - float(USED.read_text("ascii"))
    except (OSError, ValueError):  # no limit: "max"
        return math.inf
