"""JSON, encoded from the models of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heed.app.schemas import Wire
from heed.output.encoding import compact, encoded


def to_json(value: Wire | Mapping[str, Any]) -> bytes:
    """Encode a model of the API, or a mapping as `encoded` takes it."""
    return compact(encoded(value.model_dump(by_alias=True) if isinstance(value, Wire) else value))
