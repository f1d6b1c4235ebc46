"""Decoders that look at the cells of a picture while they write (Xu et al. 2015).

The same calls as `Seq2Seq` from the memory on; the cells are what the eyes have made of a picture.
Shapes: `B` rows, `P` pictures, `Q` steps, `K` cells, `H` heads, `T` draws, `D` width,
`V` vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.config import (
    RecurrentCaptionerConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
)
from heed.models.networks.attention import Additive, Attended, Keys, rows_of
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import Memory
from heed.models.networks.gumbel import gumbel
from heed.models.networks.map_group import MapGroup
from heed.models.networks.mobilenet import CELLS
from heed.models.networks.transformer import Transformer, TransformerState


class CaptionerState(NamedTuple):
    """What is carried from step to step. Every tensor has the rows as its first dimension."""

    keys: Keys
    hidden: Tensor  # (B, D)
    luck: Tensor  # (B, T, K), what draws the cells of a hard model; (B, 0, K) of a soft one
    steps: Tensor  # (B,), taken so far

    def select(self, rows: Tensor) -> CaptionerState:
        """The state of these rows, which may repeat."""
        return CaptionerState(
            rows_of(self.keys, rows), *(tensor.index_select(0, rows) for tensor in self[1:])
        )


class RecurrentCaptioner(nn.Module):
    """A recurrent decoder that asks the cells before its update.

    1. ask with the old state and the word written last  2. a soft gaze takes the mean of the cells
    by their weights, a hard one a single cell drawn by them  3. a gate β says how much of it is
    wanted (section 4.2.1)  4. update  5. join.
    """

    encode_groups: tuple[MapGroup, ...] = ()

    def __init__(self, config: RecurrentCaptionerConfig) -> None:
        super().__init__()
        self.config = config
        asking = config.decoder_width + config.embedding
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)
        self.dropout = Dropout(config.dropout)
        self.attention = Additive(asking, config.cells, config.attention_width)
        self.bridge = nn.Linear(config.cells, config.decoder_width)
        self.gate = nn.Linear(config.decoder_width, 1)
        self.cell = nn.GRUCell(config.embedding + config.cells, config.decoder_width)
        for part in torch.split(self.cell.weight_hh.detach(), config.decoder_width):
            nn.init.orthogonal_(part)  # what is remembered neither fades nor grows at first
        joined = config.decoder_width + config.cells + config.embedding
        self.join = nn.Linear(joined, config.embedding)
        self.output = nn.Linear(config.embedding, config.vocabulary)
        self.output.weight = self.embedding.weight
        self.step_groups = (MapGroup("cross", 0, 1, "target", "source"),)

    @property
    def hard(self) -> bool:
        """Whether a cell is drawn at each step."""
        return self.config.mechanism == "hard"

    def encode(self, cells: Tensor) -> Memory:
        """The cells (B, K, D) as a memory."""
        return Memory(cells, cells.new_ones(cells.shape[:2], dtype=torch.bool))

    def start(self, memory: Memory, seeds: Tensor | None = None) -> CaptionerState:
        """The state before the first step; the seeds (B,) are those of a hard model's draws."""
        cells, rows = memory.states, len(memory.states)
        luck = cells.new_zeros(rows, 0, cells.shape[1])
        if self.hard:
            chosen = seeds if seeds is not None else torch.zeros(rows, dtype=torch.long)
            luck = torch.from_numpy(gumbel(chosen.tolist(), cells.shape[1])).to(cells)
        return CaptionerState(
            keys=self.attention.prepare(cells, memory.mask),
            hidden=torch.tanh(self.bridge(cells.mean(dim=1))),
            luck=luck,
            steps=torch.zeros(rows, dtype=torch.long, device=cells.device),
        )

    def advance(self, token: Tensor, state: CaptionerState) -> tuple[StepOutput, CaptionerState]:
        """One step, fed the token (B,) written before."""
        embedded = self.dropout(self.embedding(token))
        query = torch.cat([state.hidden, embedded], dim=-1)
        attended = self.attention(query.unsqueeze(1), state.keys).newest()
        context, drawn = attended.context, None
        if self.hard:
            drawn = draw(attended, state)
            context = state.keys.values[torch.arange(drawn.shape[0]), 0, drawn]
        gate = torch.sigmoid(self.gate(state.hidden))
        seen = gate * context
        hidden = self.cell(torch.cat([embedded, seen], dim=-1), state.hidden)
        told = StepOutput(
            readout=self.readout(hidden, seen, embedded),
            attended=(attended,),
            query=query,
            context=context,
            hidden=hidden,
            gate=gate[:, 0],
            drawn=drawn,
        )
        return told, CaptionerState(state.keys, hidden, state.luck, state.steps + 1)

    def readout(self, hidden: Tensor, seen: Tensor, embedded: Tensor) -> Tensor:
        """What is projected onto the vocabulary (…, D), from new states, what is seen and words."""
        return torch.tanh(self.join(self.dropout(torch.cat([hidden, seen, embedded], dim=-1))))

    def projected(self, state: CaptionerState) -> tuple[Keys | None, ...]:
        """Nothing: the cells themselves are summed, or one of them is taken."""
        del state
        return tuple(None for _ in self.step_groups)

    def predict(self, readout: Tensor) -> Tensor:
        """Scores over the vocabulary (…, V) from readouts (…, D)."""
        return self.output(readout)


def draw(attended: Attended, state: CaptionerState) -> Tensor:
    """The cell (B,) that each row draws from its weights at this step."""
    rows = torch.arange(state.steps.shape[0], device=state.steps.device)
    luck = state.luck[rows, state.steps % state.luck.shape[1]]
    return (attended.scores[:, 0] + luck).argmax(dim=-1)


class TransformerCaptioner(Transformer):
    """A Transformer's decoder whose memory are the cells; each says where it lies."""

    def __init__(self, config: TransformerCaptionerConfig) -> None:
        super().__init__(
            TransformerConfig(
                vocabulary=config.vocabulary,
                width=config.width,
                heads=config.heads,
                feedforward=config.feedforward,
                encoder_layers=0,
                decoder_layers=config.layers,
                dropout=config.dropout,
            )
        )
        self.read = nn.Linear(config.cells, config.width)
        self.places = nn.Parameter(torch.zeros(CELLS, config.width))

    def encode(self, cells: Tensor) -> Memory:  # type: ignore[override]
        """The cells (B, K, D) as a memory."""
        states = self.norms[0](self.read(cells) + self.places)
        return Memory(states, cells.new_ones(cells.shape[:2], dtype=torch.bool))

    def start(self, memory: Memory, seeds: Tensor | None = None) -> TransformerState:
        """The state before the first step; nothing is drawn."""
        del seeds
        return super().start(memory)

    def projected(self, state: TransformerState) -> tuple[Keys | None, ...]:
        """Nothing: two vectors a cell and head are more than anybody reads."""
        del state
        return tuple(None for _ in self.step_groups)
