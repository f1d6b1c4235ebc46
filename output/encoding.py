"""JSON of a trace, encoded as it is made."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import orjson


def encoded(value: Mapping[str, Any]) -> bytes:
    """Encode a mapping with NumPy arrays and calls that are still to make.

    A call is a `partial`; its result is encoded in its place and freed.
    """
    return orjson.dumps(value, _called, orjson.OPT_SERIALIZE_NUMPY)


def compact(content: bytes) -> bytes:
    """Copy what `encoded` made, whose buffer may be six times as large, to memory of its size."""
    return bytes(memoryview(content))


def _called(value: object) -> object:
    if isinstance(value, partial):
        return value()
    raise TypeError(f"{type(value).__name__} has no JSON")
