"""State of a training of a memory network: the network, its pool of stories and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from heed.models.networks.memory_network import MemoryNetwork
from training.common.averaging import averaged, begin_average
from training.common.saves import save_state
from training.stories.batches import Batch, draw_pool, read_batch
from training.stories.recipe import MemoryRecipe
from training.stories.uniform import UniformNetwork
from training.stories.vocabulary import Vocabulary


@dataclass(slots=True)
class MemoryRun:
    """State of a training run: everything that a save keeps."""

    recipe: MemoryRecipe
    vocabulary: Vocabulary
    model: MemoryNetwork
    pool: Batch  # empty until it is drawn or restored
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    update: int = 0

    @classmethod
    def begin(cls, recipe: MemoryRecipe, *, uniform: bool = False) -> MemoryRun:
        """Create a run at update 0; `uniform`: of the baseline without attention."""
        torch.manual_seed(recipe.schedule.seed)
        vocabulary = Vocabulary(longest=recipe.network.words)
        model = (UniformNetwork if uniform else MemoryNetwork)(recipe.network)
        optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), fused=True)
        average = begin_average(model)
        return cls(recipe, vocabulary, model, read_batch(vocabulary, ()), optimizer, average)

    def draw_stories(self) -> None:
        """Draw the pool with which a training begins."""
        self.pool = draw_pool(self.vocabulary, "pool", self.recipe.stories, self.recipe)

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "pool": tuple(self.pool),
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
        self.pool = Batch(*state["pool"])
        torch.set_rng_state(state["random"])

    @contextmanager
    def averaged(self) -> Iterator[MemoryNetwork]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
