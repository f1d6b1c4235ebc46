"""The base of all schemas, and the kinds of fields that they share."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from textwrap import dedent
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

MOST_CHARACTERS = 100_000
MOST_NAME_CHARACTERS = 1_000
MOST_ITEMS = 8_192
"""Rows, columns, tokens or other parts of one list of a trace."""
MOST_TRACE_MAPS = 16_384
MOST_NUMBERS = 65_536
"""Numbers of one vector."""
LARGEST_WHOLE = 2**53 - 1
"""The largest integer that JavaScript holds exactly."""
LARGEST_NUMBER = 3.5e38
"""Above every number of 32 bits."""

Optional = TypeVar("Optional")
Item = TypeVar("Item")

Text = Annotated[str, Field(max_length=MOST_CHARACTERS)]
Name = Annotated[str, Field(max_length=MOST_NAME_CHARACTERS)]
Whole = Annotated[int, Field(ge=-LARGEST_WHOLE, le=LARGEST_WHOLE)]
Count = Annotated[int, Field(ge=0, le=LARGEST_WHOLE)]
Number = Annotated[float, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
Positive = Annotated[float, Field(gt=0, le=LARGEST_NUMBER)]
Many = Annotated[list[Item], Field(max_length=MOST_ITEMS, fail_fast=True)]
"""A list that clients may send: it is bounded, and validation stops at its first invalid item."""
Few = Annotated[list[Item], Field(max_length=64, fail_fast=True)]
Maps = Annotated[list[Item], Field(max_length=MOST_TRACE_MAPS, fail_fast=True)]
Pair = Annotated[list[Item], Field(min_length=2, max_length=2, fail_fast=True)]
Row = Many[Number]


def _is_none(value: object) -> bool:
    return value is None


def _without_null(schema: dict[str, Any]) -> None:
    schema.pop("default", None)
    present = [option for option in schema.pop("anyOf") if option != {"type": "null"}]
    schema.update(present[0] if len(present) == 1 else {"anyOf": present})


Absent = Annotated[
    # A plain union with None: with one that the JSON Schema skips, errors would name inner types.
    Optional | None, Field(exclude_if=_is_none, json_schema_extra=_without_null)
]
"""A field that may be absent, and is never null."""


class Wire(BaseModel):
    """Base of all schemas: unknown fields are refused, docstrings of fields describe them."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the fields; `use_attribute_docstrings` would read them at each start."""
        described = handler(schema)
        properties = handler.resolve_ref_schema(described).get("properties", {})
        for name, text in _docstrings(cls).items():
            own = properties.get(cls.model_fields[name].alias or name)
            if own is not None:
                own.setdefault("description", text)
        return described


@cache
def _docstrings(model: type[Wire]) -> dict[str, str]:
    """Return the docstrings of the fields of a schema, each below its field."""
    docstrings: dict[str, str] = {}
    for base in reversed(model.__mro__[: model.__mro__.index(Wire)]):
        (body,) = (
            node.body
            for node in ast.parse(dedent(inspect.getsource(base))).body
            if isinstance(node, ast.ClassDef)
        )
        for field, after in zip(body, [*body[1:], None], strict=True):
            if not (isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)):
                continue
            docstrings.pop(field.target.id, None)  # a field that is declared again
            match after:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    docstrings[field.target.id] = inspect.cleandoc(text)
    return docstrings


class RequestModel(Wire):
    """Base of the requests: types are strict, a number is not a string."""

    model_config = ConfigDict(strict=True)
