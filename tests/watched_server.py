"""`heed serve` with limited memory, and a record of what holds its event loop.

    python -m tests.watched_server BYTES RECORD serve --port 0

The process may have BYTES of private memory. With a file to RECORD, it runs the event loop of
asyncio, whose callbacks can be measured, and writes a line for each long one; with `-`, it runs
uvloop as always.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import resource
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any, TextIO

LONG_SECONDS = 0.02
"""Processor time from which on a callback is recorded."""
SAMPLE_SECONDS = 0.01
FRAMES = 8


class Watchdog:
    """Records the long callbacks of an event loop, and the long holds of the interpreter lock."""

    def __init__(self, record: TextIO) -> None:
        self._record = record
        self._writing = threading.RLock()  # a collection may begin while a line is written
        self._thread = threading.current_thread()
        self._began: float | None = None
        self._where: list[str] = []
        self._collecting = 0.0

    def start(self) -> None:
        """Measure every callback from now on; the event loop runs in this thread."""
        run = asyncio.Handle._run

        def measured(handle: asyncio.Handle) -> None:
            callback = handle._callback  # type: ignore[attr-defined] - typeshed omits it
            self._where, began = [], time.monotonic()
            self._began, processor = began, time.thread_time()
            try:
                run(handle)
            finally:
                seconds = time.thread_time() - processor
                self._began = None
                if seconds > LONG_SECONDS:
                    wall = time.monotonic() - began
                    self._note("callback", seconds, wall, name_of(callback), self._where)

        asyncio.Handle._run = measured  # type: ignore[method-assign]
        gc.callbacks.append(self._collected)
        threading.Thread(target=self._sample, name="watchdog", daemon=True).start()

    def _note(self, kind: str, seconds: float, wall: float, name: str, where: list[str]) -> None:
        line = {"kind": kind, "seconds": seconds, "wall": wall, "name": name, "where": where}
        with self._writing:
            self._record.write(json.dumps(line) + "\n")
            self._record.flush()

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        """Measure a collection of garbage, which also holds the interpreter lock."""
        if phase == "start":
            self._collecting = time.thread_time()
        elif (seconds := time.thread_time() - self._collecting) > LONG_SECONDS:
            name = f"generation {info['generation']} in {threading.current_thread().name}"
            self._note("collection", seconds, seconds, name, [])

    def _sample(self) -> None:
        """Find where a long callback is, and the thread that keeps the interpreter lock."""
        before, waited = _spent(), _waited()
        while True:
            began = time.monotonic()
            time.sleep(SAMPLE_SECONDS)
            late = time.monotonic() - began - SAMPLE_SECONDS
            since = self._began
            if since is not None and time.monotonic() - since > LONG_SECONDS and not self._where:
                self._where = _stack(self._thread)
            now, waits = _spent(), _waited()
            # A thread that wakes late has waited for a core or for the lock, whose holder has
            # computed meanwhile.
            for thread, seconds in now.items():
                held = min(late - (waits - waited), seconds - before.get(thread, seconds))
                if held > LONG_SECONDS and thread is not self._thread:
                    self._note("lock", held, late, thread.name, _stack(thread))
            before, waited = now, waits


def name_of(callback: Any) -> str:
    """Return what a callback runs: the coroutine of a task, or a function."""
    owner = getattr(callback, "__self__", None)
    coroutine = getattr(owner, "get_coro", lambda: None)()
    return str(getattr(coroutine or callback, "__qualname__", callback))


def _stack(thread: threading.Thread) -> list[str]:
    """Return where a thread is, the innermost frame last."""
    frame = sys._current_frames().get(thread.ident or 0)
    # Without their lines: linecache would keep each file that is looked at.
    walked = traceback.walk_stack(frame) if frame else ()
    frames = traceback.StackSummary.extract(walked, limit=FRAMES, lookup_lines=False)[::-1]
    return [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames]


def _spent() -> dict[threading.Thread, float]:
    """Return the processor time of each other thread of Python."""
    spent = {}
    for one in threading.enumerate():
        if one is not threading.current_thread():
            with contextlib.suppress(OSError, ValueError):  # it ends
                spent[one] = _schedule(f"/proc/self/task/{one.native_id}/schedstat")[0]
    return spent


def _waited() -> float:
    """Return the seconds for which this thread was ready and had no core."""
    return _schedule("/proc/thread-self/schedstat")[1]


def _schedule(path: str) -> tuple[float, float]:
    with open(path, "rb") as file:  # noqa: PTH123 - a hundred times a second
        running, waiting, _ = file.read().split()
    return int(running) / 1e9, int(waiting) / 1e9


def main() -> int:
    """Limit this process, and run a command of `heed`."""
    limit, record, *arguments = sys.argv[1:]
    # Not RLIMIT_AS: allocators and threads reserve far more addresses than they use.
    resource.setrlimit(resource.RLIMIT_DATA, (int(limit), int(limit)))
    if record != "-":
        from heed.app.inference.allocator import use_one_arena
        from heed.app.server import serve

        use_one_arena()  # as `heed serve` does, before there is a thread
        serve.LOOP = "asyncio"
        Watchdog(Path(record).open("a")).start()  # noqa: SIM115 - open until the end
    from heed.app.cli import main as run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
