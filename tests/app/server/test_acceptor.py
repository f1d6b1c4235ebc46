"""How connections are let in, on the loops that there are."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack

import pytest
import uvloop

from heed.app.server import acceptor as reception
from heed.app.server.acceptor import Acceptor
from heed.app.server.serve import listen

MANY = 40


class Greeting(asyncio.Protocol):
    """Says that one is in, and no more."""

    met = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        Greeting.met += 1
        transport.write(b"come in")
        transport.close()


@pytest.fixture(autouse=True)
def _nobody_yet() -> None:
    Greeting.met = 0


@pytest.fixture(params=[uvloop.new_event_loop, asyncio.SelectorEventLoop], ids=["uvloop", "plain"])
def run(request: pytest.FixtureRequest) -> Callable[[Awaitable[None]], None]:
    def running(wanted: Awaitable[None]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(wanted)  # type: ignore[arg-type]

    return running


@pytest.fixture
def door() -> Iterator[socket.socket]:
    (one,) = listen("127.0.0.1", 0)
    with one:
        yield one


def standing_before(door: socket.socket, stack: ExitStack, count: int) -> list[socket.socket]:
    """Clients whom the system has taken in, and nobody else."""
    lines = [socket.create_connection(door.getsockname(), timeout=20) for _ in range(count)]
    return [stack.enter_context(one) for one in lines]


async def turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def test_all_who_wait_come_in_in_one_turn(
    run: Callable[[Awaitable[None]], None], door: socket.socket
) -> None:
    async def go() -> None:
        with ExitStack() as stack:
            it = Acceptor([door], Greeting)
            lines = standing_before(door, stack, MANY)
            while not Greeting.met:
                await turns(1)
            await turns(3)  # a transport takes so many until it tells its protocol
            assert Greeting.met == MANY
            await it.close()
            assert [one.recv(20) for one in lines] == [b"come in"] * MANY

    run(go())


def test_who_stands_before_the_door_is_let_in_before_it_is_closed(
    run: Callable[[Awaitable[None]], None], door: socket.socket
) -> None:
    async def go() -> None:
        with ExitStack() as stack:
            it = Acceptor([door], Greeting)
            place = door.getsockname()
            lines = standing_before(door, stack, MANY)
            await it.close()
            assert Greeting.met == MANY
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(place, timeout=20)
            await turns(3)
            assert [one.recv(20) for one in lines] == [b"come in"] * MANY

    run(go())


class Full(socket.socket):
    """A listening socket of a process that has as many files open as it may, at first."""

    full = 2

    def accept(self) -> tuple[socket.socket, object]:
        if self.full:
            self.full -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_while_no_file_is_left_they_wait(
    run: Callable[[Awaitable[None]], None],
    door: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(reception, "PAUSE_SECONDS", 0.01)

    async def go() -> None:
        with ExitStack() as stack, Full(fileno=door.detach()) as full:
            it = Acceptor([full], Greeting)
            (line,) = standing_before(full, stack, 1)
            while not Greeting.met:
                await asyncio.sleep(0.005)
            assert line.recv(20) == b"come in"
            await it.close()

    run(go())
    assert caplog.text.count("Too many open files") == 2
