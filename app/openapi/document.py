"""The parts of the OpenAPI document that FastAPI cannot derive from the routes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.models import Example
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from heed.app.errors import all_codes
from heed.app.http.media_types import EVENTS, JSON, MULTIPART, NPY, NPZ
from heed.app.http.multipart import OBJECTS
from heed.app.openapi.examples import PLAIN_EXAMPLES
from heed.app.schemas import (
    TRACE_SCHEMA_ID,
    ErrorOut,
    PlainIn,
    StartEvent,
    StepEvent,
    TraceOut,
)
from heed.app.tasks import TASKS
from heed.app.tasks.task import Task

COMPONENT = "#/components/schemas/{model}"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = """
Heed shows the attention of neural networks. Send a text, a picture, a sound or a story
and get a *trace*: the input, the output, and for every output token its attention weights and the
numbers behind them.

In every attention map **rows are queries (output) and columns are keys (input)**; a row sums to 1.
Every error is `{"error": {"code", "message", "field"}}`.
"""
TAGS = [
    {"name": "translation", "description": "Text to trace."},
    {"name": "pictures", "description": "Picture, and perhaps a question, to trace."},
    {"name": "sounds", "description": "Sound to trace."},
    {"name": "sentences", "description": "Sentence to trace, word by word."},
    {"name": "stories", "description": "Story and question to trace."},
    {"name": "graphs", "description": "Graph to trace."},
    {"name": "large traces", "description": "Maps that an answer left out, one at a time."},
    {"name": "catalogue", "description": "Models, limits, and the JSON Schema of a trace."},
    {"name": "saved traces", "description": "Save, read and delete traces."},
    {"name": "service", "description": "Health, readiness, metrics and version."},
]
STREAM_EXAMPLE = "event: start\ndata: {…}\n\nevent: step\ndata: {…}\n\nevent: trace\ndata: {…}\n\n"
TRACE_RESPONSE: dict[str, Any] = {
    "description": "The trace. With `Accept: text/event-stream` a stream: an event `start`, one "
    "`step` for each output token, hop or glimpse, and `trace` with the complete trace (or "
    "`error`). With `Accept: application/x-npz` the arrays of the trace for NumPy.",
    "content": {
        EVENTS: {"schema": {"type": "string"}, "example": STREAM_EXAMPLE},
        NPZ: {"schema": {"type": "string", "format": "binary"}},
    },
}
AUDIT_RESPONSE: dict[str, Any] = {
    "description": "The audit. With `Accept: text/event-stream` a stream: events `progress` with "
    "the steps that were run, and `audit` with the complete audit (or `error`). With `Accept: "
    "application/x-npz` its arrays for NumPy.",
    "content": {
        EVENTS: {
            "schema": {"type": "string"},
            "example": "event: progress\ndata: {…}\n\nevent: audit\ndata: {…}\n\n",
        },
        NPZ: {"schema": {"type": "string", "format": "binary"}},
    },
}
TRACE_ARCHIVE: dict[str, Any] = {
    "description": "The trace, or its arrays for NumPy.",
    "content": {NPZ: {"schema": {"type": "string", "format": "binary"}}},
}
NPY_RESPONSE: dict[str, Any] = {
    "description": "A file of NumPy (`.npy`) with numbers of 16 bits.",
    "content": {NPY: {"schema": {"type": "string", "format": "binary"}}},
}
SAVE_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            JSON: {
                "schema": {
                    "anyOf": [
                        {"$ref": COMPONENT.format(model="TraceOut")},
                        {"$ref": COMPONENT.format(model="PlainIn")},
                    ]
                },
                "examples": PLAIN_EXAMPLES,
            },
            NPZ: {"schema": {"type": "string", "format": "binary"}},
        },
    }
}

EVERY_PATH = ("bad_http", "unknown_host")
API_PATH = (*EVERY_PATH, "rate_limited")
BODY = ("bad_json", "request_timeout", "body_too_large", "unsupported_media_type")
FIELDS = (
    *("empty_body", "missing_field", "unknown_field", "wrong_type", "out_of_range"),
    *("invalid_choice", "invalid_text"),
)
MODEL = ("not_acceptable", "unknown_model", "wrong_task")
SERVICE = (
    *("non_finite_output", "internal_error", "weights_unreadable", "overloaded"),
    *("shutting_down", "deadline_exceeded"),
)
RUN = (*BODY, *FIELDS, *MODEL, *SERVICE, "answer_too_large")
STORE = ("store_unavailable",)


def errors(*codes: str, common: tuple[str, ...] = API_PATH) -> dict[int | str, dict[str, Any]]:
    """Return the error responses of a route, by status, for its argument `responses`."""
    known = all_codes()
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys((*codes, *common)):
        by_status.setdefault(known[code].status, []).append(code)
    # With "model", FastAPI would build a validator for each of the hundreds of responses.
    content = {JSON: {"schema": {"$ref": COMPONENT.format(model=ErrorOut.__name__)}}}
    return {
        status: {"description": ", ".join(f"`{code}`" for code in codes), "content": content}
        for status, codes in sorted(by_status.items())
    }


def titled(examples: Mapping[str, object]) -> dict[str, Example]:
    """Return example bodies by title, as OpenAPI has them."""
    return {title: {"value": body} for title, body in examples.items()}


def upload_body(task: Task[Any]) -> dict[str, Any]:
    """Describe the form of a task that takes a file, and its JSON, for `openapi_extra`."""
    content: dict[str, Any] = {}
    if task.encoded is not None:
        reference = {"$ref": COMPONENT.format(model=task.encoded.schema.__name__)}
        content[JSON] = {"schema": reference, "examples": titled(task.encoded.examples)}
    form = form_body(task.schema, task.upload.name if task.upload else None)
    return {"requestBody": {"required": True, "content": content | form["requestBody"]["content"]}}


def form_body(schema: type[BaseModel], file: str | None) -> dict[str, Any]:
    """Describe a form with these fields and a file, for `openapi_extra`."""
    # One schema, not `allOf` of two: each would forbid the fields of the other.
    fields = schema.model_json_schema(ref_template=COMPONENT)
    files = {file: {"type": "string", "format": "binary"}} if file else {}
    form = {
        "type": "object",
        "description": fields["description"],
        "properties": {**files, **fields["properties"]},
        "required": [*files, *fields.get("required", ())],
        "additionalProperties": False,
    }
    encoding = {name: {"contentType": JSON} for name in OBJECTS if name in form["properties"]}
    content = {MULTIPART: {"schema": form, "encoding": encoding}}
    return {"requestBody": {"required": True, "content": content}}


@cache
def trace_schema() -> Mapping[str, Any]:
    """Return the JSON Schema of a trace, generated on first use."""
    schema = TraceOut.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": DIALECT, "$id": TRACE_SCHEMA_ID, **schema}


def openapi_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, generated on first use."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
        )
        _add_schemas(document)
        _remove_unused_errors(document)
        app.openapi_schema = document
    return app.openapi_schema


def _add_schemas(document: dict[str, Any]) -> None:
    """Add the schemas of raw bodies, events and errors, which no signature mentions."""
    _, definitions = models_json_schema(
        [
            (PlainIn, "validation"),
            *((task.encoded.schema, "validation") for task in TASKS if task.encoded),
            (StartEvent, "serialization"),
            (StepEvent, "serialization"),
            (ErrorOut, "serialization"),
        ],
        ref_template=COMPONENT,
    )
    for name, schema in definitions["$defs"].items():
        document["components"]["schemas"].setdefault(name, schema)


def _remove_unused_errors(document: dict[str, Any]) -> None:
    """Remove FastAPI's own 422, which it declares for every parameter and never returns here."""
    schemas = document["components"]["schemas"]
    schemas.pop("ValidationError", None)
    if schemas.pop("HTTPValidationError", None) is None:
        return
    for operations in document["paths"].values():
        for operation in operations.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
