"""Teacher forcing of captioners: all captions of a photo share its keys and cells.

Shapes: `P` photos, `C` captions of each, `Q` steps, `K` cells, `A` attention width, `D` width.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.attention import softmax
from heed.models.networks.captioners import RecurrentCaptioner, TransformerCaptioner
from heed.models.registry import CaptionNetwork
from heed.models.text.tokenizer import PAD

CHUNK_PHOTOS = 4  # photos whose energies stay in the cache

tanh_gradient = torch.ops.aten.tanh_backward


class DrawnCells(NamedTuple):
    """Drawn cells, with what the policy gradient needs."""

    log_probability: Tensor  # (P, C, Q), of the cell drawn
    entropy: Tensor  # (P, C, Q), of what it was drawn from
    asking: Tensor  # (P, C, Q, D), what it was known by
    alone: Tensor  # (P, C, 1), 1 where the cell was taken alone, 0 where the mean was


class TeacherForced(NamedTuple):
    """Result of teacher forcing, before the projection onto the vocabulary."""

    readouts: Tensor  # (P, C, Q, D)
    weights: Tensor | None  # (P, C, Q, K), of the one head there is
    drawn: DrawnCells | None = None


def teacher_force(
    model: CaptionNetwork, cells: Tensor, fed: Tensor, softened: float = 0.0
) -> TeacherForced:
    """Run the decoder on inputs `fed` (P, C, Q) and cells (P, K, D).

    For a share `softened` of captions hard attention uses the weighted mean, not a drawn cell.
    """
    if isinstance(model, TransformerCaptioner):
        return TeacherForced(_forward_transformer(model, cells, fed), None)
    return _forward_recurrent(model, cells, fed, softened)


def _forward_transformer(model: TransformerCaptioner, cells: Tensor, fed: Tensor) -> Tensor:
    photos, captions, steps = fed.shape
    memory = model.encode(cells)
    states = model.embed(fed.flatten(0, 1), 0)  # (P·C, Q, D)
    for layer in model.layers:
        states, _, _ = layer.self_attend(states, None)
        across = states.reshape(photos, captions * steps, -1)
        keys = layer.cross.prepare(memory.states, memory.mask)
        states = layer.cross_attend(across, keys)[0].view(photos * captions, steps, -1)
    return model.norms[1](states).view(photos, captions, steps, -1)


def _forward_recurrent(
    model: RecurrentCaptioner, cells: Tensor, fed: Tensor, softened: float
) -> TeacherForced:
    photos, captions = fed.shape[:2]
    attention, cell = model.attention, model.cell
    keys = attention.key(cells).to(torch.float32)  # (P, K, A)
    cells = cells.to(torch.float32)
    energy = attention.energy.weight[0]
    hidden = torch.tanh(model.bridge(cells.mean(dim=1)))[:, None].expand(-1, captions, -1)
    embedded = model.dropout(model.embedding(fed))  # (P, C, Q, D)
    alone = (torch.rand(photos, captions, 1, device=cells.device) >= softened).to(cells)
    rows = torch.arange(photos, device=cells.device)[:, None]
    attended, queries, contexts, states, draws = [], [], [], [], []
    for step, count in enumerate(active_captions(fed)):
        hidden, word = hidden[:, :count], embedded[:, :count, step]
        joint = torch.cat([hidden, word], dim=-1)
        query = attention.query(joint).to(torch.float32)
        # In 32 bits: on a CPU tanh of 16 takes five times as long.
        with torch.autocast(cells.device.type, enabled=False):
            weights = softmax(energies(query, keys, energy))
            context = weights @ cells  # (P, C, D)
        if model.hard:
            chosen = torch.multinomial(weights.detach().flatten(0, 1), 1).view(photos, count)
            only = alone[:, :count]
            context = only * cells[rows, chosen] + (1 - only) * context
            draws.append(_log_probability_and_entropy(weights, chosen))
        context = torch.sigmoid(model.gate(hidden)) * context
        given = torch.cat([word, context], dim=-1)
        hidden = cell(given.flatten(0, 1), hidden.flatten(0, 1)).view(photos, count, -1)
        attended.append(weights)
        queries.append(joint.detach())
        contexts.append(context)
        states.append(hidden)
    readouts = model.readout(
        _stack_steps(states, captions), _stack_steps(contexts, captions), embedded
    )
    drawn = None
    if draws:
        logs, entropies = zip(*draws, strict=True)
        drawn = DrawnCells(
            _stack_steps(logs, captions),
            _stack_steps(entropies, captions),
            _stack_steps(queries, captions),
            alone,
        )
    return TeacherForced(model.dropout(readouts), _stack_steps(attended, captions), drawn)


def energies(query: Tensor, keys: Tensor, energy: Tensor) -> Tensor:
    """Return vᵀ tanh(q + k) of every caption with every cell: (P, C, K).

    Takes queries (P, C, A), keys (P, K, A) and v (A,). Computed for a few photos at a time and
    again for the gradient: in the cache, computing twice is faster than storing.
    """
    output: Tensor = _Energies.apply(query, keys, energy)  # type: ignore[no-untyped-call]
    return output


class _Energies(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, query: Tensor, keys: Tensor, energy: Tensor) -> Tensor:
        ctx.save_for_backward(query, keys, energy)
        output = query.new_empty(*query.shape[:2], keys.shape[1])
        for some in _photo_chunks(len(query)):
            torch.matmul(_hidden_energies(query[some], keys[some]), energy, out=output[some])
        return output

    @staticmethod
    def backward(ctx: Any, d_told: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        query, keys, energy = ctx.saved_tensors
        d_query, d_keys, d_energy = map(torch.empty_like, (query, keys, energy))
        d_energy.zero_()
        for some in _photo_chunks(len(query)):
            looks, d_some = _hidden_energies(query[some], keys[some]), d_told[some]
            d_energy += d_some.flatten() @ looks.flatten(0, 2)
            slope = tanh_gradient(d_some[..., None] * energy, looks)
            torch.sum(slope, dim=2, out=d_query[some])
            torch.sum(slope, dim=1, out=d_keys[some])
        return d_query, d_keys, d_energy


def _hidden_energies(query: Tensor, keys: Tensor) -> Tensor:
    return (keys[:, None] + query[:, :, None]).tanh_()  # (P, C, K, A)


def _photo_chunks(photos: int) -> Iterator[slice]:
    return (slice(start, start + CHUNK_PHOTOS) for start in range(0, photos, CHUNK_PHOTOS))


def active_captions(fed: Tensor) -> list[int]:
    """Return the number of unfinished captions at each step; (P, C, Q), the longest first."""
    lengths = (fed != PAD).sum(dim=-1)  # (P, C)
    if bool((lengths[:, 1:] > lengths[:, :-1]).any()):
        raise ValueError("the captions of a photo must be sorted, the longest first")
    return [max(int((lengths > step).sum(dim=1).max()), 1) for step in range(fed.shape[2])]


def _stack_steps(steps: Sequence[Tensor], captions: int) -> Tensor:
    """Stack steps (P, …) of a falling number of captions to (P, C, Q, …), padded with zeros."""
    padded = []
    for step in steps:
        missing = step.new_zeros(len(step), captions - step.shape[1], *step.shape[2:])
        padded.append(torch.cat([step, missing], dim=1))
    return torch.stack(padded, dim=2)


def _log_probability_and_entropy(weights: Tensor, chosen: Tensor) -> tuple[Tensor, Tensor]:
    """Return the log-probability of the draw, and the entropy of its distribution."""
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log()
    return logs.gather(2, chosen[..., None])[..., 0], -(weights * logs).sum(dim=-1)


def doubly_stochastic_penalty(weights: Tensor, real: Tensor) -> Tensor:
    """Return the doubly stochastic penalty, the mean of Σₖ (1 − Σₜ αₜₖ)².

    Xu et al. 2015, section 4.2.1. Takes weights (P, C, Q, K) and
    which steps are real (P, C, Q).
    """
    paid = (weights * real[..., None]).sum(dim=2)  # (P, C, K)
    return (1 - paid).square().sum(dim=-1).mean()


def attention_entropy(weights: Tensor, real: Tensor) -> Tensor:
    """Return the mean entropy, in nats, of weights (P, C, Q, K)."""
    logs = weights.clamp_min(torch.finfo(weights.dtype).tiny).log()
    return -(weights * logs).sum(dim=-1)[real].mean()


def discounted_returns(rewards: Tensor, real: Tensor, discount: float) -> Tensor:
    """Return the discounted returns rₜ + γ·rₜ₊₁ + γ²·rₜ₊₂ + … of rewards (P, C, Q)."""
    total = torch.zeros_like(rewards[..., 0])
    returns = []
    for step in reversed(range(rewards.shape[-1])):
        total = (rewards[..., step] + discount * total) * real[..., step]
        returns.append(total)
    return torch.stack(returns[::-1], dim=-1)


def nll(
    model: CaptionNetwork, readouts: Tensor, target: Tensor, temperature: float = 1.0
) -> Tensor:
    """Return -log p of every token (P, C, Q) of the captions, at a temperature."""
    scores = model.predict(readouts).to(torch.float32) / temperature
    losses = F.cross_entropy(scores.flatten(0, 2), target.flatten(), reduction="none")
    return losses.view(target.shape)
