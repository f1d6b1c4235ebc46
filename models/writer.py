"""What every model does with an ask, whatever it reads: run it, and tell what came of it.

source → runtime.encode → search(runtime.step) → Trace
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from models.errors import InputError
from models.maps import Read, decoder_maps, encoder_maps, read_of
from models.runtime import Runtime
from models.search import Decoding, Hypothesis, Plan, search
from models.tokenizer import BytePieces
from models.trace import (
    Alternative,
    Merge,
    ModelStamp,
    Opening,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceStep,
)
from models.zoo import Card

Asked = TypeVar("Asked")
Source = TypeVar("Source")

READ = {"text": "input", "question": "question"}  # by the field it comes in; all else is written
Between = Callable[[], None]


class Progress(NamedTuple):
    """The best hypothesis so far; its positions before `since` are as they were."""

    since: int
    output: Output


class Reading(NamedTuple, Generic[Source]):
    """An ask, ready to be run."""

    opening: Opening
    source: Source  # as the runtime takes it
    plan: Plan


class Writer(ABC, Generic[Asked, Source]):
    """A runtime with its tokenizer and card. It holds no state between calls."""

    def __init__(self, card: Card, runtime: Runtime[Source, Any], tokenizer: BytePieces) -> None:
        self.card = card
        self._runtime = runtime
        self._tokenizer = tokenizer

    @abstractmethod
    def read(self, ask: Asked) -> Reading[Source]:
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
        readings = [self.read(ask) for ask in asks]
        lengths = [reading.opening.lengths for reading in readings]
        began = time.perf_counter()
        encoded = self._runtime.encode([reading.source for reading in readings])
        reads = [read_of(encoded, row, length["source"]) for row, length in enumerate(lengths)]
        after_reading = time.perf_counter()
        written: tuple[int, ...] = ()
        decodings: list[Decoding] = []
        plans = [reading.plan for reading in readings]
        for decodings in search(self._runtime, encoded.state, plans, lengths):
            if between_steps:
                between_steps()
            if on_progress:
                leader = decodings[0].leading()
                tokens = tuple(step.token for step in leader.path())
                since = _first_difference(written, tokens)
                on_progress(Progress(since, self._output(plans[0], leader, reads[0])))
                written = tokens
        timing = Timing(1e3 * (after_reading - began), 1e3 * (time.perf_counter() - after_reading))
        return [
            self._trace(reading.opening, decoding, read, timing)
            for reading, decoding, read in zip(readings, decodings, reads, strict=True)
        ]

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
        if len(axis) > most:
            message = f"The {what} has {len(axis)} tokens with its end mark; {self.card.id} takes "
            raise InputError(f"{name}_too_long", f"{message}at most {most}: shorten it.", name)
        return axis

    def _trace(self, opening: Opening, decoding: Decoding, read: Read, timing: Timing) -> Trace:
        best, *others = [
            self._output(decoding.plan, hypothesis, read) for hypothesis in decoding.ranked()
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

    def _output(self, plan: Plan, hypothesis: Hypothesis, read: Read) -> Output:
        path = hypothesis.path()
        records = [step.record for step in path if step.record is not None]
        target = self._tokenizer.written([step.token for step in path])
        looked = [record.attended for record in records]
        maps = [
            *decoder_maps(self._runtime.step_groups, looked, read),
            *encoder_maps(self._runtime.encode_groups, read),
        ]
        return Output(
            target=target,
            maps=tuple(maps),
            steps=tuple(
                TraceStep(
                    record.log_probability,
                    tuple(
                        Alternative(token, self._tokenizer.text_of(token), probability)
                        for token, probability in record.alternatives
                    ),
                    record.query,
                    record.context,
                    record.state,
                    record.gate,
                    record.drawn,
                )
                for record in records
            ),
            log_probability=hypothesis.log_probability,
            score=hypothesis.score(plan.search.length_penalty),
            finish="forced" if plan.forced else "end" if hypothesis.ended else "length",
        )


def _first_difference(old: Sequence[int], new: Sequence[int]) -> int:
    for place, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return place
    return min(len(old), len(new))
