"""The records of attention while models learned, which their folders may have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = "learning.json"


@cache
def records(weights: Path) -> tuple[Any, ...]:
    """Return the records of all models in a folder of weights."""
    files = sorted(weights.glob(f"*/{FILE}"))
    return tuple(json.loads(file.read_text("utf-8")) for file in files)
