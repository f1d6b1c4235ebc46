"""A server of its own in its own process, for whoever looks at the page."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

SECONDS = 60


@contextmanager
def serving(
    environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Iterator[str]:
    """The address of `heed serve` of a checkout, on a port that was free, once it is ready."""
    command = [sys.executable, "-m", "heed.app", "serve", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
    ) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            assert "http://" in said, f"the server did not start: {said!r}"
            url = "http://" + said.split("http://")[1].split()[0]
            until = time.monotonic() + SECONDS
            while httpx.get(f"{url}/readyz").status_code != 200:
                assert time.monotonic() < until, "the server did not get ready"
            yield url
        finally:
            server.terminate()
