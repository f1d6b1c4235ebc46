"""The Transformer (Vaswani et al. 2017), small, with every layer's and head's attention returned.

Layer norm comes before each sublayer rather than after it, which trains more easily.
Shapes: `B` rows, `Q` target tokens, `K` source tokens, `H` heads, `V` vocabulary, `D` width.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol, cast

import torch
from torch import Tensor, nn

from heed.models.config import TransformerConfig
from heed.models.networks.attention import (
    Attended,
    Editor,
    Keys,
    MultiHead,
    StepEdit,
    editor_of,
    rows_of,
)
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import EncoderStates
from heed.models.networks.map_group import MapGroup


class TransformerState(NamedTuple):
    """The decoder's state: by layer, keys and values of the source and of the tokens written."""

    cross: tuple[Keys, ...]
    written: tuple[Keys, ...]

    def select(self, rows: Tensor) -> TransformerState:
        """Select these rows, which may repeat."""
        cross, written = (tuple(rows_of(keys, rows) for keys in layers) for layers in self)
        return TransformerState(cross, written)


class LayerShape(Protocol):
    """The sizes of a layer, as configurations have them."""

    @property
    def width(self) -> int:
        """Width of the states."""

    @property
    def heads(self) -> int:
        """Number of heads, into which the width divides."""

    @property
    def feedforward(self) -> int:
        """Width between the two linear maps."""

    @property
    def dropout(self) -> float:
        """Share of the numbers that are dropped in training."""


