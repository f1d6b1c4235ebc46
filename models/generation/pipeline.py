"""What every model does with an ask, whatever it reads: run it, and tell what came of it.

source → runtime.encode → search(runtime.step) → Trace
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from heed.models.catalogue import Card
from heed.models.errors import InputError, NonFiniteOutputError
from heed.models.generation.maps import EncodedInput, decoder_maps, encoder_maps, read_of
from heed.models.generation.search import Decoding, Hypothesis, Plan, Record, search
from heed.models.runtime.protocol import Runtime
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords
from heed.models.trace import (
    Alternative,
    Merge,
    ModelStamp,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceHeader,
    TraceStep,
)

Asked = TypeVar("Asked")
Source = TypeVar("Source")

READ = {"text": "input", "question": "question"}  # by the field it comes in; all else is written
Between = Callable[[], None]


class Progress(NamedTuple):
    """The best hypothesis so far; its positions before `since` are as they were."""

    since: int
    output: Output


class PreparedInput(NamedTuple, Generic[Source]):
    """An ask, ready to be run."""

    opening: TraceHeader
    source: Source  # as the runtime takes it
    plan: Plan


class GenerationPipeline(ABC, Generic[Asked, Source]):
    """A runtime with its tokenizer and card. It holds no state between calls."""

    def __init__(
        self,
        card: Card,
        runtime: Runtime[Source, Any],
        tokenizer: BytePieces,
        familiar: KnownWords | None = None,
    ) -> None:
        self.card = card
        self._runtime = runtime
        self._tokenizer = tokenizer
        self._known_words = familiar

    @abstractmethod
    def read(self, ask: Asked) -> PreparedInput[Source]:
        """What is to be run for an ask, or `InputError`."""

    def check(self, ask: Asked) -> None:
        """Raise `InputError` if the model cannot run this."""
        self.read(ask)

    def run(
        self,
        asks: Sequence[Asked],
        *,
        between_steps: Between | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> list[Trace]:
        """Run a batch together. `between_steps` may raise to abort; `on_progress` wants one ask."""
        if on_progress and len(asks) != 1:
            raise ValueError("progress can be told of one ask only")
        batch = self.batch([self.read(ask) for ask in asks])
        for _ in batch.steps():
            if between_steps:
                between_steps()
            if on_progress:
                on_progress(batch.progress(0))
        return [batch.trace(place, between_steps) for place in range(len(asks))]

    def batch(self, readings: Sequence[PreparedInput[Source]]) -> Batch[Source]:
        """These asks, to be written together step by step."""
        return Batch(self, self._runtime, readings)

    def _stamp(self) -> ModelStamp:
        card = self.card
        return ModelStamp(card.id, card.weights, card.mechanism, card.order)

    def _plan(self, target: str | None, search: SearchRequest) -> Plan:
        """How the output is chosen: by a search, unless the user says what is written."""
        if target is None:
            return Plan(search, self.card.limits.steps)
        ids = tuple(token.id for token in self._axis(target, "target").tokens)
        return Plan(search, len(ids), ids)

    def _axis(self, text: str, name: str) -> TokenAxis:
        """The axis of the user's own string, which may be empty, too long or not even text."""
        limits = self.card.limits
        merge: Merge = "sum" if name in READ else "mean"
        what, most = READ.get(name, name), limits.tokens if name in READ else limits.steps
        try:
            text.encode()
        except UnicodeEncodeError as error:
            place = error.start
            raise InputError(
                "invalid_text", f"Character {place} is half of a surrogate pair: not text.", name
            ) from error
        if not text:
            raise InputError(f"empty_{name}", f"The {what} is empty: write something.", name)
        if len(text) > limits.characters:
            message = f"The {what} has {len(text)} characters; {self.card.id} takes at most "
            raise InputError(f"{name}_too_long", f"{message}{limits.characters}: shorten it.", name)
        axis = self._tokenizer.encode(text, merge)
        if len(axis.words) == 1:  # the end mark alone
            raise InputError(f"empty_{name}", f"The {what} is blank: write something.", name)
        if len(axis) == 1:  # emoji, or another script: nothing to look at
            message = f"The {what} has no character that {self.card.id} ever met: write words."
            raise InputError("unknown_characters", message, name)
        if len(axis) > most:
            message = f"The {what} has {len(axis)} tokens with its end mark; {self.card.id} takes "
            raise InputError(f"{name}_too_long", f"{message}at most {most}: shorten it.", name)
        if self._known_words is not None and name in READ:
            return replace(axis, rare_words=self._known_words.rare_words(axis))
        return axis

    def trace(
        self,
        reading: PreparedInput[Source],
        decoding: Decoding,
        read: EncodedInput,
        timing: Timing,
        between_steps: Between | None = None,
    ) -> Trace:
        """The trace of an ask that was written to its end."""
        del between_steps  # for those who go on running
        opening = reading.opening
        best, *others = [
            self.output(decoding.plan, hypothesis, read) for hypothesis in decoding.ranked()
        ]
        return Trace(
            model=opening.model,
            task=opening.task,
            request=opening.request,
            source=opening.source,
            output=best,
            runners_up=tuple(others),
            timing=timing,
            # Of a picture there would be hundreds of vectors, which nobody reads.
            memory=read.memory if isinstance(opening.source, TokenAxis) else None,
            picture=opening.picture,
            question=opening.question,
        )

    def output(self, plan: Plan, hypothesis: Hypothesis, read: EncodedInput) -> Output:
        """What was written so far, with its maps."""
        path = hypothesis.path()
        records = [step.record for step in path if step.record is not None]
        target = self._tokenizer.written([step.token for step in path])
        maps = [
            *decoder_maps(self._runtime.step_groups, records, read),
            *encoder_maps(self._runtime.encode_groups, read),
        ]
        return Output(
            target=target,
            maps=tuple(maps),
            steps=self._steps(records),
            log_probability=hypothesis.log_probability,
            score=hypothesis.score(plan.search.length_penalty),
            finish="forced" if plan.forced else "end" if hypothesis.ended else "length",
        )

    def _steps(self, records: Sequence[Record]) -> tuple[TraceStep, ...]:
        """The numbers behind each token; the alternatives, which are many, are made all at once."""
        ids = [id for record in records for id in record.likeliest]
        logs = [log for record in records for log in record.log_probabilities]
        each = len(ids) // max(len(records), 1)
        told = map(
            _alternative, zip(ids, self._tokenizer.texts_of(ids), map(math.exp, logs), strict=True)
        )
        return tuple(
            TraceStep(
                record.log_probability,
                alternatives,
                record.query,
                record.context,
                record.state,
                record.gate,
                record.drawn,
            )
            for record, alternatives in zip(records, zip(*[told] * each, strict=True), strict=True)
        )


