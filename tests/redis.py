"""A real Redis server that tests start, stop and freeze."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.ports import free_port

MISSING = "needs a Redis server to start: apt-get install redis-server"
PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")
SECONDS = 120.0


@dataclass
class Redis:
    """A running server, without persistence."""

    port: int
    folder: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address for `HEED_SHARED`."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        assert PROGRAM
        options = ("--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder))
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(self.port), *options], stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + SECONDS
        while not self._answers():
            assert time.monotonic() < until, "timed out"
            time.sleep(0.01)

    def stop(self) -> None:
        """Kill the server."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop the process: it keeps its connections and answers nothing."""
        assert self.process
        os.kill(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.process.pid, signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as one:
                one.sendall(b"PING\r\n")
                return one.recv(5) == b"+PONG"
        except OSError:
            return False


@contextmanager
def redis() -> Iterator[Redis]:
    """Run a server until the end of the block."""
    if PROGRAM is None:
        pytest.skip(MISSING)
    with tempfile.TemporaryDirectory() as folder:
        server = Redis(free_port(), Path(folder))
        try:
            server.start()
            yield server
        finally:
            server.stop()
