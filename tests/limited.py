"""A server in a process of its own with little memory, measured while it is attacked.

    with limited(folder) as server:
        with server.watched() as watch:
            …  # the attack
        assert watch.answered
        assert server.peak_bytes < MAX_BYTES
        assert server.longest_callback.seconds < MAX_SECONDS

At the end of the block the server must be alive, have logged no traceback, and obey SIGTERM.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchmarks.memory import family
from tests.asking import Watch
from tests.conftest import SECONDS
from tests.live import ROOT, Live, live

LIMIT_BYTES = 1 << 30
SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Stall:
    """A callback, collection or thread that held the event loop, or the lock that it needs."""

    kind: Literal["callback", "collection", "lock"]
    seconds: float
    """Processor time of the thread."""
    wall: float
    name: str
    where: tuple[str, ...]
    """The innermost frames, as far as they were seen."""

    def __str__(self) -> str:
        frames = " > ".join(self.where[-4:])
        return f"{1000 * self.seconds:.0f} ms, {self.kind} {self.name} ({frames})"


NOTHING = Stall("callback", 0.0, 0.0, "", ())


@dataclass
class Limited(Live):
    """A running server whose memory is limited, with all processes that it starts."""

    record: Path | None = None
    _peak: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def peak_bytes(self) -> int:
        """The most memory so far, of the server and its child processes together."""
        self._sample()
        return self._peak

    @property
    def processor_seconds(self) -> float:
        """The processor time of the server and of its child processes."""
        return sum(map(_processor_seconds, family(self.pid)))

    @property
    def file_bytes(self) -> int:
        """The part of the memory that is mapped files, which the system can take back."""
        return sum(_resident(each, "RssFile") for each in family(self.pid))

    def forget(self) -> None:
        """Measure the most memory, and the stalls, from now on."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")  # VmHWM becomes VmRSS: proc(5)
        self._peak = 0
        if self.record is not None:
            self.record.write_bytes(b"")

    @property
    def stalls(self) -> list[Stall]:
        """All that held the event loop for long, the longest first."""
        assert self.record is not None, "the server runs without a watchdog"
        lines = map(json.loads, self.record.read_text().splitlines())
        found = [Stall(**{**line, "where": tuple(line["where"])}) for line in lines]
        return sorted(found, key=lambda each: -each.seconds)

    @property
    def longest_callback(self) -> Stall:
        """The callback of the event loop that took the most processor time."""
        return next((each for each in self.stalls if each.kind == "callback"), NOTHING)

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """Have another process ask for `/healthz` every 50 ms; count its answers at the end."""
        watch = Watch()
        command = [sys.executable, "-m", "tests.asking", self.host, str(self.port)]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as asking:
            try:
                yield watch
            finally:
                seen, _ = asking.communicate(timeout=2 * SECONDS)
        vars(watch).update(json.loads(seen))

    def _sample(self) -> None:
        """Add the memory of this moment, and the highest of the server alone."""
        children = [one for one in family(self.pid) if one != self.pid and self._apart(one)]
        together = _resident(self.pid) + sum(map(_private, children))
        self._peak = max(self._peak, together, _resident(self.pid, "VmHWM"))

    def _apart(self, child: int) -> bool:
        """Return whether a process runs a program of its own.

        Until then it lives in the memory of the server (vfork), which would be counted twice.
        """
        return _command(child) not in (b"", _command(self.pid))

    def _sample_on(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self._sample()


@contextmanager
def limited(
    folder: Path, *, limit_bytes: int = LIMIT_BYTES, watchdog: bool = True, **settings: object
) -> Iterator[Limited]:
    """Serve in a process of limited memory; without the watchdog, on the usual event loop."""
    record = folder / "stalls" if watchdog else None
    module = [sys.executable, "-m", "tests.watched_server"]
    command = [*module, str(limit_bytes), str(record or "-"), "serve", "--port", "0"]
    with live(folder, command, **{"log_level": "warning", **settings}) as it:
        server = Limited(it.process, it.url, it.log, record)
        sampling = threading.Thread(target=server._sample_on)
        sampling.start()
        try:
            server.forget()
            yield server
            assert it.process.poll() is None, "the server has ended"
        finally:
            server._ended.set()
            sampling.join()
        code, _ = it.stop(SECONDS)
        assert code in (0, -signal.SIGTERM)  # uvicorn exits by the signal it received
        assert "Traceback" not in it.log.read_text(), it.log.read_text()


def _processor_seconds(pid: int) -> float:
    """Return the processor time of a process, and of its children that have ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _command(pid: int) -> bytes:
    """Return the command line of a process; nothing if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _resident(pid: int, name: str = "VmRSS") -> int:
    """Return the resident memory of a process: `VmRSS` now, `VmHWM` at most, `RssFile` of files."""
    with suppress(FileNotFoundError, ProcessLookupError, IndexError):  # it has ended
        status = Path(f"/proc/{pid}/status").read_text()
        return 1024 * int(status.partition(f"{name}:")[2].split()[0])
    return 0


def _private(pid: int) -> int:
    """Return the memory of a process that it does not share with the one that forked it."""
    with suppress(FileNotFoundError, ProcessLookupError, PermissionError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
        return 1024 * (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"])
    return 0
