"""Functions in child processes, which are killed when nobody waits for the result.

A library in C cannot be interrupted, and what it leaks stays. So it runs in a process of its own
(`heed.app.inference.child_process`). See docs/decisions/0017-a-process-that-can-be-killed.md.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Final

from heed.app.inference.child_process import (
    DEFECT,
    LAST,
    Function,
    Parts,
    receive_parts,
    send_parts,
)

PROGRAM: Final = "from heed.app.inference.child_process import main; main({}, {})"
KEPT: Final = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT", "TEMP", "TMPDIR")
"""Variables of the environment that a child needs. The settings have passwords."""
ALONE: Final = {
    # One thread, whose large blocks go back to the system when they are free; the others stay for
    # the next call, as new pages cost a third of the time of a small picture.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "8388608",
    "MALLOC_TRIM_THRESHOLD_": "16777216",
}


class ProcessEndedError(Exception):
    """The process ended before it had a result: it crashed, or reached a limit."""


class PoolClosedError(Exception):
    """The pool is closed."""


class ProcessPool:
    """Runs functions in at most `size` processes, each limited in memory and processor time.

    Processes are started when they are needed, and one is kept for the next function.
    """

    def __init__(self, size: int, *, memory_bytes: int, cpu_seconds: int) -> None:
        self._limits = memory_bytes, cpu_seconds
        self._threads = ThreadPoolExecutor(size, "heed-process")
        self._lock = Lock()
        self._idle: list[_Child] = []
        self._running: set[_Call] = set()
        self._closed = False

    async def call(self, function: Function, data: bytes, *options: object) -> list[bytes]:
        """Return `function(data, *options)`, run in another process.

        If this is cancelled, the process is killed. Raises `ProcessEndedError`, `PoolClosedError`,
        `OSError` if no process can be started, or `RuntimeError` with the traceback of the
        function.
        """
        call = _Call([pickle.dumps((function, options)), data])
        with self._lock:
            if self._closed:
                raise PoolClosedError
            future = self._threads.submit(self._finish, call)
        try:
            return await asyncio.wrap_future(future)
        finally:
            call.stop()

    def stop(self) -> None:
        """Kill all processes, and start no more."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for call in running:
            call.stop()

    def close(self) -> None:
        """Stop, and wait for the ends of the processes."""
        self.stop()
        self._threads.shutdown()
        for child in self._idle:
            child.end()
        self._idle.clear()

    def _finish(self, call: _Call) -> list[bytes]:
        """Run a function, on a thread."""
        child = self._begin(call)
        try:
            status, *result = child.reply(call.message)
        except (OSError, EOFError, ValueError):
            reason = child.end()
            if self._closed:
                raise PoolClosedError from None
            raise ProcessEndedError(reason) from None
        finally:
            with self._lock:
                self._running.discard(call)
                unharmed = call.end()
        self._keep_or_end(child, unharmed and status != LAST)
        if status == DEFECT:
            raise RuntimeError(result[0].decode("utf-8", "replace"))
        return result

    def _begin(self, call: _Call) -> _Child:
        """Return a process for a function."""
        with self._lock:
            if self._closed:
                raise PoolClosedError
            child = self._idle.pop() if self._idle else None
            self._running.add(call)
        if child is not None and not child.alive:
            child.end()
            child = None
        try:
            child = child or _Child(*self._limits)
        except OSError:
            with self._lock:
                self._running.discard(call)
            raise
        call.begin(child)
        return child

    def _keep_or_end(self, child: _Child, wanted: bool) -> None:
        with self._lock:
            if wanted and not self._idle and not self._closed:
                self._idle.append(child)
                return
        child.end()


class _Call:
    """A function that waits or runs, and can be stopped at any time."""

    def __init__(self, message: Parts) -> None:
        self.message = message
        self._lock = Lock()
        self._child: _Child | None = None
        self._stopped = False

    def begin(self, child: _Child) -> None:
        """Run in this process from now on; kill it if the call is stopped already."""
        with self._lock:
            self._child = child
            if self._stopped:
                child.kill()

    def end(self) -> bool:
        """Leave the process; return whether it has not been killed."""
        with self._lock:
            self._child = None
            return not self._stopped

    def stop(self) -> None:
        """Kill the process if the function still runs."""
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.kill()


class _Child:
    """A child process and its pipes."""

    def __init__(self, memory_bytes: int, cpu_seconds: int) -> None:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        path = os.pathsep.join(os.path.abspath(entry) for entry in sys.path)  # noqa: PTH100 - '' too
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-P", "-c", PROGRAM.format(memory_bytes, cpu_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**kept, **ALONE, "PYTHONPATH": path},
        )

    @property
    def alive(self) -> bool:
        """False if the process has ended."""
        return self._process.poll() is None

    def reply(self, message: Parts) -> list[bytes]:
        """Send a message and return the reply; without one, raise `OSError` or `EOFError`."""
        assert self._process.stdin  # noqa: S101 - a pipe
        assert self._process.stdout  # noqa: S101 - a pipe
        send_parts(self._process.stdin, message)
        return receive_parts(self._process.stdout)

    def kill(self) -> None:
        """Kill the process; a reply that is waited for ends."""
        self._process.kill()

    def end(self) -> str:
        """Kill the process, wait for its end and return how it ended."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was not sent
                pipe and pipe.close()
        code = self._process.wait()
        return signal.strsignal(-code) or f"signal {-code}" if code < 0 else f"exit code {code}"
