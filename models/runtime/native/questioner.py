"""A network that answers questions about pictures (`VQANetwork`).

Kernels read the question and compute the linear maps, NumPy what is between them.

Shapes: `N` rows, `B` questions, `Q` words of a question, `K` cells, `D` width of a vector.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from heed.models.config import VQAConfig
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans, edited_weights, plans_of
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.runtime.native import kernels as c
from heed.models.runtime.native.captioners import cells_of
from heed.models.runtime.native.recurrent import additive, gru, last_states, read_texts, reader
from heed.models.runtime.native.workspace import Tensors, check
from heed.models.runtime.numpy.operations import sigmoid
from heed.models.runtime.protocol import (
    DEFAULT_OPTIONS,
    NEVER_WRITTEN,
    RANKED,
    Attended,
    Editing,
    Encoded,
    EncodeOptions,
    Ints,
    PictureInput,
    Ranking,
    Step,
    foreign_state,
    padded,
)
from heed.models.trace import Floats

CELLS, WORDS = (
    MapGroup("cross", 0, 1, "target", "source"),
    MapGroup("cross", 0, 1, "target", "question"),
)


@dataclass(frozen=True, slots=True)
class Questions:
    """An encoded batch of questions about pictures, the same for all steps."""

    cell_keys: Floats  # (B, K, D)
    cells: Floats  # (B, K, D)
    word_keys: Floats  # (B, Q, D)
    words: Floats  # (B, Q, D)
    hidden_words: Floats  # (B, Q), -inf behind a question that is shorter, else 0
    options: EncodeOptions


class QuestionState(NamedTuple):
    """The decoder's state."""

    questions: Questions
    owners: Ints  # (N,), the question of each row
    hidden: Floats  # (N, D)
    steps: int = 0  # taken so far


