"""The state of a training, from which it is resumed."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training.common.averaging import begin_average
from training.common.errors import TrainingError

RandomStates = dict[str, Any]


def seed_random(seed: int) -> None:
    """Seed every random generator: of Python, NumPy and PyTorch."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def random_states() -> RandomStates:
    """Return the states of all random generators."""
    kind, keys, *rest = np.random.get_state(legacy=True)
    return {
        "python": random.getstate(),
        "numpy": (kind, np.asarray(keys).tolist(), *rest),
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all(),
    }


def set_random_states(states: RandomStates) -> None:
    """Restore the states of all random generators."""
    random.setstate(states["python"])
    np.random.set_state(states["numpy"])
    torch.set_rng_state(states["torch"])
    torch.cuda.set_rng_state_all(states["cuda"])


@dataclass(slots=True)
class TrainingState:
    """The network, its optimizer, the running average, and how far the training is."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0
    epoch: int = 0
    drawn: int = 0  # batches of this epoch
    epoch_start: RandomStates = field(default_factory=random_states)
    best: float = math.inf  # the lowest loss on the dev sets
    waited: int = 0  # saves since then

    @classmethod
    def begin(cls, model: nn.Module, optimizer: torch.optim.Optimizer) -> TrainingState:
        """Create a state at update 0."""
        return cls(model, optimizer, begin_average(model))

    def save(self, path: Path, data: Mapping[str, Any]) -> None:
        """Save the state, that of the data, and of the random generators.

        An interrupted save leaves the one before.
        """
        counts = {name: getattr(self, name) for name in COUNTS}
        state = counts | {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "data": dict(data),
            "random": random_states(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".part")
        torch.save(state, fresh)
        fresh.replace(path)

    def resume(self, path: Path) -> tuple[Mapping[str, Any], RandomStates]:
        """Restore a saved state; return that of the data and of the random generators."""
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        if missing := {*COUNTS, "data"} - set(state):
            names = ", ".join(sorted(missing))
            raise TrainingError(f"{path} was written by another version of Heed: no {names}")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        for name, value in state["average"].items():
            self.average[name].copy_(value)
        for name in COUNTS:
            setattr(self, name, state[name])
        return state["data"], state["random"]


COUNTS = ("update", "epoch", "drawn", "epoch_start", "best", "waited")
