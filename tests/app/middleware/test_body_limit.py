from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from heed.app.errors import HeedError
from heed.app.http.memory_budget import MemoryBudget
from heed.app.middleware.body_limit import BodyLimitMiddleware, body_limit


class App:
    """Reads a body to its end."""

    def __init__(self, memory: MemoryBudget) -> None:
        self.memory = memory
        self.received = 0
        self.reserved = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            self.received += len(message.get("body", b""))
            self.reserved = self.memory.reserved
            if not message.get("more_body"):
                return


def call(app: Any, chunks: list[int], length: int | None = None, path: str = "/") -> None:
    headers = [] if length is None else [(b"content-length", str(length).encode())]
    pieces: Iterator[int] = iter(chunks)
    left = len(chunks)

    async def receive() -> dict[str, Any]:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": bytes(next(pieces)), "more_body": left > 0}

    scope = {"type": "http", "path": path, "headers": headers}
    asyncio.run(app(scope, receive, None))


def limited(memory: MemoryBudget) -> tuple[App, BodyLimitMiddleware]:
    app = App(memory)
    paths = {"/large": body_limit(100)}
    return app, BodyLimitMiddleware(app, default=body_limit(10), paths=paths, memory=memory)


def test_a_body_within_its_limit_is_reserved_until_it_is_answered() -> None:
    memory = MemoryBudget(1000)
    app, middleware = limited(memory)
    call(middleware, [4, 6])
    assert (app.received, app.reserved, memory.reserved) == (10, 10, 0)
    call(middleware, [50, 50], path="/large")
    assert (app.received, app.reserved, memory.reserved) == (110, 100, 0)


@pytest.mark.parametrize("chunks", [[11], [5, 6], [10, 1]])
def test_a_body_is_refused_as_soon_as_it_exceeds_its_limit(chunks: list[int]) -> None:
    memory = MemoryBudget(1000)
    app, middleware = limited(memory)
    with pytest.raises(HeedError, match="10 bytes"):
        call(middleware, chunks)
    assert app.received <= 10
    assert memory.reserved == 0


def test_a_declared_length_above_the_limit_is_refused_before_the_body_is_read() -> None:
    app, middleware = limited(MemoryBudget(1000))
    with pytest.raises(HeedError, match="10 bytes"):
        call(middleware, [1], length=11)
    assert app.received == 0


def test_bodies_that_exceed_the_memory_together_are_refused() -> None:
    memory = MemoryBudget(15)
    _, middleware = limited(memory)
    memory.reserve(8)
    with pytest.raises(HeedError) as error:
        call(middleware, [5, 3])
    assert error.value.code == "overloaded"
    assert int(error.value.headers["Retry-After"]) > 0
    assert memory.reserved == 8
    call(middleware, [7])
