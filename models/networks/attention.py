"""Attention: one pipeline (project → score → mask → softmax → weighted sum).

A mechanism is its score; the rest is shared. Each is a class registered under its name in
`mechanisms.py`. Nothing is stored between calls, so threads can share a module. Weights are those
before dropout and per head; scores are -inf where a key is masked, so that
`softmax(scores) == weights`; a row whose keys are all masked has weights 0.

Shapes: `B` batch, `Q` queries, `K` keys, `H` heads, `D` width.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Self, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.mechanisms import MECHANISMS
from heed.models.networks.dropout import dropout


class Keys(NamedTuple):
    """A projected memory: everything that does not depend on the query."""

    keys: Tensor  # (B, H, K, D)
    values: Tensor  # (B, H, K, D)
    mask: Tensor | None  # (B, K), true where there is a key; none if all are


class Attended(NamedTuple):
    """The context vectors, the weights α, the scores e, and the queries and keys behind them."""

    context: Tensor  # (B, Q, D)
    weights: Tensor  # (B, H, Q, K)
    scores: Tensor  # (B, H, Q, K)
    query: Tensor  # (B, H, Q, D), as it was scored against the keys
    keys: Keys
    drawn_by: Tensor | None = None  # of an edited row, the weights before values are silenced

    def newest(self) -> Attended:
        """The last query alone, without the dimension Q."""
        weights, scores, query = (part[:, :, -1] for part in self[1:4])
        drawn_by = None if self.drawn_by is None else self.drawn_by[:, :, -1]
        return Attended(self.context[:, -1], weights, scores, query, self.keys, drawn_by)


Editor = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Returns the weights of scores (B, H, Q, K), and the same before values are silenced. The scores
are -inf where a key is masked."""


class StepEdit(NamedTuple):
    """The edits of a step: an editor of the groups of heads, by their place, and given gates."""

    editor: Callable[[int, Tensor], tuple[Tensor, Tensor]]
    gates: Tensor | None = None  # (B,), NaN where the network opens the gate


def editor_of(edit: StepEdit | None, group: int) -> Editor | None:
    """Return the editor of one group."""
    return None if edit is None else partial(edit.editor, group)


class Widths(NamedTuple):
    """Sizes that a mechanism is built from."""

    query: int
    memory: int
    score: int  # of the hidden layer of an additive score
    heads: int = 1
    dropout: float = 0.0


class Attention(nn.Module):
    """The pipeline. A subclass defines how a query is scored against the keys."""

    heads = 1
    projects_values = False  # true where the values are not the memory itself

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = dropout

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build the mechanism between a query and a memory of these widths."""
        raise NotImplementedError

    def context_width(self, widths: Widths) -> int:
        """Width of the context; that of the memory by default."""
        return widths.memory

    def prepare(self, memory: Tensor, mask: Tensor | None) -> Keys:
        """Project a memory (B, K, D) once, for all the queries to come."""
        return Keys(self.project_keys(memory), self.project_values(memory), mask)

    def forward(
        self,
        query: Tensor,
        keys: Keys,
        allowed: Tensor | None = None,
        edit: Editor | None = None,
    ) -> Attended:
        """Attend from `query` (B, Q, D) to `keys`; `allowed` (Q, K) masks more than the padding.

        1. project the query  2. score it against the keys  3. mask  4. softmax, or what an edit
        makes of it  5. weighted sum.
        """
        projected = self.project_query(query)  # (B, H, Q, D)
        scores = self.score(projected, keys.keys)  # (B, H, Q, K)
        if keys.mask is not None:
            scores = masked(scores, keys.mask[:, None, None, :])
        if allowed is not None:
            scores = masked(scores, allowed)
        weights, drawn_by = (softmax(scores), None) if edit is None else edit(scores)
        used = dropout(weights, self.dropout, self.training)
        context = self.project_context(used @ keys.values)
        return Attended(context, weights, scores, projected, keys, drawn_by)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Scores e (B, H, Q, K) of projected queries (B, H, Q, D) and keys (B, H, K, D)."""
        raise NotImplementedError

    def project_query(self, query: Tensor) -> Tensor:
        """Project the query to (B, H, Q, D); one head and no change by default."""
        return query.unsqueeze(1)

    def project_keys(self, memory: Tensor) -> Tensor:
        """Project the keys to (B, H, K, D); one head and no change by default."""
        return memory.unsqueeze(1)

    def project_values(self, memory: Tensor) -> Tensor:
        """Project the values to (B, H, K, D); the memory itself by default."""
        return memory.unsqueeze(1)

    def project_context(self, context: Tensor) -> Tensor:
        """Join the context of each head (B, H, Q, D) to one vector (B, Q, D)."""
        return _join(context)

    def value_vectors(self, keys: Keys) -> Tensor:
        """Return what each key adds to the context at a weight of 1 (B, H, K, D), less the bias."""
        return keys.values


