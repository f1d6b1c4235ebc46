"""Which responses are compressed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import httpx
import pytest
from starlette.responses import PlainTextResponse

from heed.app.middleware.compression import MIN_BYTES, GZip

PASSING = {"Cache-Control": "no-store"}


def encoding(client: str, headers: Mapping[str, str]) -> str | None:
    """Return how a response to a client is encoded."""

    async def ask() -> httpx.Response:
        app = GZip(PlainTextResponse("a" * MIN_BYTES))
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://heed") as asking:
            return await asking.get("/", headers=headers)

    encoded: str | None = asyncio.run(ask()).headers.get("content-encoding")
    return encoded


@pytest.mark.parametrize(
    ("client", "headers", "expected"),
    [
        ("127.0.0.1", {}, "gzip"),
        ("127.0.0.1", PASSING, None),
        ("::1", PASSING, None),
        ("127.0.0.1", {**PASSING, "X-Forwarded-For": "192.0.2.1"}, "gzip"),
        ("127.0.0.1", {**PASSING, "Via": "1.1 proxy"}, "gzip"),
        ("192.0.2.1", PASSING, "gzip"),
        ("a socket", PASSING, "gzip"),
    ],
)
def test_an_answer_that_is_kept_nowhere_and_stays_on_the_machine_is_not_compressed(
    client: str, headers: Mapping[str, str], expected: str | None
) -> None:
    assert encoding(client, headers) == expected
