"""The base of all schemas, and the kinds of fields that they share."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

Detail = Literal["weights", "steps", "full"]

Optional = TypeVar("Optional")
Item = TypeVar("Item")
Many = Annotated[list[Item], Field(fail_fast=True)]
"""A list that clients may send, too: validation stops at its first invalid item."""
Row = Many[float]


def _is_none(value: object) -> bool:
    return value is None


def _without_default(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


Absent = Annotated[
    Optional | SkipJsonSchema[None],
    Field(exclude_if=_is_none, json_schema_extra=_without_default),
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
