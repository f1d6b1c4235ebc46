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
    made = orjson.dumps(value, _called, orjson.OPT_SERIALIZE_NUMPY)
    return bytes(memoryview(made))  # a copy: the buffer of orjson is up to six times as large


def _called(value: object) -> object:
    if isinstance(value, partial):
        return value()
    raise TypeError(f"{type(value).__name__} has no JSON")
