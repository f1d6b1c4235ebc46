"""The memory that the C allocator holds."""

from __future__ import annotations

import sys

import pytest

from heed.app.inference.allocator import MemoryTrimmer


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be trimmed")
def test_memory_is_trimmed_only_after_the_process_has_grown() -> None:
    assert MemoryTrimmer(growth_bytes=-(1024**4)).trim()
    assert not MemoryTrimmer(growth_bytes=1024**4).trim()


def test_a_c_library_that_cannot_trim_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert not MemoryTrimmer(growth_bytes=-(1024**4)).trim()
