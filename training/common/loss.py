"""Cross-entropy of a projection onto a large vocabulary, without holding all of its logits.

Logits, probabilities and gradients are computed for a few rows at a time, while they are in the
processor's cache, and the gradient is computed with the loss. On a CPU this halves the time of an
update.
Shapes: `N` rows, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

CHUNK_ROWS = 512
ROW_MULTIPLE = 128


def projected_cross_entropy(
    readouts: Tensor,
    weight: Tensor,
    bias: Tensor,
    target: Tensor,
    label_smoothing: float,
    shares: Tensor | None = None,
) -> Tensor:
    """Mean loss in nats of the scores `readouts @ weight.T + bias`.

    Takes readouts (N, D), a weight (V, D), a bias (V,), targets (N,), and optional weights of the
    rows (N,). The same as
    `torch.nn.functional.cross_entropy`, but computed in the type of `readouts`.
    """
    if shares is None:
        shares = torch.ones_like(target, dtype=weight.dtype)
    given = readouts, weight, bias, target, label_smoothing, shares
    loss: Tensor = _Projected.apply(*given)  # type: ignore[no-untyped-call]
    return loss


class _EagerGradient(torch.autograd.Function):
    """Loss whose gradient is computed in the forward pass, for its first three arguments."""

    @staticmethod
    def backward(ctx: Any, d_loss: Tensor) -> tuple[Tensor | None, ...]:
        d_readouts, d_weight, d_bias = ctx.saved_tensors
        scale = float(d_loss) / len(d_readouts)
        return d_readouts.mul_(scale), d_weight.mul_(scale), d_bias.mul_(scale), None, None, None


class _Projected(_EagerGradient):
    @staticmethod
    def forward(
        ctx: Any,
        readouts: Tensor,
        weight: Tensor,
        bias: Tensor,
        target: Tensor,
        smoothing: float,
        shares: Tensor,
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
        # Empty rows fill up the last chunk: see the grid of shapes in `training.common.batches`.
        filled = -(-count // ROW_MULTIPLE) * ROW_MULTIPLE
        padded = F.pad(readouts, (0, 0, 0, filled - count))
        for start in range(0, filled, CHUNK_ROWS):
            part = padded[start : start + CHUNK_ROWS]
            right = target[start : start + CHUNK_ROWS, None]
            real = len(right)
            scores = torch.addmm(shift, part, table.T)
            chances = scores.softmax(dim=1)
            chances[real:] = 0
            scores, chosen = scores[:real], chances[:real]
            target_logs = chosen.gather(1, right).to(wide).clamp_min(torch.finfo(wide).tiny).log()
            shared = shares[start : start + CHUNK_ROWS, None]
            loss -= (1 - smoothing) * (shared * target_logs).sum()
            if smoothing:  # the mean of all log probabilities, from the log of the softmax's sum
                total = scores.gather(1, right).to(wide) - target_logs
                every = (part[:real].to(wide) @ table_sum + shift_sum)[:, None] - vocabulary * total
                loss -= share * (shared * every).sum()
            # d loss / d scores: probabilities minus targets. (Not by
            # `scatter_add_`: of 16-bit floats it copies the whole matrix, there and back.)
            chosen[torch.arange(real, device=right.device), right[:, 0]] += smoothing - 1
            chosen *= shared.to(kind)
            d_readouts[start : start + CHUNK_ROWS] = (chances @ table)[:real]
            d_weight += chances.T @ part
            d_bias += (chances.new_ones(1, len(chances)) @ chances)[0]
        if smoothing:
            d_readouts -= (share * shares[:, None] * table_sum).to(kind)
            d_weight -= share * (shares[:, None] * readouts).sum(dim=0, dtype=weight.dtype)
            d_bias -= share * shares.sum()
        ctx.save_for_backward(d_readouts, d_weight, d_bias)
        return loss / len(target)


class TeacherLogits(NamedTuple):
    """Readouts and output layer of a teacher, which give its logits."""

    readouts: Tensor  # (N, D)
    weight: Tensor  # (V, D)
    bias: Tensor  # (V,)


def distilled_cross_entropy(
    readouts: Tensor,
    weight: Tensor,
    bias: Tensor,
    target: Tensor,
    teachers: Sequence[TeacherLogits],
    share: float,
) -> Tensor:
    """Mean loss in nats, with a share of the target from the mean prediction of teachers."""
    given = readouts, weight, bias, target, teachers, share
    loss: Tensor = _Distilled.apply(*given)  # type: ignore[no-untyped-call]
    return loss


class _Distilled(_EagerGradient):
    @staticmethod
    def forward(
        ctx: Any,
        readouts: Tensor,
        weight: Tensor,
        bias: Tensor,
        target: Tensor,
        teachers: Sequence[TeacherLogits],
        share: float,
    ) -> Tensor:
        kind = readouts.dtype
        wide = torch.promote_types(kind, torch.float32)
        table, shift = weight.to(kind), bias.to(kind)
        taught = [TeacherLogits(*(part.to(kind) for part in teacher)) for teacher in teachers]
        loss = torch.zeros((), dtype=wide, device=readouts.device)
        d_readouts = torch.empty_like(readouts)
        d_weight, d_bias = torch.zeros_like(weight), torch.zeros_like(bias)
        for start in range(0, len(target), CHUNK_ROWS):
            rows = slice(start, start + CHUNK_ROWS)
            part, right = readouts[rows], target[rows]
            logs = torch.addmm(shift, part, table.T).to(wide).log_softmax(dim=1)
            wanted = torch.zeros_like(logs)
            for teacher in taught:
                scores = torch.addmm(teacher.bias, teacher.readouts[rows], teacher.weight.T)
                wanted += scores.to(wide).softmax(dim=1)
            wanted *= share / len(taught)
            wanted[torch.arange(len(right), device=right.device), right] += 1 - share
            loss -= (wanted * logs).sum()
            astray = logs.exp_().sub_(wanted).to(kind)
            d_readouts[rows] = astray @ table
            d_weight += astray.T @ part
            d_bias += astray.sum(dim=0, dtype=wide)
        ctx.save_for_backward(d_readouts, d_weight, d_bias)
        return loss / len(target)
