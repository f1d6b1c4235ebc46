"""A server of its own in its own process, for whoever looks at the page."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

SECONDS = 60
ENDING_SECONDS = 20


@contextmanager
def serving(
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    heed: Sequence[str | Path] = (sys.executable, "-m", "heed.app"),
    seconds: float = SECONDS,
) -> Iterator[str]:
    """The address of `heed serve`, of a checkout or installed, on a free port once it is ready."""
    command = [*heed, "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
    ) as server:
        too_late = threading.Timer(seconds, server.kill)  # one that says nothing
        too_late.start()
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            too_late.cancel()
            assert "http://" in said, f"the server did not start: {said!r}"
            url = "http://" + said.split("http://")[1].split()[0]
            until = time.monotonic() + seconds
            while httpx.get(f"{url}/readyz").status_code != 200:
                assert time.monotonic() < until, "the server did not get ready"
            yield url
        finally:
            too_late.cancel()
            server.terminate()
            try:
                server.wait(ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
