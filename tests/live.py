"""A server in its own process, which tests can stop, kill and measure."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.conftest import DEFAULT, wait_for

ROOT = Path(__file__).parents[1]
HEED = [sys.executable, "-m", "heed.app", "serve", "--port", "0"]
START_SECONDS = 240.0  # on a busy machine


@dataclass
class Live:
    """A running server process."""

    process: subprocess.Popen[str]
    url: str
    log: Path

    @property
    def host(self) -> str:
        """The host that it listens on."""
        return httpx.URL(self.url).host

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return httpx.URL(self.url).port or 0

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self.process.pid

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = 30.0) -> tuple[int, float]:
        """Send SIGTERM; return the exit code and the seconds until the exit."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds), time.monotonic() - began


@contextmanager
def live(folder: Path, command: Sequence[str] = HEED, **settings: object) -> Iterator[Live]:
    """Serve in another process until the end of the block; it writes to the folder."""
    kept = {"store": folder / "kept", "default_model": DEFAULT, "cache_bytes": 0}
    given = {**kept, **settings}
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HEED_")},
        **{f"HEED_{name.upper()}": str(value) for name, value in given.items()},
        "PYTHONPATH": str(ROOT),
    }
    log = folder / "log"
    with (
        log.open("a") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment
        ) as process,
    ):
        try:
            assert process.stdout
            found = re.search(r"http://\S+:\d+", process.stdout.readline())
            assert found, log.read_text()
            it = Live(process, found[0], log)
            wait_for(lambda: _answers(it), START_SECONDS)
            yield it
        finally:
            if process.poll() is None:
                process.kill()


def _answers(it: Live) -> bool:
    assert it.process.poll() is None, it.log.read_text()
    try:
        return httpx.get(it.url + "/readyz", timeout=20).status_code == 200
    except httpx.TransportError:
        return False
