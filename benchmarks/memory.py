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
                megabytes = _megabytes(Path(f"/proc/{one}/smaps_rollup"))
                proportional += megabytes["Pss"]
                unique += sum(megabytes[one] for one in PRIVATE)
    return Memory(proportional, unique)


def resident(pid: int) -> float:
    """Resident megabytes of a process."""
    status = Path(f"/proc/{pid}/status")
    return _megabytes(status)["VmRSS"] if status.exists() else float("nan")


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in task.read_text().split():
                yield from family(int(child))


def _megabytes(file: Path) -> dict[str, float]:
    lines = (line.split() for line in file.read_text().splitlines())
    return {words[0].rstrip(":"): int(words[1]) / 1024 for words in lines if words[-1] == "kB"}
