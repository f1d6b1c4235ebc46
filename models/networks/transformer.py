"""The Transformer (Vaswani et al. 2017), small, with every layer's and head's attention returned.

Layer norm comes before each sublayer rather than after it, which trains without care.
Shapes: `B` rows, `Q` target tokens, `K` source tokens, `H` heads, `V` vocabulary, `D` width.
"""

from __future__ import annotations

import math
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from heed.models.config import TransformerConfig
from heed.models.networks.attention import Attended, Keys, MultiHead, rows_of
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import Memory
from heed.models.networks.map_group import MapGroup


class TransformerState(NamedTuple):
    """What is carried from step to step: what was read, and what was written so far, per layer."""

    cross: tuple[Keys, ...]
    written: tuple[Keys, ...]

    def select(self, rows: Tensor) -> TransformerState:
        """The state of these rows, which may repeat."""
        cross, written = (tuple(rows_of(keys, rows) for keys in layers) for layers in self)
        return TransformerState(cross, written)


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each on top of what came in."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention = MultiHead(config.width, config.width, config.heads, config.dropout)
        self.feedforward = feedforward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.width) for _ in range(2))
        self.dropout = Dropout(config.dropout)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Attended]:
        """The states (B, K, D) of the next layer, and who looked at whom."""
        asked = self.norms[0](states)
        attended = self.attention(asked, self.attention.prepare(asked, mask))
        states = states + self.dropout(attended.context)
        return states + self.dropout(self.feedforward(self.norms[1](states))), attended


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the memory, and a feed-forward network."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.own = MultiHead(config.width, config.width, config.heads, config.dropout)
        self.cross = MultiHead(config.width, config.width, config.heads, config.dropout)
        self.feedforward = feedforward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.width) for _ in range(3))
        self.dropout = Dropout(config.dropout)

    def self_attend(self, states: Tensor, before: Keys | None) -> tuple[Tensor, Keys, Attended]:
        """Attend from the newest states (B, Q, D) to all that was written up to each of them."""
        asked = self.norms[0](states)
        fresh = self.own.prepare(asked, None)
        keys = fresh if before is None else join(before, fresh)
        attended = self.own(asked, keys, _up_to_each(asked.shape[1], keys))
        return states + self.dropout(attended.context), keys, attended

    def cross_attend(self, states: Tensor, memory: Keys) -> tuple[Tensor, Tensor, Attended]:
        """Attend to the memory; gives the states after the whole layer and the query as well."""
        query = self.norms[1](states)
        attended = self.cross(query, memory)
        states = states + self.dropout(attended.context)
        return states + self.dropout(self.feedforward(self.norms[2](states))), query, attended


