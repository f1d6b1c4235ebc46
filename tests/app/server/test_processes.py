"""The processes that serve beside each other, seen from the one that watches them."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
import uvicorn
from fastapi import FastAPI

from heed.app.server.processes import ProcessesConfig, ServerProcess
from tests.conftest import SECONDS


def never_ready() -> uvicorn.Server:
    threading.Event().wait()
    raise AssertionError


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_ping_fails_as_soon_as_the_worker_dies() -> None:
    workers = [ServerProcess(ProcessesConfig(FastAPI(), 2, never_ready), []) for _ in range(2)]
    for worker in workers:
        worker.start()
    first = workers[0]
    assert first.pid is not None
    os.kill(first.pid, signal.SIGKILL)
    assert first.parent_conn.poll(SECONDS)
    with pytest.raises(EOFError):
        first.parent_conn.recv()
    for worker in workers:
        worker.kill()
        worker.join()
