"""Teachers: trained models whose predictions another model learns from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from heed.models.networks.decoders import StepOutput
from heed.models.registry import TextNetwork

MIN_PROBABILITY = 1e-30  # probability


class EnsembleState(tuple[Any, ...]):
    """Decoder states of several networks."""

    __slots__ = ()

    def select(self, rows: Tensor) -> EnsembleState:
        """Select rows, which may repeat."""
        return EnsembleState(state.select(rows) for state in self)


class Ensemble:
    """Ensemble of translators with one tokenizer: it predicts the mean of their probabilities.

    It has the methods of a network that decoding needs.
    """

    def __init__(self, networks: Sequence[TextNetwork]) -> None:
        self._networks = networks

    @property
    def output(self) -> nn.Linear:
        """Output layer of the first network, for its device."""
        return self._networks[0].output

    def encode(self, source: Tensor, lengths: Tensor) -> tuple[Any, ...]:
        """Encode a padded batch (B, K)."""
        return tuple(network.encode(source, lengths) for network in self._networks)

    def start(self, memory: tuple[Any, ...]) -> EnsembleState:
        """Return the states before the first step."""
        both = zip(self._networks, memory, strict=True)
        return EnsembleState(network.start(states) for network, states in both)

    def advance(self, token: Tensor, state: EnsembleState) -> tuple[StepOutput, EnsembleState]:
        """Make one step from the previous token (B,); the readout holds the log-probabilities."""
        chances, states = [], []
        for network, own in zip(self._networks, state, strict=True):
            advanced, after = network.advance(token, own)
            chances.append(network.predict(advanced.readout).float().softmax(dim=-1))
            states.append(after)
        mean = torch.stack(chances).mean(dim=0).clamp_min(MIN_PROBABILITY).log()
        return advanced._replace(readout=mean), EnsembleState(states)

    def predict(self, readout: Tensor) -> Tensor:
        """Return the readout (B, V), which holds log-probabilities."""
        return readout
