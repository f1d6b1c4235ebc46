"""The records of attention while models learned, which their folders may have."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = "learning.json"


@cache
def records(*folders: Path) -> tuple[Any, ...]:
    """Return the records of all models in folders of weights, of each model the first one."""
    files: dict[str, Path] = {}
    for folder in folders:
        for file in sorted(folder.glob(f"*/{FILE}")):
            files.setdefault(file.parent.name, file)
    return tuple(json.loads(file.read_text("utf-8")) for file in files.values())
