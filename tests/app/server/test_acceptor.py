"""Accepting connections, on the event loops that are supported."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack

import pytest
import uvloop

from heed.app.server import acceptor
from heed.app.server.acceptor import Acceptor
from heed.app.server.serve import listen

MANY = 40


class Greeter(asyncio.Protocol):
    """Sends a greeting and closes."""

    accepted = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        Greeter.accepted += 1
        transport.write(b"hello")
        transport.close()


@pytest.fixture(autouse=True)
def _reset() -> None:
    Greeter.accepted = 0


@pytest.fixture(params=[uvloop.new_event_loop, asyncio.SelectorEventLoop], ids=["uvloop", "plain"])
def run(request: pytest.FixtureRequest) -> Callable[[Awaitable[None]], None]:
    def run_on_loop(scenario: Awaitable[None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(scenario)  # type: ignore[arg-type]

    return run_on_loop


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    (one,) = listen("127.0.0.1", 0)
    with one:
        yield one


def connect(listener: socket.socket, stack: ExitStack, count: int) -> list[socket.socket]:
    """Return clients that the system has connected and the server has not accepted yet."""
    connections = [
        socket.create_connection(listener.getsockname(), timeout=20) for _ in range(count)
    ]
    return [stack.enter_context(one) for one in connections]


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_all_waiting_connections_are_accepted_in_one_turn_of_the_loop(
    run: Callable[[Awaitable[None]], None], listener: socket.socket
) -> None:
    async def scenario() -> None:
        with ExitStack() as stack:
            it = Acceptor([listener], Greeter)
            connections = connect(listener, stack, MANY)
            while not Greeter.accepted:
                await turns(1)
            await turns(3)  # turns until a transport calls its protocol
            assert Greeter.accepted == MANY
            await it.close()
            assert [one.recv(20) for one in connections] == [b"hello"] * MANY

    run(scenario())


def test_waiting_connections_are_accepted_before_the_socket_closes(
    run: Callable[[Awaitable[None]], None], listener: socket.socket
) -> None:
    async def scenario() -> None:
        with ExitStack() as stack:
            it = Acceptor([listener], Greeter)
            address = listener.getsockname()
            connections = connect(listener, stack, MANY)
            await it.close()
            assert Greeter.accepted == MANY
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(address, timeout=20)
            await turns(3)
            assert [one.recv(20) for one in connections] == [b"hello"] * MANY

    run(scenario())


class Full(socket.socket):
    """A listening socket of a process that has no free file descriptors at first."""

    full = 2

    def accept(self) -> tuple[socket.socket, object]:
        if self.full:
            self.full -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_connections_wait_while_no_file_descriptor_is_free(
    run: Callable[[Awaitable[None]], None],
    listener: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(acceptor, "PAUSE_SECONDS", 0.01)

    async def scenario() -> None:
        with ExitStack() as stack, Full(fileno=listener.detach()) as full:
            it = Acceptor([full], Greeter)
            (connection,) = connect(full, stack, 1)
            while not Greeter.accepted:
                await asyncio.sleep(0.005)
            assert connection.recv(20) == b"hello"
            await it.close()

    run(scenario())
    assert caplog.text.count("Too many open files") == 2
