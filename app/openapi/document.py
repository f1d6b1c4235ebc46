"""The description of the API that `/docs` shows: examples, errors, and both forms of an answer."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from heed.app.errors import FieldError, RequestError, ServiceError, all_codes
from heed.app.http.negotiation import EVENTS, JSON, NPZ
from heed.app.schemas import (
    TRACE_SCHEMA_ID,
    AskIn,
    BatchIn,
    CaptionIn,
    ErrorOut,
    PlainIn,
    StartEvent,
    StepEvent,
    TraceOut,
    TranslateIn,
)

FILE, MULTIPART = "image", "multipart/form-data"
COMPONENT = "#/components/schemas/{model}"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
DESCRIPTION = """
Heed shows where a neural network looks. Ask a model for a text and get a *trace*: what went in,
what came out, and for every output token what the model looked at and the numbers that led there.

In every attention map **rows are what was written (queries) and columns are what was read (keys)**;
a row sums to 1. Every error is `{"error": {"code", "message", "field"}}`.
"""
TAGS = [
    {"name": "translation", "description": "A text goes in, a trace comes out."},
    {
        "name": "pictures",
        "description": "A picture goes in, perhaps with a question: a trace comes out.",
    },
    {"name": "catalogue", "description": "The models there are, and the form of a trace."},
    {"name": "saved traces", "description": "A trace gets a link, and can be deleted again."},
    {"name": "service", "description": "Whether the server lives, is ready, and what it runs."},
]
TRANSLATE_EXAMPLES = {
    "a date": {"value": {"text": "the 3rd of may 1979"}},
    "one model of several": {"value": {"text": "thursday 7 march 2024", "model": "dates-dot"}},
    "a target of your own": {"value": {"text": "may 3, 1979", "target": "1979-05-03"}},
    "beam search": {"value": {"text": "5/3/79", "search": {"kind": "beam", "beam": 3}}},
    "weights only": {"value": {"text": "3 may 79", "detail": "weights"}},
    "the vectors of every head": {
        "value": {
            "text": "I do not know where she lives.",
            "model": "en-fr-transformer",
            "vectors": "all",
        }
    },
}
BATCH_EXAMPLES = {
    "one bad text among good ones": {"value": {"texts": ["3 may 1979", "", "7 march 2024"]}}
}
PLAIN_EXAMPLES = {
    "attention of any model": {
        "value": {
            "source": ["▁the", "▁ca", "t"],
            "target": ["le", "chat"],
            "weights": [[0.9, 0.1, 0], [0.1, 0.6, 0.3]],
        }
    },
    "two heads that look at the input itself": {
        "value": {
            "source": "hello world",
            "kind": "encoder-self",
            "weights": [[[1, 0], [0, 1]], [[0.5, 0.5], [0.5, 0.5]]],
        }
    },
}
STREAM_EXAMPLE = "event: start\ndata: {…}\n\nevent: step\ndata: {…}\n\nevent: trace\ndata: {…}\n\n"


def body_of(schema: type[BaseModel], examples: dict[str, Any]) -> dict[str, Any]:
    """The description of a JSON body, for `openapi_extra`."""
    content = {"schema": {"$ref": COMPONENT.format(model=schema.__name__)}, "examples": examples}
    return {"requestBody": {"required": True, "content": {JSON: content}}}


def form_of(schema: type[BaseModel]) -> dict[str, Any]:
    """The description of a form with a picture beside the fields of a schema."""
    # One schema, not two that must both hold: each of them knows no fields but its own.
    own = schema.model_json_schema(ref_template=COMPONENT)
    whole = {
        "type": "object",
        "description": own["description"],
        "properties": {FILE: {"type": "string", "format": "binary"}, **own["properties"]},
        "required": [FILE, *own.get("required", ())],
        "additionalProperties": False,
    }
    encoding = {"search": {"contentType": JSON}}
    content = {MULTIPART: {"schema": whole, "encoding": encoding}}
    return {"requestBody": {"required": True, "content": content}}


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The errors that a call can answer with, by status."""
    known = all_codes()
    by_status: dict[int | str, list[str]] = {}
    for code in codes:
        by_status.setdefault(known[code].status, []).append(code)
    return {
        status: {"model": ErrorOut, "description": ", ".join(f"`{code}`" for code in found)}
        for status, found in sorted(by_status.items(), key=lambda pair: str(pair[0]))
    }


