"""Cross-entropy of a projection onto a large vocabulary, without ever holding all of its scores.

Scores, probabilities and gradients are made for a few rows at a time, while they are in the
processor's cache, and the gradient is taken at once. On a CPU this halves the time of an update.
Shapes: `N` rows, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

ROWS = 512
STEP = 128


def projected_cross_entropy(
    readouts: Tensor, weight: Tensor, bias: Tensor, target: Tensor, label_smoothing: float
) -> Tensor:
    """Mean loss in nats of the scores `readouts @ weight.T + bias`.

    Takes readouts (N, D), a weight (V, D), a bias (V,) and the right rows of it (N,). The same as
    `torch.nn.functional.cross_entropy`, but computed in the type of `readouts`.
    """
    loss: Tensor = _Projected.apply(readouts, weight, bias, target, label_smoothing)  # type: ignore[no-untyped-call]
    return loss


class _Projected(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, readouts: Tensor, weight: Tensor, bias: Tensor, target: Tensor, smoothing: float
    ) -> Tensor:
        kind = readouts.dtype
        wide = torch.promote_types(kind, torch.float32)
        vocabulary, table, shift = len(weight), weight.to(kind), bias.to(kind)
        share = smoothing / vocabulary  # of the truth, that each row of the table gets
        table_sum, shift_sum = weight.to(wide).sum(dim=0), bias.to(wide).sum()
        loss = torch.zeros((), dtype=wide, device=readouts.device)
        d_readouts = torch.empty_like(readouts)
        d_weight = torch.zeros_like(weight)
        d_bias = torch.zeros_like(bias)
        count = len(target)
        # Rows of nothing fill up the last piece: see the grid of shapes in `training.batches`.
        filled = -(-count // STEP) * STEP
        padded = F.pad(readouts, (0, 0, 0, filled - count))
        for start in range(0, filled, ROWS):
            part = padded[start : start + ROWS]
            right = target[start : start + ROWS, None]
            real = len(right)
            scores = torch.addmm(shift, part, table.T)
            chances = scores.softmax(dim=1)
            chances[real:] = 0
            scores, chosen = scores[:real], chances[:real]
            told = chosen.gather(1, right).to(wide).clamp_min(torch.finfo(wide).tiny).log()
            loss -= (1 - smoothing) * told.sum()
            if smoothing:  # the mean of all log probabilities, from the log of the softmax's sum
                total = scores.gather(1, right).to(wide) - told
                every = (part[:real].to(wide) @ table_sum + shift_sum)[:, None] - vocabulary * total
                loss -= share * every.sum()
            # d loss / d scores: the probabilities, less what they should have been. (Not by
            # `scatter_add_`: of 16-bit floats it copies the whole matrix, there and back.)
            chosen[torch.arange(real, device=right.device), right[:, 0]] += smoothing - 1
            d_readouts[start : start + ROWS] = (chances @ table)[:real]
            d_weight += chances.T @ part
            d_bias += (chances.new_ones(1, len(chances)) @ chances)[0]
        d_readouts -= (share * table_sum).to(kind)
        d_weight -= share * readouts.sum(dim=0, dtype=weight.dtype)
        d_bias -= share * len(target)
        ctx.save_for_backward(d_readouts, d_weight, d_bias)
        return loss / len(target)

    @staticmethod
    def backward(ctx: Any, d_loss: Tensor) -> tuple[Tensor | None, ...]:
        d_readouts, d_weight, d_bias = ctx.saved_tensors
        scale = float(d_loss) / len(d_readouts)
        return d_readouts.mul_(scale), d_weight.mul_(scale), d_bias.mul_(scale), None, None
