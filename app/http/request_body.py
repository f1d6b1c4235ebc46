"""Request bodies: their media type, their bytes, and JSON parsed strictly."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from heed.app.errors import FieldError, HeedError, RequestError, quoted
from heed.app.http.media_types import JSON

MAX_LEVELS = 32
NOT_AN_OBJECT = 'The body must be an object such as {"text": "…"}.'

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class JSONRequest(Request):
    """A request whose `json()` accepts nothing but a JSON object in UTF-8."""

    async def json(self) -> Any:
        """Parse the body, or raise `bad_json`, `empty_body` or `wrong_type`."""
        value = parse_json(await self.body(), self.app.state.settings.max_depth)
        if not isinstance(value, dict):
            raise FieldError("wrong_type", NOT_AN_OBJECT)
        return value


class JSONRoute(APIRoute):
    """A route whose body is JSON, parsed by `JSONRequest`; other media types get 415."""

    def get_route_handler(self) -> Handler:
        """Wrap the handler of FastAPI."""
        handle = super().get_route_handler()

        async def handle_json(request: Request) -> Response:
            require_media_type(request, JSON)
            return await handle(JSONRequest(request.scope, request.receive))

        return handle_json


def require_media_type(request: Request, *supported: str) -> str:
    """Return the media type of the body, or raise `unsupported_media_type`. JSON comes first."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media in supported:
        return media
    found = f"not {quoted(media)}" if media else "which is missing"
    message = f"Send the body as JSON with `Content-Type: {JSON}`, {found}."
    headers = {"Accept-Post": ", ".join(supported)}
    raise RequestError("unsupported_media_type", message, headers=headers)


def body_too_large(max_bytes: int) -> RequestError:
    """Return the error of a body that exceeds its limit."""
    message = f"The body is larger than {max_bytes} bytes. Send less, or several requests."
    return RequestError("body_too_large", message)


def parse_json(body: bytes, max_levels: int = MAX_LEVELS) -> Any:
    """Parse JSON text in UTF-8. NaN, Infinity and deep nesting are refused."""
    if not body.strip():
        message = 'The body is empty. Send an object such as {"text": "…"}.'
        raise FieldError("empty_body", message)
    try:
        value = DECODER.decode(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = f"The body is not valid UTF-8 at byte {error.start}."
        raise RequestError("bad_json", message) from None
    except json.JSONDecodeError as error:
        position = f"line {error.lineno}, column {error.colno}"
        message = f"The body is not valid JSON: {error.msg} at {position}."
        raise RequestError("bad_json", message) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # an integer of thousands of digits
        message = "The body contains a number with too many digits."
        raise RequestError("bad_json", message) from None
    if body.count(b"[") + body.count(b"{") > max_levels:
        _check_depth(value, max_levels)
    return value


def _check_depth(value: Any, max_levels: int) -> None:
    level = [value]
    for _ in range(max_levels):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    if any(isinstance(value, dict | list) for value in level):
        raise _too_deep()


def _too_deep() -> HeedError:
    return RequestError("bad_json", "The body is nested too deeply.")


def _refuse_constant(name: str) -> NoReturn:
    message = f"The body is not valid JSON: {name} is not a JSON number."
    raise RequestError("bad_json", message)


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