FORM_CODES = ("bad_form", "image_file_too_large", "unsupported_picture")
PICTURE_CODES = ("empty_picture", "picture_too_large", "broken_picture", "draws_unsupported")
QUESTION_CODES = ("empty_question", "blank_question", "unknown_characters", "question_too_long")
TRACE_CODES = ("bad_npz", "missing_key", "wrong_key", "unknown_trace", "invalid_trace")
STORE_CODES = ("store_unavailable",)
BODY_CODES = tuple(
    code
    for code in RequestError.codes
    if code not in ("not_found", "method_not_allowed", *TRACE_CODES, *FORM_CODES)
)
SERVICE_CODES = tuple(
    code
    for code in ServiceError.codes
    if code not in ("not_ready", "trace_unreadable", "store_full", *STORE_CODES)
)
BATCH_CODES = ("empty_batch", "batch_too_large")
SHAPE_CODES = tuple(list(FieldError.codes)[: list(FieldError.codes).index("empty_text")])
TEXT_CODES = tuple(
    code
    for code in FieldError.codes
    if code not in (*SHAPE_CODES, *BATCH_CODES, *TRACE_CODES, *PICTURE_CODES, *QUESTION_CODES)
)
TARGET_CODES = tuple(code for code in TEXT_CODES if not code.endswith(("_text", "text_too_long")))

TRANSLATE_CODES = (*BODY_CODES, *SHAPE_CODES, *TEXT_CODES, *SERVICE_CODES)
CAPTION_CODES = (
    *(*BODY_CODES, *FORM_CODES, *SHAPE_CODES, *PICTURE_CODES),
    *("invalid_text", *TARGET_CODES, *SERVICE_CODES),
)
ASK_CODES = (*CAPTION_CODES, *QUESTION_CODES)
SAVE_CODES = (
    *("bad_json", "bad_npz", "body_too_large", "unsupported_media_type"),
    *(code for code in SHAPE_CODES if code not in ("unknown_model", "wrong_task")),
    *("invalid_text", "invalid_trace", "overloaded", "store_full", *STORE_CODES),
)

SAVE_BODY = {
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
            "application/x-npz": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}
KEY_NAME = "key of a saved trace"
KEY: dict[str, Any] = {"security": [{KEY_NAME: []}]}

EVENT_STREAM = {
    "description": "The trace; or, with `Accept: text/event-stream`, the trace as it grows: "
    "an event `start`, one `step` per output token, and `trace` with the whole "
    "(or `error`, should it fail on the way); or, with `Accept: application/x-npz`, its numbers "
    "as arrays for NumPy.",
    "content": {
        EVENTS: {"schema": {"type": "string"}, "example": STREAM_EXAMPLE},
        NPZ: {"schema": {"type": "string", "format": "binary"}},
    },
}


def trace_schema() -> dict[str, Any]:
    """The JSON Schema of a trace."""
    schema = TraceOut.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": DIALECT, "$id": TRACE_SCHEMA_ID, **schema}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document; made when first asked for."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            description=app.description,
            routes=app.routes,
            tags=TAGS,
        )
        schemas = document["components"]["schemas"]
        for models in (
            [(each, "validation") for each in (TranslateIn, BatchIn, PlainIn, CaptionIn, AskIn)],
            [(StartEvent, "serialization"), (StepEvent, "serialization")],
        ):
            _, found = models_json_schema(models, ref_template=COMPONENT)  # type: ignore[arg-type]
            for name, schema in found["$defs"].items():
                schemas.setdefault(name, schema)
        bearer = {
            "type": "http",
            "scheme": "bearer",
            "description": "What saving it gave as `key`.",
        }
        document["components"]["securitySchemes"] = {KEY_NAME: bearer}
        _forget_the_frameworks_errors(document)
        _tell_of_the_doors(document)
        app.openapi_schema = document
    return app.openapi_schema


def _forget_the_frameworks_errors(document: dict[str, Any]) -> None:
    """FastAPI tells of an error of its own wherever a path has a parameter. It never comes."""
    schemas = document["components"]["schemas"]
    theirs = schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    if theirs is None:
        return
    for methods in document["paths"].values():
        for operation in methods.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]


def _tell_of_the_doors(document: dict[str, Any]) -> None:
    """What can be refused before a call is looked at, wherever it can be."""
    known = all_codes()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            codes = ["bad_http", "unknown_host"]
            codes += ["rate_limited"] * path.startswith("/api/")
            codes += ["request_timeout"] * ("requestBody" in operation)
            for code in codes:
                answers = operation["responses"]
                told = answers.setdefault(str(known[code].status), {"description": ""})
                told["description"] = ", ".join(filter(None, (told["description"], f"`{code}`")))
                told["content"] = {JSON: {"schema": {"$ref": COMPONENT.format(model="ErrorOut")}}}
            operation["responses"] = dict(sorted(operation["responses"].items()))
