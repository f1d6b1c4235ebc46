"""`heed serve`: the application on a socket."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys

import uvicorn
from fastapi import FastAPI

from heed.app.container import Service
from heed.app.errors import StartError
from heed.app.main import create_app
from heed.app.server.acceptor import Acceptor
from heed.app.server.protocol import MANY, Config, DeadlineProtocol, Timeouts
from heed.app.settings import Settings

BACKLOG = 1024
LAST_SECONDS = 1.0  # for those who are told at the end that the server stops
FILES = 200  # that are open beside the connections
KEEP_ALIVE_SECONDS = 65  # longer than clients and proxies, who must be the ones to hang up

# Windows has no uvloop, and the loop that is the usual one there watches no listening socket.
LOOP = "asyncio:SelectorEventLoop" if sys.platform == "win32" else "uvloop"

# A host of two families, on a machine that has one of them.
ELSEWHERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

log = logging.getLogger("heed")


class Server(uvicorn.Server):
    """A server that answers those who are there before it stops."""

    def __init__(self, app: FastAPI) -> None:
        service: Service = app.state.service
        settings = service.settings
        bounds = Timeouts(
            header_seconds=settings.header_seconds,
            body_seconds=settings.body_seconds,
            body_bytes_per_second=settings.body_bytes_per_second,
            send_seconds=settings.send_seconds,
            connections=settings.max_connections,
        )
        self._told = Config(
            app,
            bounds,
            lambda code: service.metrics.refusals.labels(code).inc(),
            loop=LOOP,
            log_config=None,
            access_log=False,
            ws="none",
            server_header=False,
            proxy_headers=False,  # app/middleware/rate_limit.py believes those it is told to
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=settings.stop_seconds + LAST_SECONDS,
        )
        super().__init__(self._told)
        self._service = service

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, and let in who comes."""
        await super().startup([])
        self._reception = Acceptor(sockets or (), self._connection)

    def _connection(self) -> DeadlineProtocol:
        return DeadlineProtocol(self._told, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002
        """Take no more requests, answer those that are there, and after a while tell the rest."""
        await self._reception.close()
        seconds = self._service.settings.stop_seconds
        closing = asyncio.get_running_loop().call_later(seconds, self._service.stop)
        try:
            await super().shutdown([])
        finally:
            closing.cancel()


def serve(settings: Settings) -> int:
    """Serve until stopped; gives the exit code."""
    listening = listen(settings.host, settings.port)
    try:
        app = create_app(settings)
    except StartError:
        for one in listening:
            one.close()
        raise
    for noisy in ("uvicorn", "uvicorn.error", "asyncio"):  # a warning for each slip of a client
        logging.getLogger(noisy).setLevel(max(logging.ERROR, log.getEffectiveLevel()))
    _allow_files(settings.max_connections * MANY + FILES)
    port = listening[0].getsockname()[1]
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    print(f"Heed is at http://{shown}:{port} (Ctrl-C stops it)", flush=True)
    # Uvicorn raises what stopped it once more when all is done; that is no reason to die of it.
    signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    Server(app).run(listening)
    return 0


def _allow_files(wanted: int) -> None:
    """Let the process have a file for every connection, as far as the system allows it."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def listen(host: str, port: int) -> list[socket.socket]:
    """Sockets on every address of the host, or a `StartError` that says why there are none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise StartError(f"There is no address called {host}. Set --host or HEED_HOST.") from None
    listening: list[socket.socket] = []
    problem: OSError | None = None
    for family, _, _, _, address in dict.fromkeys(found):
        if port == 0 and listening:
            break  # one free port, on one address
        try:
            listening.append(_bound(family, address))
        except OSError as error:
            problem = error
            if error.errno not in ELSEWHERE:
                break
    if listening and (problem is None or problem.errno in ELSEWHERE):
        return listening
    for one in listening:
        one.close()
    raise StartError(_why(host, port, problem))


def _bound(family: int, address: tuple[object, ...]) -> socket.socket:
    # By its name, or asyncio does not know it for TCP and lets the end of an answer wait 40 ms
    # for the client to acknowledge its beginning (Nagle's algorithm).
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(address)
        one.listen(BACKLOG)
    except OSError:
        one.close()
        raise
    return one


def _why(host: str, port: int, problem: OSError | None) -> str:
    number = None if problem is None else problem.errno
    if number == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use. Choose another with --port, or stop what has it."
    if number == errno.EACCES:
        return f"Port {port} may not be taken. Choose one above 1023 with --port."
    return f"{host}:{port} cannot be listened on: {problem and problem.strerror}."
