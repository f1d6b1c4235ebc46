"""The records of attention while models learned, which their folders may have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = "learning.json"


def records(weights: Path) -> list[Any]:
    """Return the records of all models in a folder of weights."""
    files = sorted(weights.glob(f"*/{FILE}"))
    return [json.loads(file.read_text("utf-8")) for file in files]
