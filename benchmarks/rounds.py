"""Rounds that go from one contender to the next, each in a process of its own.

A slow second of the machine then falls on all of them, and a ratio is one of times that were
measured side by side.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from benchmarks.case import Case
from benchmarks.figures import in_turns

PAUSE = 0.15  # until threads of the one before have stopped waiting in a loop for more to do
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class Worker:
    """A contender in its process."""

    def __init__(self, name: str, threads: int) -> None:
        self.name = name
        self.threads = threads
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker", name, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ
            | {"TOKENIZERS_PARALLELISM": "false"}
            | dict.fromkeys(THREADS, str(threads)),
            text=True,
        )

    def get_ready(self) -> None:
        """Wait until it is."""
        self._answer()

    def round(self, case: Case, seconds: float) -> float:
        """The median of the seconds of a call, in one round of about so many seconds."""
        asked = {"length": case.length, "batch": case.batch, "seconds": seconds}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        if self.threads > 1:
            time.sleep(PAUSE)
        return float(statistics.median(self._answer()))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} has ended with {self._process.wait()}")
        return json.loads(line)


@contextmanager
def workers(names: Sequence[str], threads: int) -> Iterator[list[Worker]]:
    """All of these, ready."""
    with ExitStack() as stack:
        started = []
        for name in names:
            started.append(Worker(name, threads))
            stack.callback(started[-1].close)
        for worker in started:
            worker.get_ready()
        yield started


def interleaved(
    runners: Sequence[Worker], case: Case, rounds: int, seconds: float
) -> dict[str, list[float]]:
    """Seconds of a call of each, a figure for each round."""
    return in_turns({one.name: partial(one.round, case, seconds) for one in runners}, rounds)
