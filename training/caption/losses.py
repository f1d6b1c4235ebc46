"""Losses of captioners: supervised, of the draws of hard attention, and self-critical.

Shapes: `P` photos, `C` captions of each, `Q` steps, `K` cells, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from heed.models.registry import CaptionNetwork
from heed.models.text.tokenizer import PAD
from training.caption.batches import LONGEST, CaptionBatch
from training.caption.caption_forward import (
    DrawnCells,
    attention_entropy,
    discounted_returns,
    doubly_stochastic_penalty,
    nll,
    teacher_force,
)
from training.caption.recipe import CaptionRecipe, HardAttention
from training.caption.self_critical import (
    Reward,
    compute_rewards,
    sample_captions,
    self_critical_loss,
)
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, has_bfloat16, mixed_precision
from training.common.task import Loss


class Baseline(nn.Module):
    """Baseline of REINFORCE: the expected return of a step; it is not shipped."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.guess = nn.Linear(width, 1)

    def forward(self, asking: Tensor) -> Tensor:
        """Return the expected return (P, C, Q) for the queries (P, C, Q, D)."""
        return self.guess(asking.to(torch.float32))[..., 0]


@dataclass(frozen=True, slots=True)
class CaptionLosses:
    """The losses of one captioner by its recipe."""

    recipe: CaptionRecipe
    model: CaptionNetwork
    baseline: Baseline | None  # of hard attention

    def supervised(self, cells: Tensor, batch: CaptionBatch, *, learning: bool) -> Loss:
        """Return the loss of the captions of a batch with cells (P, K, D)."""
        recipe = self.recipe
        photos = len(batch.places)
        fed, target = (ids.view(photos, -1, ids.shape[1]) for ids in (batch.fed, batch.target))
        real = target != PAD
        with mixed_precision(CPU):
            softened = recipe.hard_attention.softened if learning else 0.0
            output = teacher_force(self.model, cells, fed, softened)
        readouts = output.readouts[real]
        words = projected_cross_entropy(
            readouts.bfloat16() if has_bfloat16(CPU) else readouts.float(),
            self.model.output.weight,
            self.model.output.bias,
            target[real],
            recipe.schedule.label_smoothing if learning else 0.0,
        )
        if not learning:
            return Loss(words, words)
        total = words + self._penalties(output.weights, real)
        if output.drawn is not None and self.baseline is not None and recipe.hard_attention.rate:
            with torch.no_grad():
                rewards = -nll(self.model, output.readouts.float(), target)
            total = total + policy_loss(
                recipe.hard_attention, self.baseline, output.drawn, rewards, real
            )
        return Loss(total, words)

    def self_critical(self, cells: Tensor, places: Tensor, reward: Reward) -> Loss:
        """Return the self-critical loss of photos with cells (P, K, D), and the mean reward."""
        phase = self.recipe.self_critical
        with mixed_precision(CPU):
            captions = sample_captions(self.model, cells, phase.draws, LONGEST, phase.temperature)
            rewards = compute_rewards(captions, places, reward, self.recipe.repetition_penalty)
            total, output, real = self_critical_loss(
                self.model, cells, captions, rewards, phase.temperature
            )
        return Loss(total + self._penalties(output.weights, real), rewards.mean())

    def _penalties(self, weights: Tensor | None, real: Tensor) -> Tensor | float:
        """Return the penalties on maps (P, C, Q, K) whose rows are real where `real` says so."""
        if weights is None:
            return 0.0
        length = real.sum(dim=-1).float().mean()
        stochastic = doubly_stochastic_penalty(weights, real) / length
        entropy = attention_entropy(weights, real)
        return (
            self.recipe.doubly_stochastic_penalty * stochastic
            + self.recipe.entropy_penalty * entropy
        )


def policy_loss(
    settings: HardAttention, baseline: Baseline, drawn: DrawnCells, rewards: Tensor, real: Tensor
) -> Tensor:
    """REINFORCE with a learned baseline and a reward for entropy (Xu et al. 2015, section 4.1)."""
    gained = discounted_returns(rewards, real, settings.discount)
    expected = baseline(drawn.asking)
    counted = (real * drawn.alone.bool()).float()
    count = counted.sum().clamp_min(1.0)
    better = (gained - expected).detach()
    scale = (better.square() * counted).sum().div(count).sqrt().clamp_min(1e-3)
    policy = -(better / scale * drawn.log_probability * counted).sum() / count
    undecided = (drawn.entropy * counted).sum() / count
    missed = ((gained - expected).square() * counted).sum() / count
    return settings.rate * policy - settings.entropy * undecided + missed
