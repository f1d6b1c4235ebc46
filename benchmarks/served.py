"""Servers in processes of their own, with their start time and memory."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

from benchmarks.memory import resident
from benchmarks.rounds import THREADS
from benchmarks.wrk import PATIENCE
from heed.app.settings import PREFIX

SECONDS = 120
UNDER_LOAD: dict[str, object] = {
    "queue_size": 1_000,  # long enough that no request is refused
    "cache_bytes": 0,
    "deadline_seconds": PATIENCE,
}
HEED = (sys.executable, "-m", "heed.app", "serve")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that is ready."""

    address: str
    ready_after: float  # seconds from the command to the first 200 of /readyz
    megabytes: float  # resident then
    pid: int


def heed(**settings: object) -> AbstractContextManager[Served]:
    """`heed serve` with these settings."""
    return _serving([*HEED, "--port"], environment(settings))


def environment(settings: Mapping[str, object]) -> dict[str, str]:
    """The variables of these settings."""
    wanted = {"log_level": "warning", **settings}  # no line for each request
    return {PREFIX + name.upper(): str(value) for name, value in wanted.items()}


def pool(kind: str, model: str, length: int) -> AbstractContextManager[Served]:
    """A model in FastAPI's thread pool."""
    module = [sys.executable, "-m", "benchmarks.pool_server"]
    return _serving([*module, f"{kind}:{model}", str(length)], {})


def post(url: str, body: bytes) -> bytes:
    """Send a request of JSON and return its answer."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=4 * PATIENCE) as answer:  # noqa: S310 - our own
        return bytes(answer.read())


def free_port() -> int:
    """A free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def _serving(command: Sequence[str], more: Mapping[str, str]) -> Iterator[Served]:
    """Serve at a port, which ends the command."""
    port = free_port()
    variables = {k: v for k, v in os.environ.items() if k not in THREADS} | dict(more)
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, str(port)], stdout=subprocess.DEVNULL, env=variables
    ) as server:
        try:
            while not _ready(port):
                if server.poll() is not None or time.perf_counter() - began > SECONDS:
                    raise RuntimeError(f"{' '.join(command)} was not ready in time")
                time.sleep(0.005)
            after, pid = time.perf_counter() - began, server.pid
            yield Served(f"http://127.0.0.1:{port}", after, resident(pid), pid)
        finally:
            server.kill()


def _ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except ConnectionError:
        return False
    finally:
        connection.close()
