"""`heed serve --workers N`: several processes that accept connections on the same sockets.

uvicorn's process manager starts them, replaces those that die or hang, restarts one after the other
on SIGHUP, and stops all on SIGTERM. Unlike uvicorn's own, they are forked: modules, templates,
catalogue and the weights of models that are loaded at the start are in memory once.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import multiprocess

from heed.app.errors import StartError
from heed.app.inference.allocator import release_free_memory
from heed.app.observability.metrics import forget_process
from heed.app.server.collector import leave_out_what_is_loaded

CHECK_SECONDS = 10  # for a worker to say that it is alive


class ServerProcess(multiprocess.Process):
    """A forked process that serves."""

    def __init__(self, config: ProcessesConfig, sockets: list[socket.socket]) -> None:
        self.config = config
        self._make_server = config.make_server
        self.parent_conn, self.child_conn = multiprocessing.Pipe()
        # uvicorn declares a spawned process, which has the same methods.
        self.process: Any = multiprocessing.get_context("fork").Process(
            target=self.target, args=(sockets,)
        )

    def start(self) -> None:
        """Start the process; with the end of its pipe there, a ping fails as soon as it dies."""
        super().start()
        self.child_conn.close()

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped. Without the process that started it, a worker stops by itself."""
        for number in multiprocess.SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C: the other process sends SIGTERM
        self.parent_conn.close()
        threading.Thread(target=self._answer_pings, daemon=True).start()
        server = self._make_server()
        self._server = server
        # uvicorn raises the signal that stopped it again at its end, which would kill the process.
        signal.signal(signal.SIGTERM, lambda _number, _frame: None)
        server.run(sockets)

    def _answer_pings(self) -> None:
        try:
            while True:
                self.child_conn.recv()
                self.child_conn.send(self._server is not None and self._server.started)
        except (OSError, EOFError):
            os.kill(os.getpid(), signal.SIGTERM)

    _server: uvicorn.Server | None = None


class ProcessesConfig(uvicorn.Config):
    """The configuration of uvicorn, with the server of each worker."""

    def __init__(self, app: FastAPI, workers: int, make_server: Callable[[], uvicorn.Server]):
        super().__init__(
            app, workers=workers, log_config=None, timeout_worker_healthcheck=CHECK_SECONDS
        )
        self.make_server = make_server


class ServerProcesses(multiprocess.Multiprocess):
    """Starts, watches and stops the workers."""

    def terminate_all(self) -> None:
        """Stop all workers; the last one to close the sockets accepts what is still pending."""
        for listening in self.sockets:
            listening.close()
        super().terminate_all()

    def keep_subprocess_alive(self) -> None:
        """Replace workers that died."""
        before = {process.pid: process for process in self.processes}
        super().keep_subprocess_alive()
        for pid in before.keys() - {process.pid for process in self.processes}:
            forget_process(pid)


def serve_with_processes(
    app: FastAPI,
    workers: int,
    make_server: Callable[[], uvicorn.Server],
    sockets: list[socket.socket],
) -> int:
    """Serve with several processes until stopped; return the exit code."""
    if sys.platform == "win32":
        raise StartError("Windows has no fork: HEED_WORKERS must be 1. Run more servers instead.")
    app.state.service.load_before_fork()
    gc.collect()
    release_free_memory()  # or each worker gets a copy of it, as soon as it writes there
    leave_out_what_is_loaded()  # a pass writes to what it visits, and copies its pages
    # uvicorn's manager makes its processes by this name alone.
    multiprocess.Process = ServerProcess  # type: ignore[misc, assignment]
    manager = ServerProcesses(ProcessesConfig(app, workers, make_server), sockets)
    manager.run()
    return int(any(process.exitcode == STARTUP_FAILURE for process in manager.processes))