# What `Alternative` does with its fields, without a call in Python for each.
_alternative = partial(tuple.__new__, Alternative)


class Batch(Generic[Source]):
    """Asks that are written together, step by step. Any of them can be left out on the way."""

    def __init__(
        self,
        writer: GenerationPipeline[Any, Source],
        runtime: Runtime[Source, Any],
        readings: Sequence[PreparedInput[Source]],
    ) -> None:
        self._writer = writer
        self._readings = readings
        self._began = time.perf_counter()
        lengths = [reading.opening.lengths for reading in readings]
        own = [reading.opening.request.vectors == "all" for reading in readings]
        encoded = runtime.encode([reading.source for reading in readings], vectors=any(own))
        self._reads = [
            read_of(encoded, row, length["source"], own=own[row])
            for row, length in enumerate(lengths)
        ]
        self._read_after = time.perf_counter() - self._began
        plans = [reading.plan for reading in readings]
        self._steps = search(runtime, encoded.state, plans, lengths)
        self._decodings: list[Decoding] = []
        self._ended_after: dict[int, float] = {}
        self._told: dict[int, tuple[int, ...]] = {}

    def steps(self) -> Iterator[None]:
        """Take step after step, until all asks are at their end or left out."""
        for decodings in self._steps:
            self._decodings = decodings
            for place, decoding in enumerate(decodings):
                if decoding.done and place not in self._ended_after:
                    self._ended_after[place] = time.perf_counter() - self._began
            yield

    def ended(self, place: int) -> bool:
        """Whether the ask at this place is written to its end."""
        return place in self._ended_after

    def leave_out(self, place: int) -> None:
        """Write no more of the ask at this place."""
        self._decodings[place].stop()

    def progress(self, place: int) -> Progress:
        """How far the ask at this place has come, and what of that is new since it was asked."""
        decoding = self._decodings[place]
        leader = decoding.leading()
        tokens = tuple(step.token for step in leader.path())
        since = _first_difference(self._told.get(place, ()), tokens)
        self._told[place] = tokens
        return Progress(since, self._writer.output(decoding.plan, leader, self._reads[place]))

    def trace(self, place: int, between_steps: Between | None = None) -> Trace:
        """The trace of the ask at this place, which is at its end."""
        decoding = self._decodings[place]
        if decoding.broken:
            raise NonFiniteOutputError(f"{self._writer.card.id} gave no numbers")
        written = self._ended_after[place] - self._read_after
        return self._writer.trace(
            self._readings[place],
            decoding,
            self._reads[place],
            Timing(1e3 * self._read_after, 1e3 * written),
            between_steps,
        )


def _first_difference(old: Sequence[int], new: Sequence[int]) -> int:
    for place, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return place
    return min(len(old), len(new))
