"""`heed serve`: the application on a socket."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Sequence

import uvicorn
from fastapi import FastAPI

from app.engine import Engine
from app.exits import DONE, StartError
from app.main import create_app
from app.settings import Settings

BACKLOG = 512
STOP_SECONDS = 5
KEEP_ALIVE_SECONDS = 65  # longer than clients and proxies, who must be the ones to hang up

# A host of two families, on a machine that has one of them.
ELSEWHERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

log = logging.getLogger("heed")


class Server(uvicorn.Server):
    """A server that takes no more work before it waits for that which it has."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                ws="none",
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )
        self._engines: Sequence[Engine] = app.state.service.engines

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop: no new work is taken, and what was taken is answered."""
        for engine in self._engines:
            engine.close()
        await super().shutdown(sockets)


def serve(settings: Settings) -> int:
    """Serve until stopped; gives the exit code."""
    listening = listen(settings.host, settings.port)
    try:
        app = create_app(settings)
    except StartError:
        for one in listening:
            one.close()
        raise
    for noisy in ("uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, log.getEffectiveLevel()))
    port = listening[0].getsockname()[1]
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    print(f"Heed is at http://{shown}:{port} (Ctrl-C stops it)", flush=True)
    Server(app).run(listening)
    return DONE


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
    one = socket.socket(family, socket.SOCK_STREAM)
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
