"""Servers in processes of their own, with their start time and memory."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.wrk import PATIENCE
from heed.app.settings import PREFIX, Settings

SECONDS = 120
HEED = (sys.executable, "-m", "heed.app", "serve")
UNPINNED = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that is ready."""

    name: str
    address: str
    ready_after: float  # seconds from the command to the first 200 of /readyz
    megabytes: float  # resident then
    pid: int


@contextmanager
def heed(**settings: object) -> Iterator[Served]:
    """`heed serve` with these settings, without those that it does not have."""
    port = free_port()
    wanted = {"log_level": "warning", **settings}  # no line for each request
    known = {PREFIX + key.upper(): str(v) for key, v in wanted.items() if _known(key)}
    with _serving("Heed", [*HEED, "--port", str(port)], port, known) as served:
        yield served


@contextmanager
def pool(kind: str, model: str, length: int) -> Iterator[Served]:
    """A model in FastAPI's thread pool."""
    port = free_port()
    module = [sys.executable, "-m", "benchmarks.pool_server"]
    with _serving(kind, [*module, f"{kind}:{model}", str(length), str(port)], port, {}) as served:
        yield served


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


def resident(pid: int) -> float:
    """Resident megabytes of a process, on Linux."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) / 1024 if found else float("nan")


def _known(setting: str) -> bool:
    return setting in Settings.model_fields


@contextmanager
def _serving(
    name: str, command: Sequence[str], port: int, more: Mapping[str, str]
) -> Iterator[Served]:
    environment = {k: v for k, v in os.environ.items() if k not in UNPINNED} | dict(more)
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as server:
        try:
            while not _ready(port):
                if server.poll() is not None or time.perf_counter() - began > SECONDS:
                    raise RuntimeError(f"{name} was not ready in time")
                time.sleep(0.005)
            seconds = time.perf_counter() - began
            yield Served(
                name, f"http://127.0.0.1:{port}", seconds, resident(server.pid), server.pid
            )
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
