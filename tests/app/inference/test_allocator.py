"""The memory that the C allocator holds."""

from __future__ import annotations

import subprocess
import sys

import pytest

from heed.app.inference import allocator
from heed.app.inference.allocator import MemoryTrimmer

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


@pytest.mark.skipif(sys.platform != "linux", reason="glibc has arenas")
def test_all_threads_allocate_from_one_arena() -> None:
    command = [sys.executable, "-c", USES_THREADS]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert said.count("Arena ") == 1
