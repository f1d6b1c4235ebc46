"""Visual question answering: a network that attends to the words of a question and to cells.

The same calls as the captioners in `captioners.py`, but for two memories. Shapes: `B` questions,
`P` pictures, `Q` words of a question, `K` cells, `H` heads, `D` width, `V` vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from heed.models.config import RecurrentConfig, VQAConfig
from heed.models.networks.attention import (
    Additive,
    Attended,
    General,
    Keys,
    StepEdit,
    editor_of,
    ends,
    rows_of,
)
from heed.models.networks.decoders import StepOutput
from heed.models.networks.dropout import Dropout
from heed.models.networks.encoders import EncoderStates, RecurrentEncoder
from heed.models.networks.map_group import MapGroup


class VQAEncoderStates(NamedTuple):
    """Encoded pictures, and the encoded questions about them."""

    states: Tensor  # (P, K, D), the cells
    question: EncoderStates  # (B, Q, D)
    about: Tensor  # (B,), the picture of each question
    attended: tuple[Attended, ...] = ()  # there is no self-attention


class VQAState(NamedTuple):
    """The decoder's state. Every tensor has the rows as its first dimension."""

    cells: Keys
    question: Keys
    hidden: Tensor  # (B, D)

    def select(self, rows: Tensor) -> VQAState:
        """Select these rows, which may repeat."""
        return VQAState(
            rows_of(self.cells, rows),
            rows_of(self.question, rows),
            self.hidden.index_select(0, rows),
        )


class VQANetwork(nn.Module):
    """A bidirectional encoder of the question, and a decoder that attends to it and to the cells.

    1. attend to the question with the old state and the last word  2. attend to the cells with
    these and the question's context  3. multiply the two contexts, each projected, so that each
    gates the other (Antol et al. 2015)  4. update  5. join.

    The score of a word is e = vᵀ tanh(W q + U k), that of a cell e = tanh(W q)ᵀ U k: a word of the
    question is matched with cells like it.
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
            if "weight_hh" in name:  # the state neither fades nor grows at first
                for gate in torch.split(value.detach(), value.shape[1]):
                    nn.init.orthogonal_(gate)

    def encode(
        self, cells: Tensor, questions: Tensor, lengths: Tensor, about: Tensor | None = None
    ) -> VQAEncoderStates:
        """Encode questions (B, Q) of these lengths (B,) about pictures with cells (P, K, D).

        Each is about the picture in its own row, unless `about` (B,) names another.
        """
        if about is None:
            about = torch.arange(questions.shape[0], device=questions.device)
        return VQAEncoderStates(cells, self.reader(self.embedding(questions), lengths), about)

    def start(self, encoder_states: VQAEncoderStates) -> VQAState:
        """The state before the first step: it comes from the ends of the question."""
        seen = encoder_states.states.new_ones(encoder_states.states.shape[:2], dtype=torch.bool)
        states, mask = encoder_states.question.states, encoder_states.question.mask
        return VQAState(
            cells=rows_of(self.to_cells.prepare(encoder_states.states, seen), encoder_states.about),
            question=self.to_question.prepare(states, mask),
            hidden=torch.tanh(self.bridge(ends(states, mask))),
        )

    def advance(
        self, token: Tensor, state: VQAState, edit: StepEdit | None = None
    ) -> tuple[StepOutput, VQAState]:
        """Take one step after the token (B,)."""
        embedded = self.dropout(self.embedding(token))
        query = torch.cat([state.hidden, embedded], dim=-1)
        of_question = self.to_question(
            query.unsqueeze(1), state.question, edit=editor_of(edit, 1)
        ).newest()
        query = self.query(query, of_question.context)
        of_cells = self.to_cells(query.unsqueeze(1), state.cells, edit=editor_of(edit, 0)).newest()
        both, hidden = self.update(embedded, of_question.context, of_cells.context, state.hidden)
        output = StepOutput(
            readout=self.readout(hidden, both, embedded),
            attended=(of_cells, of_question),
            query=query,
            context=of_cells.context,
            hidden=hidden,
        )
        return output, VQAState(state.cells, state.question, hidden)

    def query(self, query: Tensor, words: Tensor) -> Tensor:
        """Compute the query for the cells (B, D), from that for the question and its context."""
        return torch.tanh(self.looking_for(torch.cat([query, words], dim=-1)))

    def update(
        self, embedded: Tensor, words: Tensor, cells: Tensor, hidden: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Fuse the contexts of question and cells (B, D); also returns the new state (B, D)."""
        said = torch.tanh(self.said(torch.cat([words, hidden], dim=-1)))
        both = self.dropout(said * torch.tanh(self.seen(self.dropout(cells))))
        return both, self.cell(torch.cat([embedded, both], dim=-1), hidden)

    def readout(self, hidden: Tensor, both: Tensor, embedded: Tensor) -> Tensor:
        """Compute readouts (…, D) from new states, fused contexts and embedded words."""
        return torch.tanh(self.join(self.dropout(torch.cat([hidden, both, embedded], dim=-1))))

    def projected(self, _state: VQAState, /) -> tuple[Keys | None, ...]:
        """Return nothing: the values are the cells and the encoded words themselves."""
        return tuple(None for _ in self.step_groups)

    def value_vectors(self, state: VQAState) -> tuple[Tensor, ...]:
        """Return what each cell and each word adds to its context."""
        return (
            self.to_cells.value_vectors(state.cells),
            self.to_question.value_vectors(state.question),
        )

    def predict(self, readout: Tensor) -> Tensor:
        """Compute logits (…, V) from readouts (…, D)."""
        return self.output(readout)