class Transformer(nn.Module):
    """Encoder and decoder on one table of embeddings, with the calls of `Seq2Seq`."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5)
        self.dropout = Dropout(config.dropout)
        self.encoder = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norms = nn.ModuleList(nn.LayerNorm(config.width) for _ in range(2))
        self.output = nn.Linear(config.width, config.vocabulary)
        self.output.weight = self.embedding.weight
        self.encode_groups = tuple(
            MapGroup("encoder-self", layer, config.heads, "source", "source")
            for layer in range(config.encoder_layers)
        )
        self.step_groups = tuple(
            MapGroup("cross", layer, config.heads, "target", "source")
            for layer in range(config.decoder_layers)
        ) + tuple(
            MapGroup("decoder-self", layer, config.heads, "target", "decoder_input")
            for layer in range(config.decoder_layers)
        )

    @property
    def layers(self) -> list[DecoderLayer]:
        """The layers of the decoder, the lowest first."""
        return [cast(DecoderLayer, layer) for layer in self.decoder]

    def encode(self, source: Tensor, lengths: Tensor) -> Memory:
        """Read a padded batch (B, K)."""
        mask = (
            torch.arange(source.shape[1], device=source.device) < lengths.to(source.device)[:, None]
        )
        states = self.embed(source, 0)
        attended = []
        for layer in self.encoder:
            states, looked = layer(states, mask)
            attended.append(looked)
        return Memory(self.norms[0](states), mask, tuple(attended))

    def start(self, memory: Memory) -> TransformerState:
        """The state before the first step: the memory projected for every layer."""
        cross = tuple(layer.cross.prepare(memory.states, memory.mask) for layer in self.layers)
        return TransformerState(cross, ())

    def advance(
        self, token: Tensor, state: TransformerState
    ) -> tuple[StepOutput, TransformerState]:
        """One step, fed the token (B,) written before."""
        states, state, crossed, own, query = self._decode(token[:, None], state)
        looked = tuple(attended.newest() for attended in (*crossed, *own))
        context = crossed[-1].context[:, 0]
        return StepOutput(states[:, 0], looked, query[:, 0], context, states[:, 0]), state

    def projected(self, state: TransformerState) -> tuple[Keys | None, ...]:
        """What the heads of each of `step_groups` were given of the memory."""
        return (*state.cross, *(None for _ in self.decoder))

    def predict(self, readout: Tensor) -> Tensor:
        """Scores over the vocabulary (…, V) from readouts (…, D)."""
        return self.output(readout)

    def forward(self, source: Tensor, lengths: Tensor, fed: Tensor) -> Tensor:
        """Teacher forcing, all steps at once: scores (B, Q, V) for `fed` (B, Q)."""
        return self.predict(self.readouts(source, lengths, fed))

    def readouts(self, source: Tensor, lengths: Tensor, fed: Tensor) -> Tensor:
        """Teacher forcing, short of the projection onto the vocabulary: (B, Q, D)."""
        return self.told(fed, self.start(self.encode(source, lengths)))

    def told(self, fed: Tensor, state: TransformerState) -> Tensor:
        """The same from the state before the first step."""
        return self._decode(fed, state)[0]

    def looking(self, fed: Tensor, state: TransformerState) -> tuple[Tensor, list[Attended]]:
        """The same, and where the heads of each layer look among what was read."""
        states, _, crossed, _, _ = self._decode(fed, state)
        return states, crossed

    def embed(self, tokens: Tensor, first: int) -> Tensor:
        """Embeddings with their positions, counted from `first`."""
        width = self.config.width
        embedded = self.embedding(tokens) * math.sqrt(width)
        return self.dropout(embedded + positions(first, tokens.shape[1], width).to(embedded))

    def _decode(
        self, fed: Tensor, state: TransformerState
    ) -> tuple[Tensor, TransformerState, list[Attended], list[Attended], Tensor]:
        first = state.written[0].keys.shape[2] if state.written else 0
        states = query = self.embed(fed, first)
        crossed, own, written = [], [], []
        for place, layer in enumerate(self.layers):
            before = state.written[place] if state.written else None
            states, keys, looked_back = layer.self_attend(states, before)
            states, query, looked_across = layer.cross_attend(states, state.cross[place])
            own.append(looked_back)
            crossed.append(looked_across)
            written.append(keys)
        fresh = TransformerState(state.cross, tuple(written))
        return self.norms[1](states), fresh, crossed, own, query


def feedforward(config: TransformerConfig) -> nn.Sequential:
    """Two linear maps with a rectifier between them, equation 2."""
    return nn.Sequential(
        nn.Linear(config.width, config.feedforward),
        nn.ReLU(),
        Dropout(config.dropout),
        nn.Linear(config.feedforward, config.width),
    )


def positions(first: int, count: int, width: int) -> Tensor:
    """Sines and cosines (count, D) of the places from `first` on, section 3.5."""
    places = torch.arange(first, first + count)[:, None]
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = places * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def join(before: Keys, fresh: Keys) -> Keys:
    """The keys written before, and the fresh ones behind them; all rows have written as much."""
    return Keys(
        torch.cat([before.keys, fresh.keys], dim=2),
        torch.cat([before.values, fresh.values], dim=2),
        None,
    )


def _up_to_each(queries: int, keys: Keys) -> Tensor | None:
    """Which keys (Q, K) each of the newest tokens may look at; the newest of all, every one."""
    if queries == 1:
        return None
    count = keys.keys.shape[2]
    allowed = torch.ones(queries, count, dtype=torch.bool, device=keys.keys.device)
    return allowed.tril(count - queries)
