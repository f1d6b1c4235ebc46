"""State of a training on graphs: the network and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from heed.models.networks.graph_network import GraphNetwork
from training.common.averaging import averaged
from training.common.saves import save_state
from training.graphs.baseline import ConvolutionalNetwork, convolutional
from training.graphs.recipe import GraphRecipe


@dataclass(slots=True)
class GraphRun:
    """State of a training run: everything that a save keeps."""

    recipe: GraphRecipe
    model: GraphNetwork | ConvolutionalNetwork
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0

    @classmethod
    def begin(cls, recipe: GraphRecipe, *, baseline: bool = False) -> GraphRun:
        """Create a run at update 0; `baseline`: of the network without attention."""
        torch.manual_seed(recipe.schedule.seed)
        model = convolutional(recipe.network) if baseline else GraphNetwork(recipe.network)
        optimizer = torch.optim.AdamW(
            model.parameters(), weight_decay=recipe.schedule.weight_decay, fused=True
        )
        average = {name: value.detach().clone() for name, value in model.named_parameters()}
        return cls(recipe, model, optimizer, average)

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

    @contextmanager
    def averaged(self) -> Iterator[GraphNetwork | ConvolutionalNetwork]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
