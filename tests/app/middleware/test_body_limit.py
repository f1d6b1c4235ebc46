from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heed.app.container import Service
from heed.app.errors import HeedError
from heed.app.http.body_budget import BodyBudget
from heed.app.http.multipart import max_form_bytes
from heed.app.middleware.body_limit import SMALL_RESPONSE, BodyLimitMiddleware, body_limit
from heed.app.settings import Settings
from heed.models.pictures.decode import MAX_BYTES


class App:
    """Reads a body to its end."""

    def __init__(self, budget: BodyBudget) -> None:
        self.budget = budget
        self.received = 0
        self.reserved = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            self.received += len(message.get("body", b""))
            self.reserved = self.budget.reserved
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


def limited(budget: BodyBudget) -> tuple[App, BodyLimitMiddleware]:
    app = App(budget)
    paths = {"/large": body_limit(100)}
    return app, BodyLimitMiddleware(app, default=body_limit(10), paths=paths, budget=budget)


def test_a_body_within_its_limit_is_reserved_until_it_is_answered() -> None:
    budget = BodyBudget(1000)
    app, middleware = limited(budget)
    call(middleware, [4, 6])
    assert (app.received, app.reserved, budget.reserved) == (10, 10, 0)
    call(middleware, [50, 50], path="/large")
    assert (app.received, app.reserved, budget.reserved) == (110, 100, 0)


@pytest.mark.parametrize("chunks", [[11], [5, 6], [10, 1]])
def test_a_body_is_refused_as_soon_as_it_exceeds_its_limit(chunks: list[int]) -> None:
    budget = BodyBudget(1000)
    app, middleware = limited(budget)
    with pytest.raises(HeedError, match="10 bytes"):
        call(middleware, chunks)
    assert app.received <= 10
    assert budget.reserved == 0


def test_a_declared_length_above_the_limit_is_refused_before_the_body_is_read() -> None:
    app, middleware = limited(BodyBudget(1000))
    with pytest.raises(HeedError, match="10 bytes"):
        call(middleware, [1], length=11)
    assert app.received == 0


def test_bodies_that_exceed_the_memory_together_are_refused() -> None:
    budget = BodyBudget(18)
    _, middleware = limited(budget)
    budget.reserve("another", 8)
    with pytest.raises(HeedError) as error:
        call(middleware, [5, 3])
    assert error.value.code == "overloaded"
    assert int(error.value.headers["Retry-After"]) > 0
    assert budget.reserved == 8
    call(middleware, [7])


# --- one budget for all -----------------------------------------------------------------------


def test_one_client_leaves_memory_for_others_and_many_leave_it_for_another() -> None:
    budget = BodyBudget(1000)

    def fill(client: str) -> int:
        held = 0
        while True:
            try:
                budget.reserve(client, 1)
            except HeedError:
                return held
            held += 1

    assert fill("a") == 750
    for number in range(40):
        budget.reserve(f"client {number}", 3)
    for client in ("a", *(f"client {number}" for number in range(40))):
        fill(client)
    budget.reserve("newcomer", 1)
    assert budget.reserved < 1000


def test_what_a_client_returns_may_be_reserved_again() -> None:
    budget = BodyBudget(1000)
    for _ in range(3):
        budget.reserve("a", 750)
        with pytest.raises(HeedError):
            budget.reserve("a", 1)
        budget.release("a", 750)
    assert budget.reserved == 0
    assert not budget._by_client


def test_anything_fits_into_nearly_unused_memory() -> None:
    budget = BodyBudget(1000)
    budget.reserve("b", 60)
    budget.reserve("a", 5000)
    with pytest.raises(HeedError):
        budget.reserve("b", 1)


def test_the_same_response_to_several_requests_counts_once() -> None:
    budget, content, equal = BodyBudget(1000), bytes(200), bytes(bytearray(200))
    for client in ("a", "b", "c"):
        budget.reserve_shared(client, content)
    assert budget.reserved == 200
    budget.reserve_shared("b", equal)
    assert budget.reserved == 400
    for left in (400, 400, 200):
        budget.release_shared(content)
        assert budget.reserved == left
    budget.release_shared(equal)
    assert budget.reserved == 0


