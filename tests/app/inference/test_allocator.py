"""The memory that the C allocator holds."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from heed.app.inference import allocator
from heed.app.inference.allocator import MemoryTrimmer
from tests.live import live

ARENA = 64 << 20
"""Bytes of addresses of an arena of a thread, which begins at a multiple of them (arena.c)."""
USES_THREADS = """
import ctypes, threading
from heed.app.inference.allocator import use_one_arena
use_one_arena()
threads = [threading.Thread(target=lambda: bytearray(100_000)) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be trimmed")
def test_memory_is_trimmed_only_after_the_process_has_grown() -> None:
    assert MemoryTrimmer(growth_bytes=-(1024**4)).trim()
    assert not MemoryTrimmer(growth_bytes=1024**4).trim()


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be trimmed")
def test_memory_of_work_that_ends_after_others_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    resident = [100, 160, 160, 160, 120]  # at the start, and before and after each trim
    monkeypatch.setattr(allocator, "resident_bytes", lambda: resident.pop(0))
    trimmer = MemoryTrimmer(growth_bytes=8)
    assert trimmer.trim(running=50)  # nothing was free
    assert trimmer.trim()
    assert not resident


def test_a_c_library_that_cannot_trim_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert not MemoryTrimmer(growth_bytes=-(1024**4)).trim()


def arenas_of_threads(pid: int) -> int:
    """Count the blocks of addresses that glibc has reserved for arenas of threads."""
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    ranges = [
        (line.split()[1], *(int(end, 16) for end in line.split()[0].split("-"))) for line in lines
    ]
    return sum(
        used.startswith("rw") and rest == "---p" and start % ARENA == 0 and end - start == ARENA
        for (used, start, _), (rest, _, end) in pairwise(ranges)
    )


@pytest.mark.skipif(sys.platform != "linux", reason="glibc has arenas")
def test_a_server_has_one_arena(tmp_path: Path) -> None:
    with live(tmp_path) as server:
        httpx.post(f"{server.url}/api/v1/translate", json={"text": "3 may"}, timeout=60)
        assert arenas_of_threads(server.pid) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="glibc has arenas")
def test_all_threads_allocate_from_one_arena() -> None:
    command = [sys.executable, "-c", USES_THREADS]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert said.count("Arena ") == 1
