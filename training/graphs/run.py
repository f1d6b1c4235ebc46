"""State of a training on graphs: the network and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor

from heed.models.networks.graph_network import GraphNetwork
from training.common.averaging import averaged, begin_average
from training.common.saves import ResumableRun
from training.graphs.baseline import ConvolutionalNetwork, convolutional
from training.graphs.recipe import GraphRecipe


@dataclass(slots=True)
class GraphRun(ResumableRun):
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
        average = begin_average(model)
        return cls(recipe, model, optimizer, average)

    @contextmanager
    def averaged(self) -> Iterator[GraphNetwork | ConvolutionalNetwork]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