class Responds:
    """Sends a response of parts, each of this size."""

    def __init__(self, budget: BodyBudget, size: int, parts: int = 1) -> None:
        self.budget = budget
        self.size = size
        self.parts = parts
        self.reserved: list[int] = []
        self.sent: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in range(self.parts):
            body = {"body": bytes(bytearray(self.size)), "more_body": part + 1 < self.parts}
            await send({"type": "http.response.body", **body})

    async def record(self, message: Any) -> None:
        """Record what reaches the server."""
        self.sent.append(message["type"].rpartition(".")[2])
        self.reserved.append(self.budget.reserved)


def send_response(
    app: Responds, client: str = "10.0.0.1", headers: Any = (), proxies: int = 0
) -> None:
    middleware = BodyLimitMiddleware(app, body_limit(10), {}, app.budget, proxies)
    scope = {"type": "http", "path": "/", "headers": headers, "client": (client, 1)}
    asyncio.run(middleware(scope, None, app.record))  # type: ignore[arg-type]


@pytest.mark.parametrize("parts", [1, 3])
def test_a_response_is_reserved_while_it_is_sent(parts: int) -> None:
    app = Responds(BodyBudget(100_000), 10_000, parts)
    send_response(app)
    assert app.sent == ["start"] + ["body"] * parts
    assert app.reserved == [10_000] * (parts + 1)
    assert app.budget.reserved == 0


def test_a_small_response_is_never_refused() -> None:
    app = Responds(BodyBudget(1000), SMALL_RESPONSE)
    app.budget.reserve("10.0.0.1", 1000)
    send_response(app)
    assert app.sent == ["start", "body"]


def test_a_response_without_memory_is_refused_before_it_starts() -> None:
    app = Responds(BodyBudget(100_000), 20_000)
    app.budget.reserve("10.0.0.1", 60_000)
    with pytest.raises(HeedError) as error:
        send_response(app)
    assert error.value.code == "overloaded"
    assert not app.sent
    send_response(app, "10.0.0.2")
    assert app.budget.reserved == 60_000


def test_a_stream_without_memory_is_cut() -> None:
    app = Responds(BodyBudget(100_000), 20_000, parts=3)

    async def fill(message: Any) -> None:
        await record(message)
        app.budget.reserved = 99_000

    record, app.record = app.record, fill  # type: ignore[method-assign]
    with pytest.raises(HeedError) as error:
        send_response(app)
    assert error.value.code == "overloaded"
    assert app.sent == ["start", "body"]


def test_clients_behind_trusted_proxies_are_counted_by_their_own_addresses() -> None:
    app = Responds(BodyBudget(100_000), 20_000)
    app.budget.reserve("192.0.2.1", 70_000)
    forwarded = [(b"x-forwarded-for", b"192.0.2.1")]
    with pytest.raises(HeedError):
        send_response(app, headers=forwarded, proxies=1)
    send_response(app, headers=[(b"x-forwarded-for", b"192.0.2.2")], proxies=1)
    send_response(app, headers=forwarded)


def test_the_default_memory_is_that_of_the_settings_and_the_largest_upload_fits(
    tmp_path: Path,
) -> None:
    budget = Service.build(Settings(store=tmp_path, preload="none")).body_budget
    assert budget.most == Settings().max_held_bytes
    for _ in range(100):
        budget.reserve("one", max_form_bytes(MAX_BYTES) // 100)


def test_memory_too_small_for_the_largest_upload_is_raised(tmp_path: Path) -> None:
    settings = Settings(store=tmp_path, preload="none", max_held_bytes=1024**2)
    budget = Service.build(settings).body_budget
    for _ in range(100):
        budget.reserve("one", max_form_bytes(MAX_BYTES) // 100)
