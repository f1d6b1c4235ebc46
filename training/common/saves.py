"""The state of a training, from which it is resumed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch


def save_state(path: Path, state: Mapping[str, object]) -> None:
    """Save a state atomically: an interrupted save leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    torch.save(dict(state), fresh)
    fresh.replace(path)
