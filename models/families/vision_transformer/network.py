"""The Vision Transformer (Dosovitskiy et al. 2021): a class token and the patches of a picture.

It is a hybrid (section 3.1): a patch is not read as pixels but as a cell of the map of 14×14 that
the first blocks of a convolutional network compute, so it also has something of its surroundings.
The layers are those of the encoder in `transformer.py`, whose norms also come before each sublayer.

Shapes: `B` pictures, `Y` rows and `X` columns of pixels, `K` tokens (the class token, then the
patches row by row), `F` channels of a cell, `D` width, `C` classes, `H` heads.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.networks.attention import Attended
from heed.models.networks.image_encoder import EarlyBlocks
from heed.models.networks.mobilenet import BLOCKS, CELLS
from heed.models.networks.transformer import EncoderLayer

SPREAD = 0.02  # of the fresh positional embeddings


class Viewed(NamedTuple):
    """Everything that a network computes from pictures."""

    logits: Tensor  # (B, C)
    embedded: Tensor  # (B, K, D), before the first layer
    states: tuple[Tensor, ...]  # (B, K, D), after each layer; the last is normalised
    attended: tuple[Attended, ...]  # of each layer


class VisionTransformer(nn.Module):
    """1. cells  2. project, add positions  3. layers  4. read classes off the class token."""

    def __init__(self, config: VisionConfig) -> None:
        super().__init__()
        self.config = config
        self.convolutions = EarlyBlocks(config.blocks)
        self.patches = nn.Linear(BLOCKS[config.blocks - 1].out, config.width)
        self.class_token = nn.Parameter(torch.zeros(config.width))
        self.positions = nn.Parameter(torch.randn(1 + CELLS, config.width) * SPREAD)
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.width)
        self.classes = nn.Linear(config.width, config.vocabulary)

    def forward(self, pictures: Tensor) -> Viewed:
        """Look at pictures as bytes (B, Y, X, 3)."""
        return self.attend(self.cells(pictures))

    def cells(self, pictures: Tensor) -> Tensor:
        """Compute the cells (B, K, F) of pictures as bytes (B, Y, X, 3)."""
        return self.convolutions.early(pictures, self.config.blocks).flatten(2).transpose(1, 2)

    def attend(self, cells: Tensor, kept: Tensor | None = None) -> Viewed:
        """Attend among cells (B, K, F); `kept` are the patches (B, …) to read, if not all.

        Reading a part of the patches makes training faster.
        """
        states = self.embed(cells)
        if kept is not None:
            tokens = torch.cat([torch.zeros_like(kept[:, :1]), kept + 1], dim=1)
            states = states.gather(1, tokens[..., None].expand(-1, -1, states.shape[2]))
        embedded = states
        after, attended = [], []
        for layer in self.layers:
            states, looked = layer(states)
            after.append(states)
            attended.append(looked)
        after[-1] = self.norm(states)
        return Viewed(self.classes(after[-1][:, 0]), embedded, tuple(after), tuple(attended))

    def embed(self, cells: Tensor) -> Tensor:
        """Embed the class token and the cells with their positions: (B, K, D)."""
        patches = self.patches(F.layer_norm(cells, cells.shape[-1:]))
        first = self.class_token.expand(len(cells), 1, -1)
        return torch.cat([first, patches], dim=1) + self.positions


def rollout(attended: tuple[Attended, ...]) -> Tensor:
    """Return how much the class token reads of each token (B, K), through all layers.

    Attention rollout, Abnar and Zuidema 2020: the mean of the heads, and the same again for the
    residual connection, multiplied over the layers.
    """
    read: Tensor | None = None
    for looked in reversed(attended):
        mean = looked.weights.to(torch.float32).mean(dim=1)
        if read is None:
            read = torch.zeros_like(mean[:, 0])
            read[:, 0] = 1
        read = (torch.einsum("bq,bqk->bk", read, mean) + read) / 2
    if read is None:
        raise ValueError("a network without layers has no rollout")
    return read
