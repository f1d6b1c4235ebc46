"""JSON, encoded from the models of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from heed.app.schemas import Wire


def to_json(value: Wire | Mapping[str, Any]) -> bytes:
    """Encode a model of the API, or a mapping that may contain NumPy arrays."""
    plain = value.model_dump(by_alias=True) if isinstance(value, Wire) else value
    return orjson.dumps(plain, option=orjson.OPT_SERIALIZE_NUMPY)
