"""Request bodies: their media type, their bytes, and JSON parsed strictly."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any, NoReturn

import orjson
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from heed.app.errors import FieldError, HeedError, RequestError, quoted
from heed.app.http.media_types import JSON
from heed.app.http.validation_errors import NOT_AN_OBJECT, validated

MAX_LEVELS = 32
PARSED = 10  # bytes of objects for each byte of a trace: a number of five characters takes 40
PART_BYTES = {b"{": 216, b"[": 66, b'"': 30, b",": 40}
"""Memory of the objects, lists, strings and numbers of JSON, by the marks of their text.

An object has one key of its own, a string two marks; a number takes 16 bytes more while orjson
parses it.
"""
COUNTED_BYTES = 8 * 1024 * 1024
MAX_PART_BYTES = 6 * COUNTED_BYTES
"""For all parts of the JSON of `COUNTED_BYTES`: 1.2 million numbers, less where strings are."""
MAX_KEYS = 64
"""Keys of one object, of which pydantic would report each as unknown."""
CONTAINERS = frozenset((dict, list))
THREAD_BYTES = 16 * 1024
"""A larger body is parsed and validated on a thread, not on the event loop."""
LARGE_BYTES = 256 * 1024
"""A larger body gets the messages of orjson, which takes less memory."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class JSONRequest(Request):
    """A request whose `json()` accepts nothing but a JSON object in UTF-8."""

    schema: type[BaseModel] | None = None
    """The schema of a large body, which is validated here, so that FastAPI has nothing to do."""

    async def json(self) -> Any:
        """Parse the body, or raise `bad_json`, `empty_body` or `wrong_type`."""
        body, levels = await self.body(), self.app.state.settings.max_depth
        if len(body) > THREAD_BYTES:
            work = self.app.state.service.work
            parse = partial(_parse_large, body, levels, self.schema)
            return await work.parse(parsed_bytes(body), parse)
        return _parse_object(body, levels)


class JSONRoute(APIRoute):
    """A route whose body is JSON, parsed by `JSONRequest`; other media types get 415."""

    def get_route_handler(self) -> Handler:
        """Wrap the handler of FastAPI."""
        handle = super().get_route_handler()
        annotation = self.body_field.field_info.annotation if self.body_field else None
        schema: type[BaseModel] | None = None
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            schema = annotation

        async def handle_json(request: Request) -> Response:
            require_media_type(request, JSON)
            given = JSONRequest(request.scope, request.receive)
            given.schema = schema
            try:
                return await handle(given)
            except (HTTPException, RequestValidationError) as error:
                raise _without_cycle(error) from None

        return handle_json


def _without_cycle(error: Exception) -> Exception:
    """Return an error of FastAPI, or the one of which it was raised, without a traceback.

    A frame of FastAPI refers to its error, which refers to the frame: the body would stay in memory
    until Python's collector finds them.
    """
    cause = error.__cause__
    if cause is not None and not isinstance(cause, HeedError | ClientDisconnect):
        return error  # a defect, whose traceback is logged
    error.__cause__ = error.__traceback__ = None
    return error if cause is None else cause.with_traceback(None)


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


def parse_json(body: bytes, max_levels: int = MAX_LEVELS, max_bytes: int = 0) -> Any:
    """Parse JSON text in UTF-8. NaN, Infinity and deep nesting are refused."""
    check_parts(body, max_bytes)
    if not body.strip():
        message = 'The body is empty. Send an object such as {"text": "…"}.'
        raise FieldError("empty_body", message)
    try:
        value = (_decoded if len(body) <= LARGE_BYTES else orjson.loads)(body)
    except UnicodeDecodeError as error:
        message = f"The body is not valid UTF-8 at byte {error.start}."
        raise RequestError("bad_json", message) from None
    except json.JSONDecodeError as error:
        if error.msg == "depth limit exceeded":  # of orjson
            raise _too_deep() from None
        position = f"line {error.lineno}, column {error.colno}"
        message = f"The body is not valid JSON: {error.msg} at {position}."
        raise RequestError("bad_json", message) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # an integer of thousands of digits
        message = "The body contains a number with too many digits."
        raise RequestError("bad_json", message) from None
    if body.count(b"[") + body.count(b"{") > max_levels or body.count(b":") > MAX_KEYS:
        check_shape(value, max_levels)
    return value


def _decoded(body: bytes) -> Any:
    """Parse with the better messages of `json`, whose text takes up to four times its bytes."""
    return DECODER.decode(body.decode("utf-8-sig"))


def parts_bytes(content: bytes) -> int:
    """Return the most bytes that the objects of JSON take, by the marks of its text."""
    return sum(content.count(mark) * size for mark, size in PART_BYTES.items())


def parsed_bytes(content: bytes) -> int:
    """Return the most bytes that JSON takes as objects, and as a trace if it is one."""
    return max(PARSED * len(content), parts_bytes(content))


def check_parts(body: bytes, max_bytes: int = 0) -> None:
    """Raise an error if the JSON has more parts than any request, before anything is parsed.

    Each would become a Python object, up to thirty times larger than its bytes. The parts are
    counted by their marks, so that marks within strings count, too. Where bodies may be very large
    (`max_bytes`), they may have more parts.
    """
    most = MAX_PART_BYTES * max(1.0, max_bytes / COUNTED_BYTES)
    if parts_bytes(body) > most:
        message = "The body has too many lists, objects, strings or numbers. Send less."
        raise RequestError("body_too_large", message)


def check_shape(value: Any, max_levels: int) -> None:
    """Raise an error for deep nesting, and for an object with more keys than any schema has."""
    level = [value] if type(value) in CONTAINERS else []
    for _ in range(max_levels):
        for each in level:
            if isinstance(each, dict) and len(each) > MAX_KEYS:
                message = f"An object of the body has {len(each):,} fields; no object has so many."
                raise FieldError("unknown_field", message)
        level = [*_inner(level)]
        if not level:
            return
    raise _too_deep()


def _inner(level: list[Any]) -> Iterator[Any]:
    """Yield the lists and objects within those of a level."""
    for outer in level:
        items = outer.values() if isinstance(outer, dict) else outer
        if not CONTAINERS.isdisjoint(map(type, items)):  # most lists are rows of numbers
            yield from (inner for inner in items if type(inner) in CONTAINERS)


def _parse_object(body: bytes, max_levels: int) -> dict[str, Any]:
    value = parse_json(body, max_levels)
    if not isinstance(value, dict):
        raise FieldError("wrong_type", NOT_AN_OBJECT)
    return value


def _parse_large(body: bytes, max_levels: int, schema: type[BaseModel] | None) -> Any:
    value = _parse_object(body, max_levels)
    return value if schema is None else validated(value, schema)


def _too_deep() -> HeedError:
    return RequestError("bad_json", "The body is nested too deeply.")


def _refuse_constant(name: str) -> NoReturn:
    message = f"The body is not valid JSON: {name} is not a JSON number."
    raise RequestError("bad_json", message)


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
