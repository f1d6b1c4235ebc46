"""Memory of a process and of those that it started, on Linux."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PRIVATE = ("Private_Clean", "Private_Dirty")


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of several processes together."""

    proportional: float  # each shared page divided among those that share it
    unique: float  # pages that no other process has


def memory(pid: int, name: str = "") -> Memory:
    """Return the memory of a process and its descendants, or of those whose command has a name."""
    proportional = unique = 0.0
    for one in family(pid):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
            if name.encode() in Path(f"/proc/{one}/cmdline").read_bytes():
                lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()[1:]
                kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
                proportional += kilobytes["Pss"] / 1024
                unique += sum(kilobytes[one] for one in PRIVATE) / 1024
    return Memory(proportional, unique)


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in task.read_text().split():
                yield from family(int(child))