A = TypeVar("A", bound=Attention)
CLASSES: dict[str, type[Attention]] = {}


def register(name: str) -> Callable[[type[A]], type[A]]:
    """Register a class as the mechanism of this name, which `MECHANISMS` must list."""
    if name not in MECHANISMS:
        raise ValueError(f"mechanisms.py does not list {name!r}")

    def registered(mechanism: type[A]) -> type[A]:
        CLASSES[name] = mechanism
        return mechanism

    return registered


def build_attention(mechanism: str, widths: Widths) -> Attention:
    """Build the attention of that name between a query and a memory of these widths."""
    return CLASSES[mechanism].from_widths(widths)


@register("additive")
class Additive(Attention):
    """e = vᵀ tanh(W q + U k + b), Bahdanau et al. 2015, appendix A.1.2."""

    def __init__(self, query: int, memory: int, width: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        self.query = nn.Linear(query, width, bias=False)
        self.key = nn.Linear(memory, width)
        self.energy = nn.Linear(width, 1, bias=False)

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.query, widths.memory, widths.score, widths.dropout)

    def project_query(self, query: Tensor) -> Tensor:
        """W q."""
        return self.query(query).unsqueeze(1)

    def project_keys(self, memory: Tensor) -> Tensor:
        """U k + b."""
        return self.key(memory).unsqueeze(1)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Score every query against every key."""
        return _energies(self.energy, query, keys)


@register("concat")
class Concat(Attention):
    """e = vᵀ tanh(W [q; k]), Luong et al. 2015, equation 8.

    W [q; k] is computed as W₁ q + W₂ k, so that the half of the keys is done once.
    """

    def __init__(self, query: int, memory: int, width: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        self.query_width = query
        self.both = nn.Linear(query + memory, width, bias=False)
        self.energy = nn.Linear(width, 1, bias=False)

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.query, widths.memory, widths.score, widths.dropout)

    def project_query(self, query: Tensor) -> Tensor:
        """W₁ q."""
        return F.linear(query, self.both.weight[:, : self.query_width]).unsqueeze(1)

    def project_keys(self, memory: Tensor) -> Tensor:
        """W₂ k."""
        return F.linear(memory, self.both.weight[:, self.query_width :]).unsqueeze(1)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Score every query against every key."""
        return _energies(self.energy, query, keys)


@register("dot")
class Dot(Attention):
    """e = q·k, Luong et al. 2015, equation 8; query and memory must be equally wide."""

    def __init__(self, query: int, memory: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        if query != memory:
            raise ValueError(f"dot attention needs equal widths, not {query} and {memory}")

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.query, widths.memory, widths.dropout)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Inner products."""
        return query @ keys.transpose(-1, -2)


@register("scaled")
class Scaled(Dot):
    """e = q·k / √D, Vaswani et al. 2017, equation 1, with one head and nothing projected."""

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Inner products over the square root of the width."""
        return super().score(query, keys) / math.sqrt(keys.shape[-1])


@register("general")
class General(Attention):
    """e = qᵀ W k, Luong et al. 2015, equation 8."""

    def __init__(self, query: int, memory: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        self.key = nn.Linear(memory, query, bias=False)

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.query, widths.memory, widths.dropout)

    def project_keys(self, memory: Tensor) -> Tensor:
        """W k."""
        return self.key(memory).unsqueeze(1)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Inner products with the projected keys."""
        return query @ keys.transpose(-1, -2)


@register("multihead")
class MultiHead(Attention):
    """Scaled dot products in H heads, concatenated and projected: Vaswani et al. 2017, 3.2.2."""

    projects_values = True

    def __init__(self, query: int, memory: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        if query % heads:
            raise ValueError(f"a width of {query} does not divide into {heads} heads")
        self.heads = heads
        self.query = nn.Linear(query, query)
        self.key = nn.Linear(memory, query)
        self.value = nn.Linear(memory, query)
        self.output = nn.Linear(query, query)

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.query, widths.memory, widths.heads, widths.dropout)

    def context_width(self, widths: Widths) -> int:
        """Width of the context, projected back to that of the query."""
        return widths.query

    def project_query(self, query: Tensor) -> Tensor:
        """W_q q, a part for each head."""
        return _split(self.query(query), self.heads)

    def project_keys(self, memory: Tensor) -> Tensor:
        """W_k k, a part for each head."""
        return _split(self.key(memory), self.heads)

    def project_values(self, memory: Tensor) -> Tensor:
        """W_v k, a part for each head."""
        return _split(self.value(memory), self.heads)

    def project_context(self, context: Tensor) -> Tensor:
        """W_o [head₁; …; head_H]."""
        return self.output(_join(context))

    def value_vectors(self, keys: Keys) -> Tensor:
        """W_o v, with the part of W_o that belongs to each head."""
        weight = self.output.weight
        parts = weight.view(len(weight), self.heads, -1)
        return torch.einsum("ohd,bhkd->bhko", parts, keys.values)

    def score(self, query: Tensor, keys: Tensor) -> Tensor:
        """Inner products over the square root of a head's width."""
        return query @ keys.transpose(-1, -2) / math.sqrt(keys.shape[-1])


