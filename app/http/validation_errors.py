"""Validation errors of pydantic as errors of the API, with a sentence for each."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from heed.app.errors import FieldError, quoted
from heed.app.schemas import AXIS_TAGS, TraceOut

MAX_FIELD_CHARACTERS = 100
NOT_AN_OBJECT = 'The body must be an object such as {"text": "…"}.'

Schema = TypeVar("Schema", bound=BaseModel)
Problem = Mapping[str, Any]
"""One error of pydantic: `type`, `loc`, `input` and perhaps `ctx`."""

KINDS = {
    "string": "a string",
    "int": "an integer",
    "float": "a number",
    "finite": "a number",
    "list": "a list",
    "dict": "an object",
    "model": "an object",
    "none": "null",
}
BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
SIZES = {
    "too_long": ("at most", "max_length", "items"),
    "too_short": ("at least", "min_length", "items"),
    "string_too_long": ("at most", "max_length", "characters"),
}
TOO_LARGE = {
    "text": "text_too_long",
    "target": "target_too_long",
    "question": "question_too_long",
    "story": "story_too_long",
    "graph": "graph_too_large",
    "nodes": "graph_too_large",
    "edges": "graph_too_large",
    "picture": "picture_too_large",
    "pixels": "picture_too_large",
    "texts": "batch_too_large",
}
"""The codes of fields of requests that are larger than any model takes."""


def validated(value: Any, schema: type[Schema], *, strict: bool | None = None) -> Schema:
    """Return the value as an instance of the schema, or raise its first problem."""
    if not isinstance(value, dict):
        raise FieldError("wrong_type", NOT_AN_OBJECT)
    try:
        return schema.model_validate(value, strict=strict)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise _field_error(problem, problem["loc"], schema) from None


def validation_error(problems: Sequence[Problem], schema: type[BaseModel] | None) -> FieldError:
    """Return the first problem that FastAPI found in a body."""
    location = problems[0]["loc"][1:]  # without `body`
    if not location and problems[0]["type"] == "missing":
        message = 'The body is empty. Send an object such as {"text": "…"}.'
        return FieldError("empty_body", message)
    return _field_error(problems[0], location, schema)


def path(location: Sequence[str | int]) -> str:
    """Return the path of a field in the body: `search.beam`, `texts[3]`."""
    text = ""
    for step in location:
        if step in AXIS_TAGS:
            continue
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    limit = MAX_FIELD_CHARACTERS
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _field_error(
    problem: Problem, location: Sequence[str | int], schema: type[BaseModel] | None
) -> FieldError:
    kind, field = problem["type"], path(location)
    name, value = quoted(field), _shown(problem["input"])
    if kind == "missing":
        return FieldError("missing_field", f"The field {name} is missing. Add it.", field)
    if kind == "extra_forbidden":
        hint = _hint(str(location[-1]), _known_fields(schema, location[:-1]))
        return FieldError("unknown_field", f"There is no field {name}. {hint}", field)
    if kind == "string_unicode":
        subject = f"The field {name}" if field else "The name of a field"
        message = f"{subject} is not valid Unicode: it contains an unpaired surrogate."
        return FieldError("invalid_text", message, field or None)
    if kind == "literal_error":
        message = f"The field {name} must be one of {problem['ctx']['expected']}, not {value}."
        return FieldError("invalid_choice", message, field)
    if kind in BOUNDS:
        message = f"The field {name} must be {_bound(kind, problem['ctx'])}, not {value}."
        return FieldError("out_of_range", message, field)
    if kind in SIZES:
        phrase, key, unit = SIZES[kind]
        message = f"The field {name} must have {phrase} {problem['ctx'][key]:,} {unit}."
        return FieldError(_size_code(kind, location, schema), message, field)
    expected = KINDS.get(kind.partition("_")[0], "of another type")
    return FieldError("wrong_type", f"The field {name} must be {expected}.", field)


def _size_code(kind: str, location: Sequence[str | int], schema: type[BaseModel] | None) -> str:
    """Return the code of a text or a list of the wrong size."""
    if schema is TraceOut:
        return "invalid_trace"
    name = ".".join(step for step in location if isinstance(step, str))
    return "out_of_range" if kind == "too_short" else TOO_LARGE.get(name, "out_of_range")


def _hint(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name[:MAX_FIELD_CHARACTERS], known, n=1)
    if not known:
        return "Remove it."
    return f"Did you mean '{near[0]}'?" if near else f"The fields are: {', '.join(known)}."


def _bound(kind: str, ctx: dict[str, Any]) -> str:
    phrase, key = BOUNDS[kind]
    bound = ctx[key]
    return f"{phrase} {f'{bound:g}' if isinstance(bound, float) else bound}"


def _shown(value: object) -> str:
    """Return a value for a message; `this` stands for a list or an object."""
    if isinstance(value, str):
        return quoted(value)
    return quoted(str(value)).strip("'") if isinstance(value, int | float) else "this"


def _known_fields(schema: type[BaseModel] | None, location: Sequence[str | int]) -> list[str]:
    """Return the names of the fields of the object at a location in the body."""
    for step in location:
        if schema is None or step not in schema.model_fields:
            return []
        inner = schema.model_fields[str(step)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        schema = inner
    return [] if schema is None else list(schema.model_fields)
