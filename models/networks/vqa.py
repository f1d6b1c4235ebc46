"""A network that is asked about a picture: it looks at the question's words and at the cells.

The same calls as the captioners in `captioning.py`, but for two memories. Shapes: `B` questions,
`P` pictures, `Q` words of a question, `K` cells, `H` heads, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentConfig, VQAConfig
from heed.models.networks.attention import Additive, Attended, General, Keys, ends, rows_of
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import Memory, RecurrentEncoder
from heed.models.networks.map_group import MapGroup


class VQAMemory(NamedTuple):
    """Pictures as they were seen, and the questions about them as they were read."""

    states: Tensor  # (P, K, D), the cells
    question: Memory  # (B, Q, D)
    about: Tensor  # (B,), which of the pictures a question is about
    attended: tuple[Attended, ...] = ()  # nothing looks at itself


class VQAState(NamedTuple):
    """What is carried from step to step. Every tensor has the rows as its first dimension."""

    cells: Keys
    question: Keys
    hidden: Tensor  # (B, D)

    def select(self, rows: Tensor) -> VQAState:
        """The state of these rows, which may repeat."""
        return VQAState(
            rows_of(self.cells, rows),
            rows_of(self.question, rows),
            self.hidden.index_select(0, rows),
        )


class VQANetwork(nn.Module):
    """Reads a question in both directions, and writes the answer while it looks.

    1. the old state and the word written last ask the question's words  2. all three ask the cells
    3. what was said and what is seen are multiplied, so that each decides what of the other counts
    (Antol et al. 2015)  4. update  5. join.

    The words are asked by e = vᵀ tanh(W q + U k), the cells by e = tanh(W q)ᵀ U k: a word of the
    question is matched with what looks like it.
    """

    encode_groups: tuple[MapGroup, ...] = ()
    step_groups = (
        MapGroup("cross", 0, 1, "target", "source"),
        MapGroup("cross", 0, 1, "target", "question"),
    )

    def __init__(self, config: VQAConfig) -> None:
        super().__init__()
        self.config = config
        state, word, read = config.decoder_width, config.embedding, 2 * config.question_width
        self.embedding = nn.Embedding(config.vocabulary, word)
        nn.init.normal_(self.embedding.weight, std=word**-0.5)
        self.dropout = Dropout(config.dropout)
        self.reader = RecurrentEncoder(
            RecurrentConfig(
                vocabulary=config.vocabulary,
                mechanism="additive",
                order="before",
                embedding=word,
                encoder_width=config.question_width,
                decoder_width=state,
                attention_width=config.attention_width,
                dropout=config.dropout,
            )
        )
        self.bridge = nn.Linear(read, state)
        self.to_question = Additive(state + word, read, config.attention_width)
        self.looking_for = nn.Linear(state + word + read, config.attention_width)
        self.to_cells = General(config.attention_width, config.cells)
        self.said = nn.Linear(read + state, config.fused)
        self.seen = nn.Linear(config.cells, config.fused)
        self.cell = nn.GRUCell(word + config.fused, state)
        self.join = nn.Linear(state + config.fused + word, word)
        self.output = nn.Linear(word, config.vocabulary)
        self.output.weight = self.embedding.weight
        for name, value in self.named_parameters():
            if "weight_hh" in name:  # what is remembered neither fades nor grows at first
                for gate in torch.split(value.detach(), value.shape[1]):
                    nn.init.orthogonal_(gate)

    def encode(
        self, cells: Tensor, questions: Tensor, lengths: Tensor, about: Tensor | None = None
    ) -> VQAMemory:
        """Read questions (B, Q) of these lengths (B,) about pictures whose cells are (P, K, D).

        Each is about the picture in its own row, unless `about` (B,) says which.
        """
        if about is None:
            about = torch.arange(questions.shape[0], device=questions.device)
        return VQAMemory(cells, self.reader(self.embedding(questions), lengths), about)

    def start(self, memory: VQAMemory, seeds: Tensor | None = None) -> VQAState:
        """The state before the first step: the question as a whole; nothing is drawn."""
        del seeds
        seen = memory.states.new_ones(memory.states.shape[:2], dtype=torch.bool)
        states, mask = memory.question.states, memory.question.mask
        return VQAState(
            cells=rows_of(self.to_cells.prepare(memory.states, seen), memory.about),
            question=self.to_question.prepare(states, mask),
            hidden=torch.tanh(self.bridge(ends(states, mask))),
        )

    def advance(self, token: Tensor, state: VQAState) -> tuple[StepOutput, VQAState]:
        """One step, fed the token (B,) written before."""
        embedded = self.dropout(self.embedding(token))
        query = torch.cat([state.hidden, embedded], dim=-1)
        asked = self.to_question(query.unsqueeze(1), state.question).newest()
        query = self.query(query, asked.context)
        looked = self.to_cells(query.unsqueeze(1), state.cells).newest()
        both, hidden = self.update(embedded, asked.context, looked.context, state.hidden)
        told = StepOutput(
            readout=self.readout(hidden, both, embedded),
            attended=(looked, asked),
            query=query,
            context=looked.context,
            hidden=hidden,
        )
        return told, VQAState(state.cells, state.question, hidden)

    def query(self, query: Tensor, words: Tensor) -> Tensor:
        """What is looked for in the picture (B, D), from what asked the words and what they say."""
        return torch.tanh(self.looking_for(torch.cat([query, words], dim=-1)))

    def update(
        self, embedded: Tensor, words: Tensor, cells: Tensor, hidden: Tensor
    ) -> tuple[Tensor, Tensor]:
        """What words and cells make together (B, D), and the new state (B, D)."""
        said = torch.tanh(self.said(torch.cat([words, hidden], dim=-1)))
        both = self.dropout(said * torch.tanh(self.seen(self.dropout(cells))))
        return both, self.cell(torch.cat([embedded, both], dim=-1), hidden)

    def readout(self, hidden: Tensor, both: Tensor, embedded: Tensor) -> Tensor:
        """What is projected onto the vocabulary (…, D), from new states, both and words."""
        return torch.tanh(self.join(self.dropout(torch.cat([hidden, both, embedded], dim=-1))))

    def projected(self, state: VQAState) -> tuple[Keys | None, ...]:
        """Nothing: the cells themselves are summed, and what was read of the words."""
        del state
        return tuple(None for _ in self.step_groups)

    def predict(self, readout: Tensor) -> Tensor:
        """Scores over the vocabulary (…, V) from readouts (…, D)."""
        return self.output(readout)
