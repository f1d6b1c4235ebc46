"""Self-critical training: the model learns from rewards of its own samples.

It samples several texts for each source, each is scored against the references, and texts that
score above the others become likelier (Rennie et al. 2017; with the mean of the other samples as
the baseline: Luo 2020; for translators: Shen et al. 2016).

Shapes: `N` sources, `C` texts of each, `R` rows, `Q` steps.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from heed.models.networks.decoders import StepOutput
from heed.models.runtime.protocol import NEVER_WRITTEN
from heed.models.text.tokenizer import END, PAD, START

Ids = Sequence[int]
MIN_ACTIVE = 0.75  # share of active rows; below it, finished rows are dropped


@dataclass(frozen=True, slots=True)
class SelfCritical:
    """Settings of the self-critical phase at the end of a training."""

    updates: int = 0  # the last ones of the schedule; 0: none
    rate: float = 5e-5  # learning rate, which falls linearly to zero
    draws: int = 5  # samples of each source
    temperature: float = (
        1.0  # the temperature they are drawn at: the lower, the nearer to what is served
    )
    reference_weight: float = 0.0  # weight of the supervised loss
    average: float = 0.0  # decay of the running average of the weights; 0: as before
    save_every: int = 0  # updates between two looks at the dev sets; 0: as before


class StepwiseModel(Protocol):
    """A model that writes a text step by step: a network, or an ensemble of networks."""

    @property
    def output(self) -> nn.Linear:
        """Output layer, for its device."""

    def advance(self, token: Tensor, state: Any) -> tuple[StepOutput, Any]:
        """Make one step from the previous token (R,)."""

    def predict(self, readout: Tensor) -> Tensor:
        """Return the scores (R, V) of a readout."""


@torch.no_grad()
def sample_texts(
    model: StepwiseModel,
    state: Any,
    rows: int,
    longest: int,
    temperature: float = 0.0,
) -> Tensor:
    """Sample texts (R, Q) from the states of `rows` rows; temperature 0 is greedy."""
    device = model.output.weight.device
    texts = torch.full((rows, longest), PAD, device=device)
    token = torch.full((rows,), START, device=device)
    places = torch.arange(rows, device=device)  # indices of the active rows
    over = torch.zeros(rows, dtype=torch.bool, device=device)
    for step in range(longest):
        advanced, state = model.advance(token, state)
        scores = model.predict(advanced.readout).float()
        scores[:, :NEVER_WRITTEN] = -math.inf
        if step == 0:
            scores[:, END] = -math.inf
        token = sample_tokens(scores / temperature) if temperature else scores.argmax(dim=-1)
        texts[places, step] = torch.where(over, PAD, token)
        over = over | (token == END)
        at_work = (~over).nonzero()[:, 0]
        if not len(at_work):
            break
        if len(at_work) < MIN_ACTIVE * len(over):
            state, token = state.select(at_work), token[at_work]
            places, over = places[at_work], over[at_work]
    return texts[:, : step + 1]


def sample_tokens(scores: Tensor) -> Tensor:
    """Sample one index of each row by inverting its cumulative distribution.

    `torch.multinomial` draws a number for every entry, which takes longer than a decoder step.
    """
    reached = scores.softmax(dim=-1).cumsum(dim=-1)
    shares = torch.rand(len(scores), 1, device=scores.device) * reached[:, -1:]
    places = torch.searchsorted(reached, shares, right=True)[:, 0]
    return places.clamp_max(scores.shape[-1] - 1)


def advantages(rewards: Tensor) -> Tensor:
    """Return rewards (N, C) minus the mean of the other texts, in standard deviations."""
    others = (rewards.sum(dim=1, keepdim=True) - rewards) / (rewards.shape[1] - 1)
    gained = rewards - others
    return gained / gained.std().clamp_min(1e-3)


def decoder_inputs(texts: Tensor) -> Tensor:
    """Return the decoder inputs of these texts (…, Q): each after its start token."""
    before = torch.cat([torch.full_like(texts[..., :1], START), texts[..., :-1]], dim=-1)
    return torch.where(texts == PAD, PAD, before)
