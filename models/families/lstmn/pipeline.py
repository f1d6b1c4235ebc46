"""The pipeline of LSTMNs, which read a sentence word by word and predict each word.

There is no search: a step is a word of the user, and the last step is the end of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from heed.models.card import Card
from heed.models.families.lstmn.result import TAPE, TapeResult
from heed.models.families.lstmn.runtime import NumpyLSTMN
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.edits import EditedModel, plan_of, resolve
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import Request, TapeRequest
from heed.models.runtime.edited import missing_weight
from heed.models.runtime.protocol import Tokens
from heed.models.text.checks import check_text, nothing_written, too_long
from heed.models.text.words import END, START, UNKNOWN, WordVocabulary, split_words
from heed.models.trace import (
    AttentionMap,
    HeadVectors,
    Output,
    TokenAxis,
    TraceHeader,
    TraceRequest,
    TraceStep,
    Word,
    likeliest,
    word_axis,
)

__all__ = ["TapePipeline", "TapeRequest"]

ALTERNATIVES: Final = 5
END_MARK: Final = "</s>"
GATES: Final = 3


@dataclass(frozen=True, slots=True)
class PreparedSentence(ComputedRequest):
    """A sentence that was checked and can be read."""

    axis: TokenAxis
    ids: Tokens


class TapePipeline(ComputedPipeline[PreparedSentence, TapeResult]):
    """An LSTMN with its vocabulary."""

    def __init__(self, card: Card, runtime: NumpyLSTMN, vocabulary: WordVocabulary) -> None:
        self.card = card
        self._runtime = runtime
        self._vocabulary = vocabulary

    def prepare(self, request: Request) -> PreparedSentence:
        """Split a sentence into words, or raise `InputError`."""
        if not isinstance(request, TapeRequest):
            raise wrong_request(self.card, request)
        text = request.text
        words = self._words(text)
        ids = self._vocabulary.ids_of(word.text for word in words)
        end = Word(END_MARK, len(text), len(text), special=True)
        axis = _axis(text, [*words, end], [*ids, END])
        tape = _axis(text, [Word("", 0, 0, special=True), *words], [START, *ids])
        edited = EditedModel(self.card.id, (TAPE,), {"decoder_input": tape}, len(axis))
        edits = resolve(request.edits, edited)
        asked = TraceRequest(text, edits=edits.edits if edits else ())
        opening = TraceHeader(self._stamp(), self.card.task, asked, _axis(text, words, ids))
        return PreparedSentence(opening, edits, axis, (START, *ids))

    def written(self, prepared: PreparedSentence, _computed: TapeResult, /) -> list[int]:
        """Return the words of the sentence, which the model predicts and does not choose."""
        return [token.id for token in prepared.axis.tokens]

    def answer(self, prepared: Sequence[PreparedSentence]) -> list[TapeResult]:
        """Read every word of a batch."""
        plans = [plan_of(item.edits) for item in prepared]
        return self._runtime.read([item.ids for item in prepared], plans)

    def output(self, prepared: PreparedSentence, tape: TapeResult, steps: int, /) -> Output:
        """Build the output after so many words."""
        axis, taken = prepared.axis, np.arange(steps)
        chosen = tape.log_probabilities[taken, [token.id for token in axis.tokens[:steps]]]
        weights, scores = (square[:steps, :steps] for square in (tape.weights, tape.scores))
        total = float(chosen.sum())
        return Output(
            target=_first(axis, steps),
            maps=(
                AttentionMap(
                    "decoder-self",
                    0,
                    0,
                    "target",
                    "decoder_input",
                    weights,
                    scores,
                    HeadVectors(tape.queries[:steps], tape.keys[:steps], tape.hidden[:steps]),
                    missing_weight(plan_of(prepared.edits), TAPE, 0, weights),
                ),
            ),
            steps=tuple(self._step(tape, place, float(chosen[place])) for place in range(steps)),
            log_probability=total,
            score=total / steps,
            finish="end",
        )

    def _step(self, tape: TapeResult, place: int, chosen: float) -> TraceStep:
        logs = tape.log_probabilities[place]
        return TraceStep(
            log_probability=chosen,
            alternatives=likeliest(logs, self._shown, ALTERNATIVES),
            query=tape.queries[place],
            context=tape.hidden_summaries[place],
            state=tape.hidden[place],
            cell=tape.cells[place],
            cell_context=tape.cell_summaries[place],
            gates=tape.gates[place].reshape(GATES, -1),
        )

    def ids_of(self, words: Sequence[str]) -> list[int]:
        """Return the ids of words; all that are not known share one."""
        return self._vocabulary.ids_of(words)

    def _shown(self, id: int) -> str:
        return END_MARK if id == END else self._vocabulary.words[id]

    def _words(self, text: str) -> list[Word]:
        """Return the words of a sentence, or raise `InputError`."""
        most = self.card.limits.tokens
        check_text(self.card, text, "text")
        words = split_words(text)
        if not words:
            raise nothing_written("text", blank=True)
        if len(words) > most:
            raise too_long(self.card, text, "text", len(words), most, "words and marks")
        return words


def _axis(text: str, words: Sequence[Word], ids: Sequence[int]) -> TokenAxis:
    return word_axis(text, words, ids, "mean", UNKNOWN)


def _first(axis: TokenAxis, count: int) -> TokenAxis:
    """Return the axis of the first words."""
    if count == len(axis):
        return axis
    text = axis.text[: axis.words[count - 1].end]
    rare = tuple(place for place in axis.rare_words or () if place < count)
    return TokenAxis(text, axis.tokens[:count], axis.words[:count], axis.merge, rare)
