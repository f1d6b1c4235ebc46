"""Models that are there already: to start from, to be asked, alone or several together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from heed.models.networks.decoders import StepOutput
from heed.models.registry import TextNetwork

MIN_PROBABILITY = 1e-30  # probability


class EnsembleState(tuple[Any, ...]):
    """The states of several networks, row by row the same."""

    __slots__ = ()

    def select(self, rows: Tensor) -> EnsembleState:
        """The states of these rows, which may repeat."""
        return EnsembleState(state.select(rows) for state in self)


class Ensemble:
    """Several translators of the same pieces that write one text: the mean of what each would.

    Has the calls of a network that are needed to write.
    """

    def __init__(self, networks: Sequence[TextNetwork]) -> None:
        self._networks = networks

    @property
    def output(self) -> nn.Linear:
        """The projection of the first, for where it stands."""
        return self._networks[0].output

    def encode(self, source: Tensor, lengths: Tensor) -> tuple[Any, ...]:
        """Read a padded batch (B, K)."""
        return tuple(network.encode(source, lengths) for network in self._networks)

    def start(self, memory: tuple[Any, ...]) -> EnsembleState:
        """The states before the first step."""
        both = zip(self._networks, memory, strict=True)
        return EnsembleState(network.start(each) for network, each in both)

    def advance(self, token: Tensor, state: EnsembleState) -> tuple[StepOutput, EnsembleState]:
        """One step, fed the token (B,) written before; its readout is the scores themselves."""
        chances, states = [], []
        for network, own in zip(self._networks, state, strict=True):
            advanced, after = network.advance(token, own)
            chances.append(network.predict(advanced.readout).float().softmax(dim=-1))
            states.append(after)
        mean = torch.stack(chances).mean(dim=0).clamp_min(MIN_PROBABILITY).log()
        return advanced._replace(readout=mean), EnsembleState(states)

    def predict(self, readout: Tensor) -> Tensor:
        """The scores (B, V) as they are."""
        return readout
