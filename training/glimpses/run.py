"""State of a training of a glimpse network: the network, its bank of digits and its optimizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from heed.models.networks.glimpse_network import GlimpseNetwork
from training.common.averaging import averaged, begin_average
from training.common.saves import ResumableRun
from training.glimpses.batches import Batch, draw_batch
from training.glimpses.digits import Bank, draw_bank
from training.glimpses.recipe import GlimpseRecipe


@dataclass(slots=True)
class GlimpseRun(ResumableRun):
    """State of a training run; a save keeps everything but the bank, which its seed repeats."""

    recipe: GlimpseRecipe
    model: GlimpseNetwork
    bank: Bank
    optimizer: torch.optim.Optimizer
    average: dict[str, Tensor]
    random: bool  # it looks at random places
    update: int = 0

    @classmethod
    def begin(cls, recipe: GlimpseRecipe, *, random: bool = False) -> GlimpseRun:
        """Create a run at update 0; `random`: of the baseline that looks at random places."""
        torch.manual_seed(recipe.schedule.seed)
        model = GlimpseNetwork(recipe.network)
        bank = draw_bank(f"{recipe.schedule.seed} training", recipe.digits)
        optimizer = torch.optim.Adam(model.parameters(), fused=True)
        average = begin_average(model)
        return cls(recipe, model, bank, optimizer, average, random)

    def draw(self) -> Batch:
        """Draw the pictures of the next update, which depend on nothing but its number."""
        rng = np.random.default_rng((self.recipe.schedule.seed, self.update))
        recipe = self.recipe
        side = recipe.network.picture
        return draw_batch(rng, self.bank, recipe.schedule.batch, side, recipe.alone)

    def choose(self, means: Tensor) -> Tensor:
        """Draw places around the means of the policy, or anywhere if the run is random."""
        if self.random:
            return torch.rand_like(means) * 2 - 1
        return means + self.recipe.network.deviation * torch.randn_like(means)

    @contextmanager
    def averaged(self) -> Iterator[GlimpseNetwork]:
        """Give the model its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
