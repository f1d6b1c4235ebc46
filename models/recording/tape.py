"""The tape: every call of attention while a module runs, in order.

A context variable holds the tape, so that a thread, or a task of an event loop, records its own
calls alone.

Shapes: `B` rows of the batch, `H` heads, `Q` queries, `K` keys, `D` width of a head.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import torch
from torch import Tensor

from heed.models.trace import MapKind

CROSS = ("cross", "encdec", "encoder_attn", "encoder_decoder", "enc_attn", "multihead_attn")
"""Parts of the names of modules of cross-attention."""
DECODERS = ("decoder", "language_model")
ENCODERS = ("encoder", "vision", "visual", "audio")

LOWEST: Final = -60_000.0
"""Scores below this are those of masked keys: transformers gives them the lowest number of their
type, and that of half precision is the highest of these."""

Edit = Callable[[str, Tensor, Tensor], Tensor]
"""A function of the path of a module, its scores and its weights; it returns the weights to use."""


class Scored(NamedTuple):
    """A call of attention between its scores and its weights: a row of the batch for each text."""

    path: str
    run: int  # how often the module has attended before, in this run of the whole
    scores: Tensor  # (B, H, Q, K), as they enter the softmax
    weights: Tensor  # (B, H, Q, K)

    @property
    def seen(self) -> Tensor:
        """True where a key is not masked (B, H, Q, K)."""
        return self.scores > LOWEST

    @property
    def position(self) -> int:
        """The place of the first query among the keys, where both are the same tokens.

        A model that writes keeps the keys of what it wrote, and asks for the newest token alone.
        """
        return self.scores.shape[-1] - self.scores.shape[-2]


Hook = Callable[[Scored], Tensor]
"""A function of a call of attention, which returns the weights to use."""


def hook_of(edit: Edit | None) -> Hook | None:
    """Return the hook that calls a function of path, scores and weights."""
    if edit is None:
        return None
    return lambda call: edit(call.path, call.scores, call.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call of attention: scores e, weights α, and the vectors of each head."""

    path: str  # of the module, as `named_modules` has it
    scores: Tensor  # (B, H, Q, K), as they enter the softmax; very small where a key was masked
    weights: Tensor  # (B, H, Q, K)
    queries: Tensor | None = None  # (B, H, Q, D)
    keys: Tensor | None = None  # (B, H, K, D), repeated for every head that shares them
    values: Tensor | None = None  # (B, H, K, D)
    sinks: Tensor | None = None  # (B, H, Q), the weight that went to a learned sink
    entered: Tensor | None = None  # (B, Q, W), what the module was called with
    left: Tensor | None = None  # (B, Q, W), what it returned
    # False where a module returned its weights when it had attended, too late for a hook.
    within_reach: bool = field(default=True, kw_only=True)

    @property
    def kind(self) -> MapKind:
        """The kind of its maps, from the path, else from the weights themselves."""
        parts = self.path.lower().split(".")
        if any(mark in part for part in parts for mark in CROSS):
            return "cross"
        for part in parts:
            if any(mark in part for mark in DECODERS):
                return "decoder-self"
            if any(mark in part for mark in ENCODERS):
                return "encoder-self"
        if self.weights.shape[-2] != self.weights.shape[-1]:
            return "cross"
        return "decoder-self" if self._is_causal else "encoder-self"

    @property
    def _is_causal(self) -> bool:
        """True if no token attends to one behind it."""
        return self.weights.shape[-1] > 1 and not bool(self.weights.triu(1).any())


@dataclass(eq=False)
class Tape:
    """The calls of attention in one run of a module, and a hook that may edit weights."""

    hook: Hook | None = None
    calls: list[Call] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    """The paths of the modules that run at this moment, the innermost last."""
    paths: dict[int, str] = field(default_factory=dict)
    """The paths of the modules that are recorded, by the identity of the module."""
    softmaxes: list[tuple[Tensor, Tensor]] = field(default_factory=list)
    """Scores and weights of softmax functions whose module is not known to be attention yet."""

    @property
    def path(self) -> str:
        """The path of the innermost module that runs."""
        return self.stack[-1] if self.stack else ""

    def restart(self) -> None:
        """Forget all calls: the last run of a module counts."""
        self.calls.clear()
        self.softmaxes.clear()

    def edited(self, path: str, scores: Tensor, weights: Tensor) -> Tensor:
        """Return the weights to use."""
        if self.hook is None:
            return weights
        before = sum(call.path == path for call in self.calls)
        return self.hook(Scored(path, before, scores, weights))

    def add(self, call: Call) -> None:
        """Add a call; a tape keeps no gradients."""
        self.calls.append(
            replace(
                call,
                scores=call.scores.detach(),
                weights=call.weights.detach(),
                queries=_detached(call.queries),
                keys=_detached(call.keys),
                values=_detached(call.values),
                sinks=_detached(call.sinks),
            )
        )

    def surround(self, path: str, entered: Tensor | None, left: Tensor | None) -> None:
        """Add what a module was called with, and what it returned, to its call."""
        if self.calls and self.calls[-1].path == path:
            call = self.calls[-1]
            self.calls[-1] = replace(call, entered=_detached(entered), left=_detached(left))

    def layers(self) -> dict[MapKind, list[Call]]:
        """Return the calls by their kind; the layers of a kind are numbered as they stand there.

        A layer is the path of a module. A module that runs several times is a layer each time.
        """
        calls: dict[MapKind, list[Call]] = {}
        for call in self.calls:
            calls.setdefault(call.kind, []).append(call)
        return calls


def _detached(tensor: Tensor | None) -> Tensor | None:
    return None if tensor is None else tensor.detach()


current: ContextVar[Tape | None] = ContextVar("heed_tape", default=None)
"""The tape that records, if there is one."""


def heads_apart(matrix: Tensor, rows: int) -> Tensor:
    """Return (B, H, Q, K) of a matrix with rows and heads in one dimension, or without heads."""
    match matrix.dim():
        case 2:
            return matrix[None, None]
        case 3:
            return (
                matrix.reshape(rows, -1, *matrix.shape[1:])
                if matrix.shape[0] % rows == 0
                else matrix[:, None]
            )
    return matrix


def is_distribution(value: object) -> bool:
    """Return true for a 4-D tensor whose rows sum to 1."""
    if not isinstance(value, Tensor) or value.dim() != 4 or not value.is_floating_point():
        return False
    if not value.numel():
        return False
    sums = value.detach().float().sum(-1)
    tolerance = 1e-3 if value.dtype == torch.float32 else 2e-2
    return bool(((sums - 1).abs() < tolerance).all() and (value >= 0).all())
