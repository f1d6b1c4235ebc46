"""`heed serve`: the application on its sockets."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from contextlib import suppress
from typing import Protocol

import uvicorn
from fastapi import FastAPI

from heed.app.errors import StartError
from heed.app.inference.catalogue import OUTDATED_KERNELS
from heed.app.main import create_app, refusing_early
from heed.app.server.acceptor import Acceptor
from heed.app.server.collector import leave_out_what_is_loaded
from heed.app.server.protocol import MANY, Config, DeadlineProtocol, Timeouts
from heed.app.settings import Settings
from heed.models.catalogue import kernels_are_outdated
from heed.models.cores import cores

BACKLOG = 1024
LAST_SECONDS = 1.0  # for the error responses when the time to stop is over
FILES = 200  # open files other than the connections
KEEP_ALIVE_SECONDS = 65  # longer than clients and proxies, which should close first

# Windows has no uvloop, and its default loop cannot watch a listening socket.
LOOP = "asyncio:SelectorEventLoop" if sys.platform == "win32" else "uvloop"

# The host has addresses of two families, the machine only one of them.
OTHER_FAMILY = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

log = logging.getLogger("heed")


class Service(Protocol):
    """The parts of the application that the server needs: `app.state.service`."""

    @property
    def settings(self) -> Settings:
        """The settings of the application."""

    def count_refusal(self, code: str) -> None:
        """Count an error response that the server sends by itself."""

    def stop(self) -> None:
        """Fail open requests."""


class Server(uvicorn.Server):
    """A server that answers open requests before it stops."""

    def __init__(self, app: FastAPI, *, shared: bool = False) -> None:
        service: Service = app.state.service
        self._shared = shared
        settings = service.settings
        timeouts = Timeouts(
            header_seconds=settings.header_seconds,
            body_seconds=settings.body_seconds,
            body_bytes_per_second=settings.body_bytes_per_second,
            upload_seconds=settings.upload_seconds,
            send_seconds=settings.send_seconds,
            connections=settings.max_connections,
            trusted_proxies=settings.trusted_proxies,
        )
        self._config = Config(
            refusing_early(app),
            timeouts,
            service.count_refusal,
            loop=LOOP,
            log_config=None,
            access_log=False,
            ws="none",
            server_header=False,
            proxy_headers=False,  # app/middleware/rate_limit.py reads them
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=settings.stop_seconds + LAST_SECONDS,
        )
        super().__init__(self._config)
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, and accept connections."""
        await super().startup([])
        leave_out_what_is_loaded()
        self._acceptor = Acceptor(sockets or (), self._make_protocol, shared=self._shared)

    def _make_protocol(self) -> DeadlineProtocol:
        return DeadlineProtocol(self._config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002
        """Close the sockets, answer open requests, and fail those that take too long."""
        await self._acceptor.close()
        seconds = self._service.settings.stop_seconds
        closing = asyncio.get_running_loop().call_later(seconds, self._service.stop)
        try:
            await super().shutdown([])
        finally:
            closing.cancel()


def serve(settings: Settings) -> int:
    """Serve until stopped; return the exit code."""
    listening = listen(settings.host, settings.port)
    if settings.workers > 1 and settings.threads is None:
        settings = settings.model_copy(update={"threads": max(1, cores() // settings.workers)})
    try:
        app = create_app(settings)
    except StartError:
        for listener in listening:
            listener.close()
        raise
    if settings.runtime == "auto" and kernels_are_outdated():
        log.warning(OUTDATED_KERNELS)
    for noisy in ("uvicorn", "uvicorn.error", "asyncio"):  # they warn of each error of a client
        logging.getLogger(noisy).setLevel(max(logging.ERROR, log.getEffectiveLevel()))
    _allow_files(settings.max_connections * MANY + FILES)
    port = listening[0].getsockname()[1]
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    with suppress(OSError):  # a server needs no output
        print(f"Heed is running at http://{shown}:{port} (Ctrl-C stops it)", flush=True)
    if settings.workers > 1:
        from heed.app.server.processes import serve_with_processes

        return serve_with_processes(
            app, settings.workers, lambda: Server(app, shared=True), listening
        )
    # uvicorn raises the signal that stopped it again at its end, which would kill the process.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    Server(app).run(listening)
    return 0


def _allow_files(wanted: int) -> None:
    """Raise the limit of open files to one per connection, as far as the system allows it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def listen(host: str, port: int) -> list[socket.socket]:
    """Open sockets on every address of the host, or raise a `StartError`."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise StartError(f"The host {host} has no address. Set --host or HEED_HOST.") from None
    listening: list[socket.socket] = []
    problem: OSError | None = None
    for family, _, _, _, address in dict.fromkeys(addresses):
        if port == 0 and listening:
            break  # one free port, on one address
        try:
            listening.append(_bound(family, address))
        except OSError as error:
            problem = error
            if error.errno not in OTHER_FAMILY:
                break
    if listening and (problem is None or problem.errno in OTHER_FAMILY):
        return listening
    for listener in listening:
        listener.close()
    raise StartError(_why(host, port, problem))


def _bound(family: int, address: tuple[object, ...]) -> socket.socket:
    # Without the protocol asyncio does not set TCP_NODELAY, and the end of a response waits 40 ms
    # for the client to acknowledge its beginning (Nagle's algorithm).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _why(host: str, port: int, problem: OSError | None) -> str:
    number = None if problem is None else problem.errno
    if number == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use. Choose another with --port, or stop its program."
    if number == errno.EACCES:
        return f"No permission for port {port}. Choose one above 1023 with --port."
    return f"Cannot listen on {host}:{port}: {problem and problem.strerror}."
