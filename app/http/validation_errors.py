"""The fields of a body: checked against a schema, what is wrong with them told in a sentence."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from heed.app.errors import FieldError, quoted
from heed.app.schemas import AXIS_TAGS, Wire

LONGEST_FIELD = 100

Asked = TypeVar("Asked", bound=BaseModel)

KINDS = {
    "string": "a string",
    "int": "a whole number",
    "float": "a number",
    "list": "a list",
    "model": "an object",
}
BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}


def checked(value: Any, schema: type[Asked], *, strict: bool | None = None) -> Asked:
    """The value as an instance of the schema, or its first problem as an error."""
    if not isinstance(value, dict):
        message = 'The body must be an object such as {"text": "…"}.'
        raise FieldError("wrong_type", message)
    try:
        return schema.model_validate(value, strict=strict)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        raise _field_error(problems[0], schema) from None


def path(location: Sequence[str | int]) -> str:
    """Where in the body something stands: `search.beam`, `texts[3]`."""
    text = ""
    for step in location:
        if step in AXIS_TAGS or step in _models():
            continue
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text if len(text) <= LONGEST_FIELD else text[: LONGEST_FIELD - 1] + "…"


@cache
def _models() -> frozenset[str]:
    """Names of the parts of the contract: of one that may be left out, pydantic tells its name."""
    return frozenset(each.__name__ for each in Wire.__subclasses__())


def _field_error(problem: ErrorDetails, schema: type[BaseModel]) -> FieldError:
    """The first problem that pydantic found, in our own words."""
    kind, field = problem["type"], path(problem["loc"])
    name, value = quoted(field), _shown(problem["input"])
    if kind == "missing":
        return FieldError("missing_field", f"The field {name} is missing. Add it.", field)
    if kind == "extra_forbidden":
        hint = _hint(str(problem["loc"][-1]), _known_fields(schema, problem["loc"][:-1]))
        return FieldError("unknown_field", f"There is no field {name}. {hint}", field)
    if kind == "string_unicode":
        what = f"The field {name}" if field else "The name of a field"
        message = f"{what} is not valid Unicode: half of a surrogate pair is missing."
        return FieldError("invalid_text", message, field or None)
    if kind == "literal_error":
        message = f"The field {name} must be one of {problem['ctx']['expected']}, not {value}."
        return FieldError("invalid_choice", message, field)
    if kind in BOUNDS:
        message = f"The field {name} must be {_bound(kind, problem['ctx'])}, not {value}."
        return FieldError("out_of_range", message, field)
    wanted = KINDS.get(kind.partition("_")[0], "of another type")
    return FieldError("wrong_type", f"The field {name} must be {wanted}.", field)


def _hint(wished: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(wished[:LONGEST_FIELD], known, n=1)
    if not known:
        return "Leave it out."
    return f"Did you mean '{near[0]}'?" if near else f"There are: {', '.join(known)}."


def _bound(kind: str, ctx: dict[str, Any]) -> str:
    phrase, key = BOUNDS[kind]
    bound = ctx[key]
    return f"{phrase} {f'{bound:g}' if isinstance(bound, float) else bound}"


def _shown(value: object) -> str:
    """A value of the user's for a sentence; of what has parts, only that it has them."""
    if isinstance(value, str):
        return quoted(value)
    return quoted(str(value)).strip("'") if isinstance(value, int | float) else "this"


def _known_fields(schema: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """Names of the fields of the object that stands at a place in the body."""
    for step in location:
        if step not in schema.model_fields:
            return []
        inner = schema.model_fields[str(step)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        schema = inner
    return list(schema.model_fields)
