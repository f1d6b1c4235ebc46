"""An LSTMN in PyTorch: the reference for every other runtime of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from heed.models.checkpoint import load_network
from heed.models.config import LSTMNConfig
from heed.models.errors import CheckpointError
from heed.models.networks.lstmn import LSTMN
from heed.models.runtime.protocol import Tokens
from heed.models.runtime.reading import TapeRead


class TorchLSTMN:
    """An LSTMN, which reads one sentence after another."""

    def __init__(self, network: LSTMN) -> None:
        self._network = network.eval()

    @property
    def config(self) -> LSTMNConfig:
        """The shape of the network."""
        return self._network.config

    @torch.inference_mode()
    def read(self, sentences: Sequence[Tokens]) -> list[TapeRead]:
        """Read sentences that begin with the start token."""
        return [self._read(torch.tensor([sentence])) for sentence in sentences]

    def _read(self, words: torch.Tensor) -> TapeRead:
        found = self._network(words)
        logs = self._network.logits(found.readouts).log_softmax(dim=-1)
        parts = {**found._asdict(), "log_probabilities": logs}
        return TapeRead(*(parts[name][0].numpy() for name in TapeRead._fields))


def load_runtime(folder: Path) -> TorchLSTMN:
    """Load the network of a folder, which must be an LSTMN."""
    network = load_network(folder)
    if not isinstance(network, LSTMN):
        raise CheckpointError(f"{folder} does not hold an LSTMN")
    return TorchLSTMN(network)