@register("none")
class FixedContext(Attention):
    """No attention: the context is one vector for the whole text (Sutskever et al. 2014).

    It has no heads, hence no scores and no weights, and ignores the query.
    """

    heads = 0

    @classmethod
    def from_widths(cls, widths: Widths) -> Self:
        """Build it between a query and a memory of these widths."""
        return cls(widths.dropout)

    def prepare(self, memory: Tensor, mask: Tensor | None) -> Keys:
        """Keep only the ends of the memory."""
        if mask is None:
            mask = memory.new_ones(memory.shape[:2], dtype=torch.bool)
        fixed = ends(memory, mask)[:, None, None]  # (B, 1, 1, D)
        return Keys(fixed, fixed, mask)

    def forward(
        self,
        query: Tensor,
        keys: Keys,
        allowed: Tensor | None = None,
        edit: Editor | None = None,
    ) -> Attended:
        """Return the same vector for every query."""
        del allowed, edit
        batch, queries = query.shape[:2]
        count = 0 if keys.mask is None else keys.mask.shape[1]
        nothing = query.new_zeros(batch, 0, queries, count)
        context = keys.values[:, 0].expand(-1, queries, -1)
        return Attended(context, nothing, nothing, nothing, keys)


def rows_of(keys: Keys, rows: Tensor) -> Keys:
    """Select the keys of these rows, which may repeat."""
    mask = None if keys.mask is None else keys.mask.index_select(0, rows)
    return Keys(keys.keys.index_select(0, rows), keys.values.index_select(0, rows), mask)


def ends(memory: Tensor, mask: Tensor) -> Tensor:
    """Return the last state of each direction (B, D) of a bidirectional memory (B, K, D).

    The first half of the width was read forwards and ends at the last key, the second half was
    read backwards and ends at the first.
    """
    last = mask.sum(dim=1) - 1
    rows = torch.arange(memory.shape[0], device=memory.device)
    forwards, _ = memory[rows, last].chunk(2, dim=-1)
    _, backwards = memory[:, 0].chunk(2, dim=-1)
    return torch.cat([forwards, backwards], dim=-1)


def masked(scores: Tensor, keep: Tensor) -> Tensor:
    """Set the scores to -inf where `keep` is false."""
    return scores.masked_fill(~keep, -math.inf)


def softmax(scores: Tensor) -> Tensor:
    """Compute the softmax over the keys; a row of -inf gives zeros, not NaN."""
    if (
        torch.onnx.is_in_onnx_export()
    ):  # one operation instead of ten: every row of a graph has a key
        return scores.softmax(dim=-1)
    top = scores.amax(dim=-1, keepdim=True)
    top = top.masked_fill(top == -math.inf, 0.0)
    exponentials = torch.exp(scores - top.detach())
    return exponentials / exponentials.sum(dim=-1, keepdim=True).clamp_min(
        torch.finfo(scores.dtype).tiny
    )


def _energies(energy: nn.Linear, query: Tensor, keys: Tensor) -> Tensor:
    """Compute vᵀ tanh(q + k) of projected queries (B, H, Q, D) and keys (B, H, K, D)."""
    return energy(torch.tanh(query.unsqueeze(3) + keys.unsqueeze(2))).squeeze(-1)


def _split(projected: Tensor, heads: int) -> Tensor:
    return projected.view(*projected.shape[:2], heads, -1).transpose(1, 2)  # (B, H, Q, D)


def _join(context: Tensor) -> Tensor:
    return context.transpose(1, 2).flatten(2)  # (B, Q, H·D)