class NativeQuestioner:
    """A decoder that attends to the words of a question and to the cells of a picture."""

    encode_groups: tuple[MapGroup, ...] = ()
    step_groups = (CELLS, WORDS)
    editing = Editing()

    def __init__(
        self,
        kernel: ctypes.CDLL,
        config: VQAConfig,
        weights: Tensors,
        features: FeatureCache,
        threads: int = 1,
    ) -> None:
        self._kernel, self._config, self.features = kernel, config, features
        self._threads, held = threads, c.KeepAlive()
        state, word, cells = config.decoder_width, config.embedding, config.cells
        width, read, fused = config.attention_width, 2 * config.question_width, config.fused

        def linear(name: str, outputs: int, inputs: int) -> c.Linear:
            return held.linear(
                weights(f"{name}.weight", outputs, inputs), weights(f"{name}.bias", outputs)
            )

        self._held, self._table = held, weights("embedding.weight", config.vocabulary, word)
        held.at(self._table)
        self._reader = reader(held, weights, "reader.", 0, word, config.question_width)
        self._bridge = linear("bridge", state, read)
        self._word_key, self._word_query, self._energy = additive(
            held, weights, "to_question.", state + word, read, width
        )
        self._looking_for = linear("looking_for", width, state + word + read)
        self._cell_key = held.linear(weights("to_cells.key.weight", width, cells))
        self._said = linear("said", fused, read + state)
        self._seen = linear("seen", fused, cells)
        self._given, self._kept = gru(held, weights, "cell.", word + fused, state)
        self._join = linear("join", word, state + fused + word)
        self._output = held.linear(self._table, weights("output.bias", config.vocabulary))

    def encode(
        self, sources: Sequence[PictureInput], options: EncodeOptions = DEFAULT_OPTIONS, /
    ) -> Encoded:
        """Encode a batch of pictures, and the questions about them."""
        config, by_tiles = self._config, options.by_tiles
        cells = cells_of(self.features, sources, config.cells)
        texts, lengths = padded([source.question for source in sources]).values()
        check(texts, config.vocabulary)
        width = 2 * config.question_width
        words = read_texts(
            self._kernel,
            [self._reader],
            self._table[texts].astype(np.float32),
            lengths,
            width,
            threads=self._threads,
            by_tiles=by_tiles,
        )
        behind = np.arange(texts.shape[1]) >= lengths[:, None]
        questions = Questions(
            cell_keys=self._mapped(self._cell_key, cells, options),
            cells=cells,
            word_keys=self._mapped(self._word_key, words, options),
            words=words,
            hidden_words=np.where(behind, -np.inf, 0).astype(np.float32),
            options=options,
        )
        first = self._mapped(self._bridge, last_states(words, lengths), options, c.SQUASHED)
        state = QuestionState(questions, np.arange(len(sources)), first)
        return Encoded(state, cells, (), (None, None))

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, QuestionState]:
        """Continue these rows, as `VQANetwork.advance` does."""
        if not isinstance(state, QuestionState):
            raise foreign_state(state)
        check(tokens, self._config.vocabulary)
        questions, owners, hidden = state.questions, state.owners[rows], state.hidden[rows]
        options = questions.options
        plans = edits or plans_of(options.edits, owners)
        embedded = self._table[tokens].astype(np.float32)

        asked = np.concatenate([hidden, embedded], axis=1)
        word_query = self._mapped(self._word_query, asked, options)
        energies = np.tanh(word_query[:, None] + questions.word_keys[owners])
        scores = (energies * self._energy).sum(axis=2) + questions.hidden_words[owners]
        of_words = _attended(WORDS, scores, word_query, plans, state.steps)
        words = _context(of_words, questions.words[owners])

        both = np.concatenate([asked, words], axis=1)
        query = self._mapped(self._looking_for, both, options, c.SQUASHED)
        scores = (query[:, None] * questions.cell_keys[owners]).sum(axis=2)
        of_cells = _attended(CELLS, scores, query, plans, state.steps)
        context = _context(of_cells, questions.cells[owners])

        said = self._mapped(
            self._said, np.concatenate([words, hidden], axis=1), options, c.SQUASHED
        )
        fused = said * self._mapped(self._seen, context, options, c.SQUASHED)
        after = self._updated(np.concatenate([embedded, fused], axis=1), hidden, options)
        readout = self._mapped(
            self._join, np.concatenate([after, fused, embedded], axis=1), options, c.SQUASHED
        )
        logits = self._mapped(self._output, readout, options)
        step = Step(
            logits=logits,
            ranking=ranked(logits),
            attended=(of_cells, of_words),
            query=query,
            context=context,
            state=after,
        )
        return step, QuestionState(questions, owners, after, state.steps + 1)

    def value_vectors(self, state: object) -> tuple[Floats | None, ...]:
        """Return the values, which are the cells and the encoded words themselves."""
        if not isinstance(state, QuestionState):
            raise foreign_state(state)
        return state.questions.cells[:, None], state.questions.words[:, None]

    def _updated(self, inputs: Floats, hidden: Floats, options: EncodeOptions) -> Floats:
        """Return the new state of the gated recurrent unit (N, D)."""
        given = np.split(self._mapped(self._given, inputs, options), 3, axis=1)
        kept = np.split(self._mapped(self._kept, hidden, options), 3, axis=1)
        reset, update = sigmoid(given[0] + kept[0]), sigmoid(given[1] + kept[1])
        new = np.tanh(given[2] + reset * kept[2])
        updated: Floats = new + update * (hidden - new)
        return updated

    def _mapped(
        self, linear: c.Linear, inputs: Floats, options: EncodeOptions, finish: int = c.PLAIN
    ) -> Floats:
        return c.mapped(
            self._kernel, linear, inputs, finish, threads=self._threads, by_tiles=options.by_tiles
        )


def ranked(logits: Floats) -> Ranking:
    """Rank logits (N, V): the likeliest tokens, their log-probabilities, and the normalizer."""
    written = logits[:, NEVER_WRITTEN:]
    likeliest = np.argpartition(-written, RANKED, axis=1)[:, :RANKED]
    best = np.take_along_axis(written, likeliest, axis=1)
    order = np.argsort(-best, axis=1, kind="stable")
    likeliest = np.take_along_axis(likeliest, order, axis=1)
    best = np.take_along_axis(best, order, axis=1)
    top = best[:, :1]
    normalizer = top + np.log(np.exp(written - top).sum(axis=1, keepdims=True))
    return Ranking(likeliest + NEVER_WRITTEN, best - normalizer, normalizer[:, 0])


def _attended(group: MapGroup, scores: Floats, query: Floats, plans: Plans, step: int) -> Attended:
    """Return the attention of a step, after its edits; scores (N, K), query (N, D)."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    # Summed in order, so that no bit depends on the padding behind a question.
    weights = (raised / np.cumsum(raised, axis=1)[:, -1:])[:, None]
    scores = scores[:, None]
    if any(plans):
        edited, _ = edited_weights(scores[:, :, None], weights[:, :, None], group, plans, step)
        weights = edited[:, :, 0].astype(np.float32)
    return Attended(scores, weights, query[:, None])


def _context(attended: Attended, values: Floats) -> Floats:
    """Return the weighted sum (N, D) of values (N, K, D)."""
    context: Floats = (attended.weights[:, 0, :, None] * values).sum(axis=1)
    return context
