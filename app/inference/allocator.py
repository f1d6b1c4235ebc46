"""Free memory that the C allocator holds, returned to the operating system.

The kernels have `malloc` keep blocks of up to 2 MB for the next batch
(`heed.models.runtime.native.kernels`). Those of a body and of what is made of it would stay for
good. Of the arenas that glibc gives to threads it never trims the top, so that each
would keep the most that its thread has ever used: the server has one arena for all threads.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from functools import cache
from pathlib import Path
from typing import Protocol

STATM = Path("/proc/self/statm")  # Linux
GROWTH_BYTES = 4 * 1024 * 1024
M_ARENA_MAX = -8  # malloc.h of glibc


class Trim(Protocol):
    """`malloc_trim` of glibc."""

    def __call__(self, pad: int, /) -> int:
        """Release free pages of all arenas, all but `pad` bytes at the top of the heap."""


class MemoryTrimmer:
    """Trims the allocator when the process has grown by `growth_bytes` beyond its running work.

    The memory of work that ends while other work is trimmed would otherwise never be returned.
    """

    def __init__(self, growth_bytes: int = GROWTH_BYTES) -> None:
        self._growth_bytes = growth_bytes
        self._trim = _malloc_trim()
        self._least = 0 if self._trim is None else resident_bytes()

    def trim(self, running: int = 0) -> bool:
        """Return free memory if the process has grown; report whether it had.

        `running` are the bytes that work which still runs may take.
        """
        if self._trim is None:
            return False
        rest = resident_bytes() - running
        if rest - self._least <= self._growth_bytes:
            if not running:  # which may be less than it reserved
                self._least = min(self._least, rest)
            return False
        gc.collect(0)  # young reference cycles, of errors for example: a few milliseconds
        self._trim(0)
        self._least = resident_bytes() - running
        return True


def use_one_arena() -> None:
    """Have all threads allocate from one arena, if the C library can (glibc): before they start."""
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None and _malloc_trim():
        mallopt(M_ARENA_MAX, 1)


def release_free_memory() -> None:
    """Return all free memory to the system, if the C library can (glibc)."""
    if (trim := _malloc_trim()) is not None:
        trim(0)


def resident_bytes() -> int:
    """Return the bytes of this process that are in memory."""
    pages = int(STATM.read_text("ascii").split()[1])
    return pages * _page_size()


@cache
def _page_size() -> int:
    import resource

    return resource.getpagesize()


def _malloc_trim() -> Trim | None:
    """Return `malloc_trim` where the C library has it (glibc) and `/proc` says how much is used."""
    if not sys.platform.startswith("linux") or not STATM.exists():
        return None
    trim: Trim | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim
