"""The base of all schemas, and the kinds of fields that they share."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

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

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


class RequestModel(Wire):
    """Base of the requests: types are strict, a number is not a string."""

    model_config = ConfigDict(strict=True)
