"""Bytes to the JSON of a trace."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from heed.app.errors import FieldError, RequestError
from heed.app.http.encoding import to_json
from heed.app.http.request_body import parse_json
from heed.app.schemas import TraceOut
from heed.app.traces.npz import read_npz
from heed.app.traces.trace_import.plain import plain_trace
from heed.app.traces.trace_import.schema_1 import upgrade
from heed.app.traces.trace_import.validation import Json, validated_trace

TOO_LARGE = "The trace is larger than {limit} bytes. Send it with less detail."


class SavedContent(NamedTuple):
    """The JSON of a saved trace in the present schema, and the trace itself."""

    content: bytes
    trace: TraceOut
    upgraded: bool
    """True if it was saved in an earlier schema, so that its JSON differs from the saved one."""


def import_json(body: bytes, limit: int) -> bytes:
    """Return the JSON of a trace, from the JSON of a trace or of plain matrices."""
    return _serialize(_parsed(body, limit), limit)


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


def _parsed(body: bytes, limit: int) -> TraceOut:
    """Return a trace; the parsed JSON, which takes as much memory, is freed."""
    value = parse_json(body, max_bytes=limit)
    if not isinstance(value, dict):
        message = "The body must be an object: a trace, or source, target and weights."
        raise FieldError("wrong_type", message)
    return _upgraded_trace(value)[0] if "schema" in value else plain_trace(value)


def _upgraded_trace(value: Json) -> tuple[TraceOut, bool]:
    upgraded = upgrade(value)
    return validated_trace(value), upgraded


def _serialize(trace: TraceOut, limit: int) -> bytes:
    content = to_json(trace)
    if len(content) > limit:
        raise RequestError("body_too_large", TOO_LARGE.format(limit=limit))
    return content
