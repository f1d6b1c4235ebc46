"""Bytes to the JSON of a trace."""

from __future__ import annotations

import json
from typing import NamedTuple

import orjson
from pydantic import ValidationError

from heed.app.errors import FieldError, RequestError, quoted
from heed.app.http.encoding import to_json
from heed.app.http.request_body import parse_json
from heed.app.schemas import TraceOut
from heed.app.traces.npz import read_npz
from heed.app.traces.trace_import.plain import plain_trace
from heed.app.traces.trace_import.schema_1 import upgrade
from heed.app.traces.trace_import.validation import Json, validated_trace

MAX_LISTS = 200_000
TOO_LARGE = "The trace is larger than {limit} bytes. Send it with less detail."


class SavedContent(NamedTuple):
    """The JSON of a saved trace in the present schema, and the trace itself."""

    content: bytes
    trace: TraceOut
    upgraded: bool
    """True if it was saved in an earlier schema, so that its JSON differs from the saved one."""


def import_json(body: bytes, limit: int) -> bytes:
    """Return the JSON of a trace, from the JSON of a trace or of plain matrices."""
    value = _parse(body)
    if not isinstance(value, dict):
        message = "The body must be an object: a trace, or source, target and weights."
        raise FieldError("wrong_type", message)
    if "schema" not in value:
        return _serialize(plain_trace(value), limit)
    return _serialize(_upgraded_trace(value)[0], limit)


def import_npz(body: bytes, limit: int) -> bytes:
    """Return the JSON of a trace, from the arrays `source`, `target` and `weights` of an `.npz`."""
    return _serialize(plain_trace(read_npz(body, limit)), limit)


def load_saved(content: bytes) -> SavedContent:
    """Return a saved trace in the present schema, or raise the error that says what is wrong."""
    value = orjson.loads(content)
    trace, upgraded = _upgraded_trace(value)
    return SavedContent(orjson.dumps(value) if upgraded else content, trace, upgraded)


def check_saved(content: bytes) -> TraceOut:
    """Return the trace that was saved, or raise the error that says what is wrong with it."""
    return load_saved(content).trace


def _upgraded_trace(value: Json) -> tuple[TraceOut, bool]:
    upgraded = upgrade(value)
    return validated_trace(value), upgraded


def _parse(body: bytes) -> object:
    # Reading millions of small lists would hold up the event loop, though on another thread.
    if body.count(b"[") + body.count(b"{") > MAX_LISTS:
        message = f"There are more than {MAX_LISTS} lists and objects; no trace has so many."
        raise FieldError("invalid_trace", message)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        value: object = parse_json(body)  # slower, but with a better message, and accepts more
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = "The body is not valid Unicode: half of a surrogate pair is missing."
        raise FieldError("invalid_text", message) from None
    return value


def _serialize(trace: TraceOut, limit: int) -> bytes:
    try:
        content = to_json(trace)
    except orjson.JSONEncodeError:
        message = "The trace has a whole number that is too large."
        raise FieldError("out_of_range", message) from None
    if len(content) > limit:
        raise RequestError("body_too_large", TOO_LARGE.format(limit=limit))
    try:
        # JSON has no infinity: one was written as null, which the schema refuses.
        TraceOut.model_validate_json(content, strict=True)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        message = f"The field {quoted(place)} is not a number that can be written as JSON."
        raise FieldError("out_of_range", message, place) from None
    return content
