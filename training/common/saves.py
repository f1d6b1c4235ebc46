"""The state of a training, from which it is resumed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn


def save_state(path: Path, state: Mapping[str, object]) -> None:
    """Save a state atomically: an interrupted save leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".part")
    torch.save(dict(state), fresh)
    fresh.replace(path)


class ResumableRun:
    """A training of one network, whose whole state is in these fields and the random generator."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "random": torch.get_rng_state(),
        }
        save_state(path, state)

    def resume(self, path: Path) -> None:
        """Restore a saved state."""
        state: dict[str, Any] = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average, self.update = state["average"], state["update"]
        torch.set_rng_state(state["random"])
