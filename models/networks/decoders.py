"""Decoders: one step from the last token to the logits of the next.

The same `advance` serves training, greedy, beam and forced decoding. Shapes: `B` rows, `Q` steps,
`K` source tokens, `H` heads, `V` vocabulary, `D` width.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.config import RecurrentConfig
from heed.models.networks.attention import (
    Attended,
    Keys,
    StepEdit,
    Widths,
    build_attention,
    editor_of,
    ends,
    rows_of,
)
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import EncoderStates


class DecoderState(NamedTuple):
    """The decoder's state. Every tensor has the rows as its first dimension."""

    keys: Keys
    hidden: Tensor  # (B, L, D), a vector per layer
    cell: Tensor  # (B, L, D), of an LSTM; empty for a GRU
    feed: Tensor  # (B, D), the attentional vector of the step before, with input feeding

    def select(self, rows: Tensor) -> DecoderState:
        """Select these rows, which may repeat."""
        return DecoderState(
            rows_of(self.keys, rows),
            self.hidden.index_select(0, rows),
            self.cell.index_select(0, rows),
            self.feed.index_select(0, rows),
        )


class StepOutput(NamedTuple):
    """The outputs of one step, without the projection onto the vocabulary."""

    readout: Tensor  # (B, D)
    attended: tuple[Attended, ...]  # one per layer with heads, each without the dimension Q
    query: Tensor  # (B, D), of the last layer
    context: Tensor  # (B, D)
    hidden: Tensor  # (B, D), the top layer's new state
    gate: Tensor | None = None  # (B,), the gate β on the context, if there is one
    drawn: Tensor | None = None  # (B,), the key that hard attention drew


class RecurrentDecoder(nn.Module):
    """A recurrent decoder that attends before its state update, after it, or not at all.

    *Before* (Bahdanau et al. 2015): the query is the old state sₜ₋₁, and the context cₜ goes into
    the update, sₜ = f(sₜ₋₁, yₜ₋₁, cₜ). With query feeding it is [sₜ₋₁; yₜ₋₁]: the old state alone
    has to guess the last token, and its weights spread over the neighbours. *After* (Luong et al.
    2015): the query is sₜ = f(sₜ₋₁, yₜ₋₁), and joins the context in the attentional vector
    h̃ₜ = tanh(W [cₜ; sₜ]), equation 5. *Fixed*: as before, with one context for all steps.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.dropout = Dropout(config.dropout)
        query_width = config.decoder_width + (config.embedding if config.query_feeding else 0)
        widths = Widths(query_width, config.memory_width, config.attention_width, config.heads)
        self.attention = build_attention(config.mechanism, widths)
        context = self.attention.context_width(widths)
        self.bridge = nn.Linear(config.memory_width, config.decoder_width)
        extra = context if config.order != "after" else 0
        fed = config.embedding if config.input_feeding else 0
        cell = nn.GRUCell if config.cell == "gru" else nn.LSTMCell
        self.cells = nn.ModuleList(
            cell(
                config.embedding + extra + fed if layer == 0 else config.decoder_width,
                config.decoder_width,
            )
            for layer in range(config.decoder_layers)
        )
        joined = config.decoder_width + context
        if config.order != "after":
            joined += config.embedding
        self.join = nn.Linear(joined, config.embedding)
        self.output = nn.Linear(config.embedding, config.vocabulary)

    def start(self, encoder_states: EncoderStates) -> DecoderState:
        """Make the state before the first step, from the ends of those of the encoder."""
        first = torch.tanh(self.bridge(ends(encoder_states.states, encoder_states.mask)))
        layers = first.unsqueeze(1).expand(-1, len(self.cells), -1)
        return DecoderState(
            keys=self.attention.prepare(encoder_states.states, self._mask(encoder_states.mask)),
            hidden=layers,
            cell=torch.zeros_like(layers) if self.config.cell == "lstm" else first[:, None, :0],
            feed=first.new_zeros(len(first), self.config.embedding)
            if self.config.input_feeding
            else first[:, :0],
        )

    def _mask(self, mask: Tensor) -> Tensor:
        """Return the mask of the keys (B, K): all, or all but the end mark of a text."""
        if not self.config.end_hidden:
            return mask
        last = mask & ~F.pad(mask[:, 1:], (0, 1))
        return mask & (~last | (mask.sum(dim=1, keepdim=True) == 1))

    def advance(
        self, embedded: Tensor, state: DecoderState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, DecoderState]:
        """Take one step after the last token, embedded (B, D).

        Before: 1. attend with the old state  2. update  3. join. After: 1. update  2. attend with
        the new state  3. join.
        """
        embedded = self.dropout(embedded)
        if self.config.order == "after":
            hidden, cell = self._update(torch.cat([embedded, state.feed], dim=-1), state)
            query = hidden[:, -1]
            attended = self._attend(query, state.keys, edit)
        else:
            query = state.hidden[:, -1]
            if self.config.query_feeding:
                query = torch.cat([query, embedded], dim=-1)
            attended = self._attend(query, state.keys, edit)
            hidden, cell = self._update(torch.cat([embedded, attended.context], dim=-1), state)
        readout = self.readout(hidden[:, -1], attended.context, embedded)
        feed = readout if self.config.input_feeding else state.feed
        attention = (attended,) if self.attention.heads else ()
        output = StepOutput(readout, attention, query, attended.context, hidden[:, -1])
        return output, DecoderState(state.keys, hidden, cell, feed)

    def readout(self, hidden: Tensor, context: Tensor, embedded: Tensor) -> Tensor:
        """Compute readouts (…, D) from new states, contexts and embedded tokens."""
        parts = [context, hidden]
        if self.config.order != "after":
            parts = [hidden, context, embedded]
        return torch.tanh(self.join(self.dropout(torch.cat(parts, dim=-1))))

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (…, V) from readouts (…, D)."""
        return self.output(readout)

    def _attend(self, query: Tensor, keys: Keys, edit: StepEdit | None) -> Attended:
        attended = self.attention(query.unsqueeze(1), keys, edit=editor_of(edit, 0))
        return attended.newest()

    def _update(self, inputs: Tensor, state: DecoderState) -> tuple[Tensor, Tensor]:
        hidden, cells = [], []
        for layer, cell in enumerate(self.cells):
            if self.config.cell == "lstm":
                inputs, memory = cell(inputs, (state.hidden[:, layer], state.cell[:, layer]))
                cells.append(memory)
            else:
                inputs = cell(inputs, state.hidden[:, layer])
            hidden.append(inputs)
            inputs = self.dropout(inputs) if layer + 1 < len(self.cells) else inputs
        return torch.stack(hidden, dim=1), torch.stack(cells, dim=1) if cells else state.cell
