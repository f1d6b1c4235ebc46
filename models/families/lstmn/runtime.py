"""An LSTMN in NumPy; `network.py` names the formulas.

The sentences of a batch are read one by one, so none is padded and none changes with its company.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.families.lstmn.config import LSTMNConfig
from heed.models.families.lstmn.result import TAPE, TapeResult
from heed.models.runtime.edited import EditPlan, Plans, edited_row
from heed.models.runtime.numpy.operations import Weights, log_softmax, sigmoid, softmax
from heed.models.runtime.protocol import Tokens


class NumpyLSTMN:
    """An LSTM with a memory tape."""

    def __init__(self, config: LSTMNConfig, weights: Weights) -> None:
        self.config = config
        width, attention, embedding = config.width, config.attention_width, config.embedding
        self._embedding = weights("embedding.weight", config.vocabulary, embedding)
        self._word_gates = weights.linear("word_gates", 4 * width, embedding)
        self._state_gates = weights("state_gates.weight", 4 * width, width)
        self._key = weights("key.weight", attention, width)
        self._word_query = weights.linear("word_query", attention, embedding)
        self._state_query = weights("state_query.weight", attention, width)
        self._energy = weights("energy.weight", 1, attention)[0]
        self._readout = weights.linear("readout", embedding, 2 * width)
        self._output_bias = weights("output_bias", config.vocabulary)

    def read(self, sentences: Sequence[Tokens], plans: Plans = ()) -> list[TapeResult]:
        """Read sentences that begin with the start token, perhaps under edits."""
        plans = plans or [None] * len(sentences)
        return [self._read(words, plan) for words, plan in zip(sentences, plans, strict=True)]

    def _read(self, words: Tokens, plan: EditPlan | None) -> TapeResult:
        length, width = len(words), self.config.width
        embedded = self._embedding[list(words)]
        gates, queries = self._word_gates(embedded), self._word_query(embedded)
        hidden, cells = np.zeros((2, length, width), np.float32)
        hidden_summaries, cell_summaries = np.zeros((2, length, width), np.float32)
        keys = np.empty_like(queries)
        opened = np.empty((length, 3 * width), np.float32)
        scores = np.full((length, length), -np.inf, np.float32)
        weights = np.zeros((length, length), np.float32)
        summary = cell_summary = np.zeros(width, np.float32)
        for place in range(length):
            gates[place] += self._state_gates @ summary
            opened[place] = sigmoid(gates[place, : 3 * width])
            let_in, kept, shown = opened[place].reshape(3, width)
            cells[place] = kept * cell_summary + let_in * np.tanh(gates[place, 3 * width :])
            hidden[place] = shown * np.tanh(cells[place])
            keys[place] = self._key @ hidden[place]
            queries[place] += self._state_query @ summary
            tape = slice(place + 1)
            scores[place, tape] = np.tanh(keys[tape] + queries[place]) @ self._energy
            seen = scores[place, tape]
            weights[place, tape] = edited_row(plan, TAPE, place, seen, softmax(seen))
            summary = hidden_summaries[place] = weights[place, tape] @ hidden[tape]
            cell_summary = cell_summaries[place] = weights[place, tape] @ cells[tape]
        readouts = np.tanh(self._readout(np.concatenate([hidden, hidden_summaries], axis=1)))
        logs = log_softmax(readouts @ self._embedding.T + self._output_bias)
        summaries = hidden_summaries, cell_summaries
        return TapeResult(scores, weights, queries, keys, hidden, cells, *summaries, opened, logs)
