"""The core on which the page is measured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.page import pinned, pinned_program

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="this system pins no process to a core"
)
PRINT = "import os; print(sorted(os.sched_getaffinity(0)))"


def test_processes_started_on_a_core_stay_there_and_this_thread_does_not() -> None:
    before = os.sched_getaffinity(0)
    measured = set(sorted(before)[-1:])
    with pinned(measured):
        assert subprocess.check_output([sys.executable, "-c", PRINT], text=True).strip() == str(
            sorted(measured)
        )
    assert os.sched_getaffinity(0) == before


def test_a_program_is_started_on_a_core_from_another_one(tmp_path: Path) -> None:
    measured = set(sorted(os.sched_getaffinity(0))[-1:])
    program = pinned_program(measured, sys.executable, tmp_path)
    found = subprocess.check_output([program, "-c", PRINT], text=True).strip()
    assert found == str(sorted(measured))


def test_a_program_is_left_as_it_is_where_there_is_no_choice(tmp_path: Path) -> None:
    assert pinned_program(set(), "/usr/bin/chromium", tmp_path) == "/usr/bin/chromium"
