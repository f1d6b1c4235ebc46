"""Encoders: from embedded tokens to a memory.

Shapes: `B` batch, `K` source tokens, `D` width.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentConfig
from heed.models.networks.attention import Attended
from heed.models.networks.dropout import Dropout

CELLS: dict[str, type[nn.GRU] | type[nn.LSTM]] = {"gru": nn.GRU, "lstm": nn.LSTM}


class EncoderStates(NamedTuple):
    """The states of an encoder: a vector per source token, and the mask of those that are real."""

    states: Tensor  # (B, K, D)
    mask: Tensor  # (B, K)
    attended: tuple[Attended, ...] = ()  # self-attention of each layer, if there is any


class RecurrentEncoder(nn.Module):
    """A GRU or LSTM that reads in both directions (Bahdanau et al. 2015, section 3.2).

    The backward direction is a forward one on the reversed text. Unlike packed sequences, whose
    gradient costs the square of the length on a CPU, this is as fast as the cell itself.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        cell = CELLS[config.cell]
        self.dropout = Dropout(config.dropout)
        widths = [config.embedding, *[config.memory_width] * (config.encoder_layers - 1)]
        self.forwards = nn.ModuleList(
            cell(w, config.encoder_width, batch_first=True) for w in widths
        )
        self.backwards = nn.ModuleList(
            cell(w, config.encoder_width, batch_first=True) for w in widths
        )

    def forward(self, embedded: Tensor, lengths: Tensor) -> EncoderStates:
        """Encode a padded batch (B, K, D) of these lengths; padding changes nothing."""
        mask, mirrored = self.places(embedded.shape[1], lengths.to(embedded.device))
        states = embedded
        for forwards, backwards in zip(self.forwards, self.backwards, strict=True):
            states = self.dropout(states)
            ahead, _ = forwards(states)
            back, _ = backwards(self.reorder(states, mirrored))
            states = torch.cat([ahead, self.reorder(back, mirrored)], dim=-1)
        return EncoderStates(self.dropout(states), mask)

    @staticmethod
    def places(count: int, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Return the mask of `count` places (B, K), and the order that reverses each text."""
        places = torch.arange(count, device=lengths.device)
        mask = places < lengths[:, None]
        return mask, torch.where(mask, lengths[:, None] - 1 - places, places)  # its own inverse

    @staticmethod
    def reorder(states: Tensor, places: Tensor) -> Tensor:
        """Gather the states (B, K, D) of these places (B, K)."""
        return states.gather(1, places[:, :, None].expand_as(states))
