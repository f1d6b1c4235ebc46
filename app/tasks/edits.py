"""The edits of a request, as the models know them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from heed.app.errors import FieldError
from heed.app.schemas import EditIn, RangeIn
from heed.models.edits.operations import OPERATIONS, Edit


def edits_of(given: Sequence[EditIn] | None) -> tuple[Edit, ...]:
    """Return the edits of a request, or raise a `FieldError` for a field that does not fit."""
    return tuple(_edit_of(edit, f"edits[{place}]") for place, edit in enumerate(given or ()))


def _edit_of(given: EditIn, place: str) -> Edit:
    operation = OPERATIONS[given.op]
    known = {field.name: field for field in fields(operation)}
    values: dict[str, Any] = {
        name: _plain(value)
        for name in EditIn.model_fields
        if name != "op" and (value := getattr(given, name)) is not None
    }
    for name in values:
        if name not in known:
            message = f"The operation '{given.op}' has no field '{name}'. Remove it."
            raise FieldError("unknown_field", message, f"{place}.{name}")
    for name, field in known.items():
        if field.default is MISSING and name not in values:
            message = f"The operation '{given.op}' needs the field '{name}'. Add it."
            raise FieldError("missing_field", message, f"{place}.{name}")
    return operation(**values)


def _plain(value: object) -> object:
    if isinstance(value, RangeIn):
        return range(value.first, value.last + 1)
    return tuple(value) if isinstance(value, list) else value
