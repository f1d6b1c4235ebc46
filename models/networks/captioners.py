"""Decoders that attend to the cells of a picture (Xu et al. 2015).

The same calls as `Seq2Seq` from the memory on; the cells come from the image encoder.
Shapes: `B` rows, `P` pictures, `Q` steps, `K` cells, `H` heads, `T` draws, `D` width,
`V` vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentCaptionerConfig, TransformerCaptionerConfig
from heed.models.networks.attention import (
    Additive,
    Attended,
    Keys,
    StepEdit,
    editor_of,
    rows_of,
)
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import EncoderStates
from heed.models.networks.gumbel import gumbel
from heed.models.networks.map_group import MapGroup
from heed.models.networks.mobilenet import CELLS
from heed.models.networks.transformer import Transformer, TransformerState


class CaptionerState(NamedTuple):
    """The decoder's state. Every tensor has the rows as its first dimension."""

    keys: Keys
    hidden: Tensor  # (B, D)
    noise: Tensor  # (B, T, K), Gumbel noise of hard attention; (B, 0, K) of soft attention
    steps: Tensor  # (B,), count of steps taken

    def select(self, rows: Tensor) -> CaptionerState:
        """Select these rows, which may repeat."""
        return CaptionerState(
            rows_of(self.keys, rows), *(tensor.index_select(0, rows) for tensor in self[1:])
        )


class RecurrentCaptioner(nn.Module):
    """A recurrent decoder that attends to the cells before its update.

    1. score the cells with the old state and the last word  2. soft attention: the mean of the
    cells by their weights; hard attention: a single cell drawn by them  3. scale the context by
    the gate β (section 4.2.1)  4. update  5. join.
    """

    encode_groups: tuple[MapGroup, ...] = ()

    def __init__(self, config: RecurrentCaptionerConfig) -> None:
        super().__init__()
        self.config = config
        query_width = config.decoder_width + config.embedding
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)
        self.dropout = Dropout(config.dropout)
        self.attention = Additive(query_width, config.cells, config.attention_width)
        self.bridge = nn.Linear(config.cells, config.decoder_width)
        self.gate = nn.Linear(config.decoder_width, 1)
        self.cell = nn.GRUCell(config.embedding + config.cells, config.decoder_width)
        for part in torch.split(self.cell.weight_hh.detach(), config.decoder_width):
            nn.init.orthogonal_(part)  # the state neither fades nor grows at first
        joined = config.decoder_width + config.cells + config.embedding
        self.join = nn.Linear(joined, config.embedding)
        self.output = nn.Linear(config.embedding, config.vocabulary)
        self.output.weight = self.embedding.weight
        self.step_groups = (MapGroup("cross", 0, 1, "target", "source"),)

    @property
    def hard(self) -> bool:
        """Return true if a cell is drawn at each step."""
        return self.config.mechanism == "hard"

    def encode(self, cells: Tensor) -> EncoderStates:
        """Make a memory of the cells (B, K, D)."""
        return EncoderStates(cells, cells.new_ones(cells.shape[:2], dtype=torch.bool))

    def start(self, encoder_states: EncoderStates, seeds: Tensor | None = None) -> CaptionerState:
        """Make the state before the first step; the seeds (B,) are those of hard attention."""
        cells, rows = encoder_states.states, len(encoder_states.states)
        noise = cells.new_zeros(rows, 0, cells.shape[1])
        if self.hard:
            chosen = seeds if seeds is not None else torch.zeros(rows, dtype=torch.long)
            noise = torch.from_numpy(gumbel(chosen.tolist(), cells.shape[1])).to(cells)
        return CaptionerState(
            keys=self.attention.prepare(cells, encoder_states.mask),
            hidden=torch.tanh(self.bridge(cells.mean(dim=1))),
            noise=noise,
            steps=torch.zeros(rows, dtype=torch.long, device=cells.device),
        )

    def advance(
        self, token: Tensor, state: CaptionerState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, CaptionerState]:
        """Take one step after the token (B,)."""
        embedded = self.dropout(self.embedding(token))
        query = torch.cat([state.hidden, embedded], dim=-1)
        attended = self.attention(query.unsqueeze(1), state.keys, edit=editor_of(edit, 0)).newest()
        context, drawn = attended.context, None
        if self.hard:
            drawn = draw(attended, state)
            context = state.keys.values[torch.arange(drawn.shape[0]), 0, drawn]
            if edit is not None:  # a value that is silenced counts nothing
                heard = attended.weights[:, 0].gather(-1, drawn.unsqueeze(-1)) > 0
                context = context * heard
        gate = torch.sigmoid(self.gate(state.hidden))
        if edit is not None and edit.gates is not None:
            given = edit.gates.unsqueeze(-1)
            gate = torch.where(given.isnan(), gate, given)
        gated = gate * context
        hidden = self.cell(torch.cat([embedded, gated], dim=-1), state.hidden)
        output = StepOutput(
            readout=self.readout(hidden, gated, embedded),
            attended=(attended,),
            query=query,
            context=context,
            hidden=hidden,
            gate=gate[:, 0],
            drawn=drawn,
        )
        return output, CaptionerState(state.keys, hidden, state.noise, state.steps + 1)

    def readout(self, hidden: Tensor, gated: Tensor, embedded: Tensor) -> Tensor:
        """Compute readouts (…, D) from new states, gated contexts and embedded words."""
        return torch.tanh(self.join(self.dropout(torch.cat([hidden, gated, embedded], dim=-1))))

    def projected(self, _state: CaptionerState, /) -> tuple[Keys | None, ...]:
        """Return nothing: the values are the cells themselves."""
        return tuple(None for _ in self.step_groups)

    def value_vectors(self, state: CaptionerState) -> tuple[Tensor, ...]:
        """Return what each cell adds to the context, before its gate."""
        return (self.attention.value_vectors(state.keys),)

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (…, V) from readouts (…, D)."""
        return self.output(readout)


def draw(attended: Attended, state: CaptionerState) -> Tensor:
    """Draw a cell (B,) for each row by its weights at this step."""
    rows = torch.arange(state.steps.shape[0], device=state.steps.device)
    noise = state.noise[rows, state.steps % state.noise.shape[1]]
    if attended.drawn_by is not None:
        return (attended.drawn_by[:, 0].log() + noise).argmax(dim=-1)
    return (attended.scores[:, 0] + noise).argmax(dim=-1)


class TransformerCaptioner(Transformer):
    """A Transformer's decoder whose memory is the cells, with learned positions."""

    def __init__(self, config: TransformerCaptionerConfig) -> None:
        super().__init__(config.decoder)
        self.read = nn.Linear(config.cells, config.width)
        self.places = nn.Parameter(torch.zeros(CELLS, config.width))

    def encode(self, cells: Tensor) -> EncoderStates:  # type: ignore[override]
        """Make a memory of the cells (B, K, D)."""
        states = self.norms[0](self.read(cells) + self.places)
        return EncoderStates(states, cells.new_ones(cells.shape[:2], dtype=torch.bool))

    def start(
        self, encoder_states: EncoderStates, _seeds: Tensor | None = None, /
    ) -> TransformerState:
        """Make the state before the first step; there is no noise."""
        return super().start(encoder_states)

    def projected(self, _state: TransformerState, /) -> tuple[Keys | None, ...]:
        """Return nothing: a trace leaves out the projected cells."""
        return tuple(None for _ in self.step_groups)
