"""Rounds that go from one contender to the next, each in a process of its own.

A slow second of the machine then falls on all of them, and a ratio is one of times that were
measured side by side.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from multiprocessing import get_context
from unittest.mock import patch

from benchmarks.case import Call, Case, Contender
from benchmarks.figures import in_turns, seconds

PAUSE = 0.15  # until threads of the one before have stopped waiting in a loop for more to do
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
WARM = 0.1  # a longer call needs no warm-up


class Worker:
    """A contender in its process."""

    def __init__(self, name: str, threads: int) -> None:
        self.name = name
        self._threads = threads
        # Libraries read it when they are imported.
        environment = {"TOKENIZERS_PARALLELISM": "false"} | dict.fromkeys(THREADS, str(threads))
        with patch.dict(os.environ, environment):
            self._process = ProcessPoolExecutor(1, get_context("spawn"))
            self._ready = self._process.submit(_open, name, threads)

    def get_ready(self) -> None:
        """Wait until it is."""
        self._ready.result()

    def round(self, case: Case, least: float) -> float:
        """The median of the seconds of a call, in one round of about so many seconds."""
        asked = self._process.submit(_round, self.name, self._threads, case, least)
        if self._threads > 1:
            time.sleep(PAUSE)
        return statistics.median(asked.result())

    def close(self) -> None:
        """End the process."""
        self._process.shutdown(cancel_futures=True)


@contextmanager
def workers(names: Sequence[str], threads: int) -> Iterator[list[Worker]]:
    """All of these, ready."""
    with ExitStack() as stack:
        started = [Worker(name, threads) for name in names]
        for worker in started:
            stack.callback(worker.close)
        for worker in started:
            worker.get_ready()
        yield started


def interleaved(
    runners: Sequence[Worker], case: Case, rounds: int, least: float
) -> dict[str, list[float]]:
    """Seconds of a call of each, a figure for each round."""
    return in_turns({one.name: partial(one.round, case, least) for one in runners}, rounds)


@cache
def _contender(name: str, threads: int) -> Contender:
    from benchmarks.contenders import open_contender

    return open_contender(name, threads)


def _open(name: str, threads: int) -> None:
    _contender(name, threads)  # whose result could not be sent to another process


@cache
def _call(name: str, threads: int, case: Case) -> Call:
    return _contender(name, threads).call(case)


def _round(name: str, threads: int, case: Case, least: float) -> list[float]:
    """Seconds of each call of one round, without the warm-up."""
    call = _call(name, threads, case)
    times = [seconds(call)]
    if times[0] < WARM:
        times = [seconds(call)]
    while sum(times) < least:
        times.append(seconds(call))
    return times