class EncoderLayer(nn.Module):
    """Self-attention, then a feed-forward network, each with a residual connection."""

    def __init__(self, config: LayerShape) -> None:
        super().__init__()
        self.attention = MultiHead(config.width, config.width, config.heads, config.dropout)
        self.feedforward = feedforward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.width) for _ in range(2))
        self.dropout = Dropout(config.dropout)

    def forward(
        self, states: Tensor, mask: Tensor | None = None, edit: Editor | None = None
    ) -> tuple[Tensor, Attended]:
        """Compute the states (B, K, D) of the next layer, and its attention."""
        normed = self.norms[0](states)
        attended = self.attention(normed, self.attention.prepare(normed, mask), edit=edit)
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

    def self_attend(
        self, states: Tensor, before: Keys | None, edit: Editor | None = None
    ) -> tuple[Tensor, Keys, Attended]:
        """Attend from the newest states (B, Q, D) to all tokens up to each of them."""
        normed = self.norms[0](states)
        fresh = self.own.prepare(normed, None)
        keys = fresh if before is None else join(before, fresh)
        attended = self.own(normed, keys, _up_to_each(normed.shape[1], keys), edit)
        return states + self.dropout(attended.context), keys, attended

    def cross_attend(
        self, states: Tensor, keys: Keys, edit: Editor | None = None
    ) -> tuple[Tensor, Tensor, Attended]:
        """Attend to the memory; also returns the states after the whole layer and the query."""
        query = self.norms[1](states)
        attended = self.cross(query, keys, edit=edit)
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
        """Return the layers of the decoder, the lowest first."""
        return [cast(DecoderLayer, layer) for layer in self.decoder]

    def encode(
        self, source: Tensor, lengths: Tensor, edit: StepEdit | None = None
    ) -> EncoderStates:
        """Encode a padded batch (B, K)."""
        mask = (
            torch.arange(source.shape[1], device=source.device) < lengths.to(source.device)[:, None]
        )
        states = self.embed(source, 0)
        attended = []
        for place, layer in enumerate(self.encoder):
            states, looked = layer(states, mask, editor_of(edit, place))
            attended.append(looked)
        return EncoderStates(self.norms[0](states), mask, tuple(attended))

    def start(self, encoder_states: EncoderStates) -> TransformerState:
        """The state before the first step: the memory projected for every layer."""
        cross = tuple(
            layer.cross.prepare(encoder_states.states, encoder_states.mask) for layer in self.layers
        )
        return TransformerState(cross, ())

    def advance(
        self, token: Tensor, state: TransformerState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, TransformerState]:
        """Take one step after the token (B,)."""
        states, state, crossed, own, query = self._decode(token[:, None], state, edit)
        looked = tuple(attended.newest() for attended in (*crossed, *own))
        context = crossed[-1].context[:, 0]
        return StepOutput(states[:, 0], looked, query[:, 0], context, states[:, 0]), state

    def projected(self, state: TransformerState) -> tuple[Keys | None, ...]:
        """Return the projected memory of each of `step_groups`."""
        return (*state.cross, *(None for _ in self.decoder))

    def value_vectors(self, state: TransformerState) -> tuple[Tensor | None, ...]:
        """Return what each key of the memory adds to each layer's context."""
        crossed = zip(self.layers, state.cross, strict=True)
        return (
            *(layer.cross.value_vectors(keys) for layer, keys in crossed),
            *(None for _ in self.decoder),
        )

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (…, V) from readouts (…, D)."""
        return self.output(readout)

    def forward(self, source: Tensor, lengths: Tensor, decoder_input: Tensor) -> Tensor:
        """Teacher forcing, all steps at once: logits (B, Q, V) for the decoder input (B, Q)."""
        return self.predict(self.readouts(source, lengths, decoder_input))

    def readouts(self, source: Tensor, lengths: Tensor, decoder_input: Tensor) -> Tensor:
        """Teacher forcing without the projection onto the vocabulary: (B, Q, D)."""
        return self.teacher_force(decoder_input, self.start(self.encode(source, lengths)))

    def teacher_force(self, decoder_input: Tensor, state: TransformerState) -> Tensor:
        """Compute readouts (B, Q, D) by teacher forcing, from the state before the first step."""
        return self._decode(decoder_input, state)[0]

    def attend(
        self, decoder_input: Tensor, state: TransformerState
    ) -> tuple[Tensor, list[Attended]]:
        """Compute readouts by teacher forcing, and the cross-attention of each layer."""
        states, _, crossed, _, _ = self._decode(decoder_input, state)
        return states, crossed

    def embed(self, tokens: Tensor, first: int) -> Tensor:
        """Embed tokens with their positions, counted from `first`."""
        width = self.config.width
        embedded = self.embedding(tokens) * math.sqrt(width)
        return self.dropout(embedded + positions(first, tokens.shape[1], width).to(embedded))

    def _decode(
        self, decoder_input: Tensor, state: TransformerState, edit: StepEdit | None = None
    ) -> tuple[Tensor, TransformerState, list[Attended], list[Attended], Tensor]:
        first = state.written[0].keys.shape[2] if state.written else 0
        states = query = self.embed(decoder_input, first)
        crossed, own, written = [], [], []
        for place, layer in enumerate(self.layers):
            before = state.written[place] if state.written else None
            states, keys, self_attended = layer.self_attend(
                states, before, editor_of(edit, len(self.decoder) + place)
            )
            states, query, cross_attended = layer.cross_attend(
                states, state.cross[place], editor_of(edit, place)
            )
            own.append(self_attended)
            crossed.append(cross_attended)
            written.append(keys)
        fresh = TransformerState(state.cross, tuple(written))
        return self.norms[1](states), fresh, crossed, own, query


def feedforward(config: LayerShape) -> nn.Sequential:
    """Build two linear maps with a rectifier between them, equation 2."""
    return nn.Sequential(
        nn.Linear(config.width, config.feedforward),
        nn.ReLU(),
        Dropout(config.dropout),
        nn.Linear(config.feedforward, config.width),
    )


def positions(first: int, count: int, width: int) -> Tensor:
    """Return sines and cosines (count, D) of the positions from `first` on, section 3.5."""
    places = torch.arange(first, first + count)[:, None]
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = places * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def join(before: Keys, fresh: Keys) -> Keys:
    """Append fresh keys to those written before; all rows have written the same count."""
    return Keys(
        torch.cat([before.keys, fresh.keys], dim=2),
        torch.cat([before.values, fresh.values], dim=2),
        None,
    )


def _up_to_each(queries: int, keys: Keys) -> Tensor | None:
    """Return the causal mask (Q, K) of the newest tokens; one token alone needs none."""
    if queries == 1:
        return None
    count = keys.keys.shape[2]
    allowed = torch.ones(queries, count, dtype=torch.bool, device=keys.keys.device)
    return allowed.tril(count - queries)
