"""JSON, encoded from the models of the API."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import orjson

from heed.app.schemas import Wire


def to_json(value: Wire | Mapping[str, Any]) -> bytes:
    """Encode a model of the API, or a mapping with NumPy arrays and calls that are still to make.

    A call is a `partial`; its result is encoded in its place and freed.
    """
    plain = value.model_dump(by_alias=True) if isinstance(value, Wire) else value
    return orjson.dumps(plain, _called, orjson.OPT_SERIALIZE_NUMPY)


def _called(value: object) -> object:
    if isinstance(value, partial):
        return value()
    raise TypeError(f"{type(value).__name__} has no JSON")
