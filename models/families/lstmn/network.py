"""An LSTM with a memory tape and intra-attention (Cheng, Dong and Lapata 2016, section 3).

In place of its last state the LSTM has a tape of all of them. The state before word t is a weighted
sum over the tape, h̃ and c̃, from which word t is predicted and then read (equations 4 to 10):

    e_i = v·tanh(W h_i + U x_{t-1} + Z h̃_{t-1} + b),  α = softmax(e)
    h̃_t = Σ α_i h_i,  c̃_t = Σ α_i c_i,  p(word t) = softmax(E tanh(R [h_{t-1}; h̃_t]) + …)
    i, f, o = σ(G [x_t; h̃_t]),  ĉ = tanh(G [x_t; h̃_t]),  c_t = f c̃_t + i ĉ,  h_t = o tanh(c_t)

One thing differs from the paper: its query has the word that is being read, x_t. Here it has the
word before, so that the weights of a word are those by which it was predicted, and know nothing of
it. Shapes: `B` sentences, `T` words with the start, `D` embedding, `H` width, `A` attention width.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.networks.dropout import Dropout


class ReadTensors(NamedTuple):
    """Every vector and weight of a reading; row t is what predicts word t + 1."""

    readouts: Tensor  # (B, T, D)
    weights: Tensor  # (B, T, T), a triangle: row t has the words up to t
    scores: Tensor  # (B, T, T), -inf above the diagonal
    queries: Tensor  # (B, T, A), U x + Z h̃ + b
    keys: Tensor  # (B, T, A), W h
    hidden: Tensor  # (B, T, H), h of the tape
    cells: Tensor  # (B, T, H), c of the tape
    hidden_summaries: Tensor  # (B, T, H), h̃
    cell_summaries: Tensor  # (B, T, H), c̃
    gates: Tensor  # (B, T, 3H), i, f and o, after the sigmoid


class LSTMN(nn.Module):
    """A language model that reads with a memory tape; its embedding is also its output layer."""

    def __init__(self, config: LSTMNConfig) -> None:
        super().__init__()
        self.config = config
        width, attention = config.width, config.attention_width
        self.embedding = nn.Embedding(config.vocabulary, config.embedding)
        self.dropout = Dropout(config.dropout)
        self.word_gates = nn.Linear(config.embedding, 4 * width)
        self.state_gates = nn.Linear(width, 4 * width, bias=False)
        self.key = nn.Linear(width, attention, bias=False)
        self.word_query = nn.Linear(config.embedding, attention)
        self.state_query = nn.Linear(width, attention, bias=False)
        self.energy = nn.Linear(attention, 1, bias=False)
        self.readout = nn.Linear(2 * width, config.embedding)
        self.output_bias = nn.Parameter(torch.zeros(config.vocabulary))
        nn.init.normal_(self.embedding.weight, std=config.embedding**-0.5)
        with torch.no_grad():
            self.word_gates.bias[width : 2 * width] = 1  # forget little at first

    def forward(self, words: Tensor) -> ReadTensors:
        """Read sentences (B, T) that begin with the start token; padding stands at the end."""
        embedded = self.dropout(self.embedding(words))
        by_word = self.word_gates(embedded).float().unbind(1)
        queries_by_word = self.word_query(embedded).float().unbind(1)
        summary = cell_summary = embedded.new_zeros(len(words), self.config.width).float()
        tape: list[Tensor] = []  # h and c of each word: (B, 2H)
        keys: list[Tensor] = []
        steps: list[tuple[Tensor, ...]] = []
        for place, query_by_word in enumerate(queries_by_word):
            # 1. read the word; 2. write it on the tape; 3. attend to the tape.
            gates = by_word[place] + self.state_gates(summary)
            cell, hidden, opened = _lstm_cell(gates, cell_summary)
            tape.append(torch.cat([hidden, cell], dim=1))
            keys.append(self.key(hidden))
            query = query_by_word + self.state_query(summary)
            energies = torch.tanh(torch.stack(keys, dim=1) + query[:, None])
            scores = self.energy(energies)[..., 0]  # (B, place + 1)
            weights = self.weigh(scores)
            read = torch.bmm(weights[:, None], torch.stack(tape, dim=1))[:, 0]
            summary, cell_summary = read.chunk(2, dim=1)
            steps.append((weights, scores, query, read, opened))
        return self._collect(tape, keys, steps)

    def weigh(self, scores: Tensor) -> Tensor:
        """Return the weights of the words on the tape (B, place + 1)."""
        return scores.softmax(dim=1)

    def _collect(
        self, tape: list[Tensor], keys: list[Tensor], steps: list[tuple[Tensor, ...]]
    ) -> ReadTensors:
        length = len(tape)
        weights, scores, queries, read, opened = zip(*steps, strict=True)
        hidden, cells = torch.stack(tape, dim=1).chunk(2, dim=2)
        summaries, cell_summaries = torch.stack(read, dim=1).chunk(2, dim=2)
        joined = self.dropout(torch.cat([hidden, summaries], dim=2))
        return ReadTensors(
            self.dropout(torch.tanh(self.readout(joined))),
            torch.stack([F.pad(row, (0, length - row.shape[1])) for row in weights], dim=1),
            torch.stack(
                [F.pad(row, (0, length - row.shape[1]), value=-torch.inf) for row in scores], dim=1
            ),
            torch.stack(queries, dim=1),
            torch.stack(keys, dim=1),
            hidden,
            cells,
            summaries,
            cell_summaries,
            torch.stack(opened, dim=1),
        )

    def logits(self, readouts: Tensor) -> Tensor:
        """Return the logits of the next word (…, V)."""
        return F.linear(readouts, self.embedding.weight, self.output_bias)


def _lstm_cell(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return c, h, and the open gates i, f, o, from gates (B, 4H) in the order i, f, o, ĉ."""
    edge = 3 * cell.shape[1]
    opened, proposal = gates[:, :edge].sigmoid(), gates[:, edge:]
    let_in, kept, shown = opened.chunk(3, dim=1)
    cell = torch.addcmul(kept * cell, let_in, proposal.tanh())
    return cell, shown * cell.tanh(), opened
