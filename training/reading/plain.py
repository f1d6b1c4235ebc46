"""The baseline without a tape: an LSTM with as many numbers, whose state is its last one."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.families.lstmn.network import LSTMN
from heed.models.networks.dropout import Dropout


class PlainTensors(NamedTuple):
    """The readouts of a network without attention."""

    readouts: Tensor  # (B, T, D)
    weights: None = None


class PlainLSTM(nn.Module):
    """A language model with an LSTM, which gives the numbers of the attention to its width."""

    def __init__(self, config: LSTMNConfig) -> None:
        super().__init__()
        self.config = config
        width = equal_width(config)
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.dropout = Dropout(config.dropout)
        self.lstm = nn.LSTM(config.embedding, width, batch_first=True)
        self.readout = nn.Linear(width, config.embedding)
        self.output_bias = nn.Parameter(torch.zeros(config.vocabulary))
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)
        with torch.no_grad():
            bias = dict(self.lstm.named_parameters())["bias_ih_l0"]
            bias[width : 2 * width] = 1  # forget little at first

    def forward(self, words: Tensor) -> PlainTensors:
        """Read sentences (B, T) that begin with the start token."""
        states, _ = self.lstm(self.dropout(self.embedding(words)))
        return PlainTensors(self.dropout(torch.tanh(self.readout(self.dropout(states)))))

    def logits(self, readouts: Tensor) -> Tensor:
        """Return the logits of the next word (…, V)."""
        return F.linear(readouts, self.embedding.weight, self.output_bias)


def count_numbers(module: nn.Module) -> int:
    """Count the numbers of a network."""
    return sum(value.numel() for value in module.parameters())


def equal_width(config: LSTMNConfig) -> int:
    """Return the least width with which the plain LSTM has no fewer numbers."""
    with torch.device("meta"):
        wanted = count_numbers(LSTMN(config))
    fixed = (config.vocabulary + 1) * (config.embedding + 1) - 1
    width = config.width
    while fixed + width * (4 * (width + config.embedding + 2) + config.embedding) < wanted:
        width += 1
    return width
