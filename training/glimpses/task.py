"""The task of a glimpse network: digits in pictures that the training puts together.

The places are learned by REINFORCE (Williams 1992), everything else by the cross-entropy of the
beliefs.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.families.glimpse.network import GlimpseNetwork, Glimpses
from training.common.command_line import DATA, RUNS, Baseline
from training.common.mixed_precision import mixed_precision
from training.common.task import Loss, Quality, Task, language, limits
from training.glimpses.batches import Batch, draw_batch
from training.glimpses.digits import draw_bank
from training.glimpses.handwritten import handwritten, varied
from training.glimpses.picture_file import picture_file
from training.glimpses.quality import (
    KINDS,
    WRITTEN,
    Looked,
    evaluate_glimpses,
    held_out,
    written,
)
from training.glimpses.recipe import GlimpseRecipe

DEV_PICTURES = 1000  # of each kind, at every save
CHOSEN_FROM: Final = 40  # dev pictures of each kind, for the examples


class GlimpseTask(Task[GlimpseRecipe, Batch]):
    """A network that finds digits in glimpses; the baseline looks at random places."""

    recipe_type = GlimpseRecipe
    baseline_of = Baseline("random", "train at random places")
    betas = (0.9, 0.999)
    model: GlimpseNetwork

    def __init__(
        self, recipe: GlimpseRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = GlimpseNetwork(recipe.network).to(self.device)
        self._bank = draw_bank(f"{recipe.schedule.seed} training", recipe.digits)
        if recipe.handwritten:
            more = handwritten(data, "train")
            more = varied(more, recipe.handwritten, recipe.schedule.seed)
            self._bank = self._bank.joined(more)

    def epoch(self, number: int) -> Iterator[Batch]:
        """Yield one batch, which depends on nothing but its number."""
        recipe = self.recipe
        rng = np.random.default_rng((recipe.schedule.seed, number))
        side = recipe.network.picture
        batch = draw_batch(rng, self._bank, recipe.schedule.batch, side, recipe.alone)
        yield batch.to(self.device)

    def choose(self, means: Tensor) -> Tensor:
        """Draw places around the means of the policy, or anywhere for the baseline."""
        if self.baseline:
            return torch.rand_like(means) * 2 - 1
        return means + self.recipe.network.deviation * torch.randn_like(means)

    def losses(self, batch: Batch) -> Iterator[Loss]:
        """Yield the loss of the places and the beliefs."""
        with mixed_precision(self.device):
            glimpses = self.model(batch.pictures, self.choose)
        yield loss_of(glimpses, batch.labels, self.recipe)

    def evaluate(self) -> Quality:
        """Measure the shares of right digits after each glimpse, of dev pictures."""
        side = self.recipe.network.picture
        pictures = {kind: held_out("dev", kind, DEV_PICTURES, side) for kind in KINDS}
        if self.recipe.handwritten:
            pictures |= {name: written(self.data, "dev", name, side) for name in WRITTEN}
        lines = []
        for kind, tested in pictures.items():
            right, on_digit = evaluate_glimpses(self._look, tested)
            shares = ", ".join(f"{share:.1%}" for share in right)
            lines.append(f"{kind} {shares} ({on_digit:.1%} on the digit)")
        return Quality(f"right after each glimpse: {'; '.join(lines)}")

    @torch.inference_mode()
    def _look(self, pictures: Tensor) -> Looked:
        chosen = self.choose if self.baseline else None
        glimpses: Glimpses = self.model(pictures.to(self.device), chosen)
        return Looked(glimpses.logits.cpu(), glimpses.places.cpu())

    def card(self) -> dict[str, Any]:
        """Return the kinds of input and output, and the examples."""
        network = self.recipe.network
        return {
            "source": language("picture", "Picture"),
            "target": language("digits", "Digit"),
            "granularity": "characters",
            "limits": limits(1, network.picture**2, network.glimpses),
            "examples": list(examples(self.recipe)),
        }


def examples(recipe: GlimpseRecipe) -> Iterator[str]:
    """Yield the files of the examples as base64, in the alphabet of addresses."""
    for kind, places in recipe.examples.items():
        drawn = held_out("dev", kind, CHOSEN_FROM, recipe.network.picture)
        for place in places:
            file = picture_file(drawn.pictures[place])
            yield base64.urlsafe_b64encode(file).decode().rstrip("=")


def loss_of(seen: Glimpses, labels: Tensor, recipe: GlimpseRecipe) -> Loss:
    """Return the total loss, and the cross-entropy of the last belief in nats.

    The reward of a place is the mean probability that the beliefs from there on give to the right
    digit. Its gradient is that of REINFORCE with a learned baseline (equations 4 and 5).
    """
    glimpses = seen.logits.shape[1]
    logs = seen.logits.float().log_softmax(dim=-1)
    right = logs.gather(2, labels[:, None, None].expand(-1, glimpses, 1)).squeeze(2)  # (B, T)
    by_glimpse = -right.mean(dim=0)
    total = by_glimpse[-1] + recipe.each_glimpse * by_glimpse[:-1].mean()
    rewards = right.detach().exp().flip(1).cumsum(1).flip(1)
    left = torch.arange(glimpses, 0, -1, device=rewards.device)
    rewards = (rewards / left)[:, 1:]  # the first place is fixed
    baselines = seen.baselines.float()[:, 1:]
    advantage = rewards - baselines.detach()
    advantage = advantage / (advantage.std() + 1e-6)
    away = (seen.drawn.detach() - seen.means.float())[:, 1:] / recipe.network.deviation
    policy = 0.5 * (advantage * away.square().sum(dim=2)).mean()
    surprise = F.mse_loss(baselines, rewards)
    return Loss(total + recipe.policy * policy + recipe.baseline * surprise, by_glimpse[-1])
