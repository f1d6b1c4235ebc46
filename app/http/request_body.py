"""The body of a request: read within its limit, parsed as JSON, checked against its schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from fastapi import Request
from pydantic import BaseModel

from heed.app.errors import FieldError, RequestError, ServiceError, quoted
from heed.app.http.negotiation import JSON
from heed.app.http.validation_errors import checked

MOST_LEVELS = 32
RETRY_SECONDS = 2

Asked = TypeVar("Asked", bound=BaseModel)


async def read_body(request: Request, schema: type[Asked], limit: int) -> Asked:
    """The body as an instance of its schema, or the error that says what is wrong with it."""
    media_type(request, JSON)
    most_levels = request.app.state.service.settings.max_depth
    return checked(parsed(await read_bytes(request, limit), most_levels), schema)


def media_type(request: Request, *known: str) -> str:
    """What the body says it is, if that is among the types known here, JSON always the first."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media in known:
        return media
    found = f"not as {quoted(media)}" if media else "and say so"
    message = f"Send the body as JSON, with `Content-Type: {JSON}`, {found}."
    headers = {"Accept-Post": ", ".join(known)}
    raise RequestError("unsupported_media_type", message, headers=headers)


class MemoryBudget:
    """The bytes of all bodies that are being read, so that a crowd does not fill the memory."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0

    @contextmanager
    def taking(self) -> Iterator[Callable[[int], None]]:
        """What takes so many bytes more; they are given back at the end of the block."""
        taken = 0

        def take(size: int) -> None:
            nonlocal taken
            if self._held + size > self._most:
                message = "Too much is being sent at once. Try again in a moment."
                headers = {"Retry-After": str(RETRY_SECONDS)}
                raise ServiceError("overloaded", message, headers=headers)
            self._held += size
            taken += size

        try:
            yield take
        finally:
            self._held -= taken


async def read_bytes(request: Request, limit: int) -> bytes:
    """The body as it came, or the error that says it is larger than the limit."""
    room: MemoryBudget = request.app.state.room
    declared = request.headers.get("content-length", "")
    body = bytearray()
    if not (declared.isdecimal() and int(declared) > limit):
        with room.taking() as take:
            async for chunk in request.stream():
                take(len(chunk))
                body += chunk
                if len(body) > limit:
                    break
            else:
                return bytes(body)
    message = f"The body is larger than {limit} bytes. Send less, or in several requests."
    raise RequestError("body_too_large", message)


def parsed(body: bytes, most_levels: int = MOST_LEVELS) -> Any:
    """The value that the JSON text stands for. NaN and Infinity are not JSON."""
    if not body.strip():
        raise FieldError("empty_body", 'The body is empty. Send an object such as {"text": "…"}.')
    try:
        value = DECODER.decode(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = f"The body is not UTF-8: byte {error.start} cannot be read. Send it as UTF-8."
        raise RequestError("bad_json", message) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RequestError("bad_json", f"The body is not JSON: {error.msg} at {place}.") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # a whole number of thousands of digits
        message = "The body has a number that is too long to be read."
        raise RequestError("bad_json", message) from None
    if body.count(b"[") + body.count(b"{") > most_levels:
        _check_depth(value, most_levels)
    return value


def _check_depth(value: Any, most_levels: int) -> None:
    level = [value]
    for _ in range(most_levels):
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


def _too_deep() -> RequestError:
    return RequestError("bad_json", "The body is nested too deeply to be read.")


def _refuse_constant(name: str) -> NoReturn:
    raise RequestError("bad_json", f"The body is not JSON: there is no {name} in JSON.")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
