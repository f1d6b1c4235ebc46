"""How a request gets to the function of its route."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from heed.app.container import ServiceDep
from heed.app.http.routing import Ways, routes

CASES = [
    ("GET", "/things", 200, "nothing"),
    ("GET", "/things/parts", 200, "parts"),
    ("POST", "/things/parts", 200, "POST parts parts"),
    ("POST", "/things/a%20b", 200, "POST parts a b"),
    ("DELETE", "/things", 405, ""),
    ("GET", "/things/", 404, ""),
    ("POST", "/things/a/b", 404, ""),
]


async def nothing() -> Response:
    return PlainTextResponse("nothing")


async def parts_of(parts: ServiceDep) -> Response:
    return PlainTextResponse(str(parts))


async def all_three(request: Request, parts: ServiceDep, id: str) -> Response:
    return PlainTextResponse(f"{request.method} {parts} {id}")


@pytest.fixture
def app() -> FastAPI:
    made = FastAPI(redirect_slashes=False)
    made.state.service = "parts"
    router = routes("/things", "tag")
    router.get("")(nothing)
    router.get("/parts")(parts_of)
    router.post("/{id}")(all_three)
    made.router.routes += router.routes
    return made


def asked(app: Any, method: str, path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.request(method, path)

    return asyncio.run(ask())


@pytest.mark.parametrize(("method", "path", "status", "told"), CASES)
def test_a_function_is_given_what_it_takes(
    app: FastAPI, method: str, path: str, status: int, told: str
) -> None:
    answer = asked(app, method, path)
    assert answer.status_code == status
    assert status != 200 or answer.text == told
    assert status != 405 or answer.headers["allow"] == "GET"


def test_it_is_described_as_any_other_route(app: FastAPI) -> None:
    paths: dict[str, Any] = app.openapi()["paths"]
    assert paths["/things"]["get"]["operationId"] == "nothing"
    assert [one["name"] for one in paths["/things/{id}"]["post"]["parameters"]] == ["id"]
    assert paths["/things"]["get"]["tags"] == ["tag"]


@pytest.mark.parametrize(("method", "path", "status", "told"), CASES)
def test_the_short_way_leads_to_the_same(
    app: FastAPI, method: str, path: str, status: int, told: str
) -> None:
    ways = Ways(app.router)

    async def answering(scope: Any, receive: Any, send: Any) -> None:
        try:
            await ways({**scope, "app": app}, receive, send)
        except HTTPException as error:
            await PlainTextResponse("", error.status_code)(scope, receive, send)

    answer = asked(answering, method, path)
    assert (answer.status_code, answer.text) == (status, told)
