from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from heed.app.errors import ServiceUnavailable
from heed.app.inference.jobs import AbandonedError
from heed.app.main import create_app
from heed.app.middleware.error_handling import ErrorHandling
from heed.app.settings import Settings
from tests.app.test_errors import error_of


def call(app: FastAPI, path: str) -> httpx.Response:
    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://heed") as client:
            return await client.get(path)

    return asyncio.run(send())


@pytest.fixture
def app() -> FastAPI:
    """The application with routes that fail."""
    app = create_app(Settings.from_environment(preload="none"))

    async def defect() -> None:
        raise ZeroDivisionError("secret")

    async def overloaded() -> None:
        raise ServiceUnavailable("Try again.", 2.3)

    async def abandoned() -> None:
        raise AbandonedError

    for route in (defect, overloaded, abandoned):
        app.get(f"/api/{route.__name__}")(route)
    return app


def test_an_unexpected_error_is_logged_under_the_id_in_its_message(
    app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    response = call(app, "/api/defect")
    message = error_of(response, 500, "internal_error")["message"]
    found = re.search(r"id ([0-9a-f]{8})\.", message)
    assert found
    assert f"defect id={found[1]} in='/api/defect request=" in caplog.text
    assert "secret" in caplog.text
    assert "secret" not in response.text
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-request-id"]


def test_a_service_that_is_unavailable_says_when_to_try_again(app: FastAPI) -> None:
    response = call(app, "/api/overloaded")
    error_of(response, 503, "overloaded")
    assert response.headers["retry-after"] == "3"


@pytest.mark.parametrize("error", [ZeroDivisionError(), ServiceUnavailable("Try again.")])
def test_an_error_in_the_middle_of_a_response_leaves_it_incomplete(
    app: FastAPI, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    async def cut(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise error

    async def record(message: Any) -> None:
        sent.append(message["type"])

    sent: list[str] = []
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "app": app}
    asyncio.run(ErrorHandling(cut)(scope, None, record))  # type: ignore[arg-type]
    assert sent == ["http.response.start"]
    assert ("defect" in caplog.text) == isinstance(error, ZeroDivisionError)


def test_an_abandoned_request_gets_no_response(
    app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "heed.requests"), pytest.raises(AssertionError):
        call(app, "/api/abandoned")  # the transport misses a response
    assert "status=499" in caplog.text
    assert "defect" not in caplog.text
