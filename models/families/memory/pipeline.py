"""The pipeline of memory networks, which answer a question about a story hop after hop.

There is no search: a step is a hop, and the answer is the likeliest one after the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heed.models.card import Card
from heed.models.families.memory.result import HOPS, StoryInput, StoryResult
from heed.models.families.memory.runtime import NumpyMemoryNetwork
from heed.models.families.memory.stories import (
    EMPTY,
    UNKNOWN,
    StoryVocabulary,
    split_sentences,
    split_words,
)
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.edits import EditedModel, plan_of, resolve
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import Request, StoryRequest
from heed.models.runtime.edited import missing_weight
from heed.models.text.checks import check_text, nothing_written, too_long
from heed.models.trace import (
    AttentionMap,
    HopAxis,
    Output,
    SentenceAxis,
    TokenAxis,
    TraceHeader,
    TraceRequest,
    TraceStep,
    Word,
    likeliest,
    word_axis,
)

__all__ = ["StoryPipeline", "StoryRequest"]

ALTERNATIVES = 5


@dataclass(frozen=True, slots=True)
class PreparedStory(ComputedRequest):
    """A story and a question that were checked and can be run."""

    source: StoryInput


class StoryPipeline(ComputedPipeline[PreparedStory, StoryResult]):
    """A memory network with its vocabulary."""

    def __init__(
        self, card: Card, runtime: NumpyMemoryNetwork, vocabulary: StoryVocabulary
    ) -> None:
        self.card = card
        self._runtime = runtime
        self._vocabulary = vocabulary

    def prepare(self, request: Request) -> PreparedStory:
        """Split a story into sentences and words, or raise `InputError`."""
        if not isinstance(request, StoryRequest):
            raise wrong_request(self.card, request)
        source, sentences = self._story(request.story)
        question = self._question(request.question)
        edited = EditedModel(self.card.id, (HOPS,), {"source": source}, self._runtime.config.hops)
        edits = resolve(request.edits, edited)
        return PreparedStory(
            TraceHeader(
                self._stamp(),
                self.card.task,
                TraceRequest(request.story, edits=edits.edits if edits else ()),
                source,
                question=question,
            ),
            edits,
            StoryInput(sentences, tuple(token.id for token in question.tokens)),
        )

    def answer(self, prepared: Sequence[PreparedStory]) -> list[StoryResult]:
        """Compute every hop of a batch."""
        plans = [plan_of(item.edits) for item in prepared]
        return self._runtime.answer([item.source for item in prepared], plans)

    def output(self, prepared: PreparedStory, read: StoryResult, hops: int, /) -> Output:
        """Build the output after so many hops."""
        final = int(read.log_probabilities[-1].argmax())
        now = int(read.log_probabilities[hops - 1].argmax())
        weights = read.weights[:hops]
        attention = AttentionMap(
            *("cross", 0, 0, "target", "source"),
            weights,
            read.scores[:hops],
            sinks=missing_weight(plan_of(prepared.edits), HOPS, 0, weights),
        )
        certainty = float(read.log_probabilities[hops - 1, now])
        return Output(
            target=HopAxis(self._vocabulary.answers[now], hops),
            maps=(attention,),
            steps=tuple(self._step(read, hop, final) for hop in range(hops)),
            log_probability=certainty,
            score=certainty,
            finish="end",
        )

    def _step(self, read: StoryResult, hop: int, final: int) -> TraceStep:
        logs = read.log_probabilities[hop]
        return TraceStep(
            log_probability=float(logs[final]),
            alternatives=likeliest(logs, self._vocabulary.answers.__getitem__, ALTERNATIVES),
            query=read.queries[hop],
            context=read.contexts[hop],
            state=read.states[hop],
            keys=read.keys[hop],
            values=read.values[hop],
        )

    def _story(self, text: str) -> tuple[SentenceAxis, tuple[tuple[int, ...], ...]]:
        """Return the sentences of a story, the empty one first, and the ids of their words."""
        check_text(self.card, text, "story")
        limits, split = self.card.limits, split_sentences(text)
        if not split:
            raise nothing_written("story", blank=True)
        if len(split) > limits.tokens:
            raise too_long(self.card, text, "story", len(split), limits.tokens, "sentences")
        read, unknown = [], []
        for place, sentence in enumerate(split):
            words = split_words(sentence.text, sentence.start)
            self._check_words(words, sentence.text, "story", f"Sentence {place + 1}")
            ids = self._vocabulary.ids_of(words)
            read.append(ids)
            unknown += [word for word, id in zip(words, ids, strict=True) if id == UNKNOWN]
        return SentenceAxis(text, (EMPTY, *split), tuple(unknown)), tuple(read)

    def _question(self, text: str) -> TokenAxis:
        """Return the words of a question."""
        check_text(self.card, text, "question")
        words = split_words(text)
        if not words:
            raise nothing_written("question", blank=True)
        self._check_words(words, text, "question")
        ids = self._vocabulary.ids_of(words)
        return word_axis(text, words, ids, "sum", UNKNOWN)

    def _check_words(self, words: Sequence[Word], text: str, name: str, part: str = "") -> None:
        most = self._runtime.config.words
        if len(words) > most:
            raise too_long(self.card, text, name, len(words), most, "words", part)
