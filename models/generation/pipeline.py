"""The pipeline of models that write token by token: it runs requests, and builds their traces.

request → runtime.encode → search(runtime.step) → Trace
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Generic, NamedTuple, TypeVar

from heed.models.card import Card
from heed.models.errors import InputError, NonFiniteOutputError
from heed.models.generation.maps import EncodedInput, decoder_maps, encoder_maps, select_input
from heed.models.generation.protocol import Between, Pipeline, Progress
from heed.models.generation.search import Decoding, Hypothesis, Plan, Record, search
from heed.models.generation.size import TraceSize, expected_length, size_of_groups
from heed.models.runtime.protocol import EncodeOptions, Runtime
from heed.models.text.checks import check_text, nothing_written, too_long
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords, TargetWords
from heed.models.trace import (
    Alternative,
    Merge,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceHeader,
    TraceStep,
)

READ: Final = frozenset({"text", "question"})  # fields that are read; others are written
S = TypeVar("S")  # what the runtime encodes: tokens, or a picture


class PreparedInput(NamedTuple, Generic[S]):
    """A request that was checked and can be run."""

    opening: TraceHeader
    source: S
    plan: Plan
    by_tiles: bool = True  # kernels may use tiles

    @property
    def rows(self) -> int:
        """The rows of a batch that it takes, one for each hypothesis."""
        return 1 if self.plan.forced or self.plan.search.kind != "beam" else self.plan.search.beam


class GenerationPipeline(Pipeline[PreparedInput[S]]):
    """A runtime with its tokenizer and card. It holds no state between calls."""

    def __init__(
        self,
        card: Card,
        runtime: Runtime[S],
        tokenizer: BytePieces,
        known_words: KnownWords | None = None,
        target_words: TargetWords | None = None,
    ) -> None:
        self.card = card
        self.runtime = runtime
        self.tokenizer = tokenizer
        self._known_words = known_words
        self._target_words = target_words

    def batch(self, prepared: Sequence[PreparedInput[S]]) -> Batch[S]:
        """Start a batch of prepared requests, written step by step."""
        return Batch(self, prepared)

    def size(self, prepared: PreparedInput[S], written: int | None = None) -> TraceSize:
        """Estimate the trace of a request, or of one for which so many tokens were written."""
        header, plan = prepared.opening, prepared.plan
        if plan.forced:
            written = plan.longest
        elif written is None:
            written = expected_length(max(header.lengths.values()), plan.longest)
        groups = (*self.runtime.step_groups, *self.runtime.encode_groups)
        return size_of_groups(self.card, groups, header, prepared.rows, written)

    def _plan(self, target: str | None, search: SearchRequest) -> Plan:
        """Plan the output: by a search, unless the request forces a target."""
        if target is None:
            return Plan(search, self.card.limits.steps)
        ids = tuple(token.id for token in self._axis(target, "target").tokens)
        return Plan(search, len(ids), ids)

    def _axis(self, text: str, name: str) -> TokenAxis:
        """Tokenize a string of the request, or raise `InputError`."""
        limits = self.card.limits
        merge: Merge = "sum" if name in READ else "mean"
        most = limits.tokens if name in READ else limits.steps
        check_text(self.card, text, name)
        axis = self.tokenizer.encode(text, merge)
        if len(axis.words) == 1:  # the end mark alone
            raise nothing_written(name)
        if len(axis) == 1:  # emoji, or another script
            message = self._unknown_characters(name)
            raise InputError("unknown_characters", message, name)
        if len(axis) > most:
            raise too_long(self.card, text, name, len(axis), most, "pieces")
        if self._known_words is not None and name in READ:
            return replace(axis, rare_words=self._known_words.rare_words(axis))
        return axis

    def _unknown_characters(self, name: str) -> str:
        """Explain that a field has only characters the model does not know."""
        card = self.card
        language = card.source if name == "text" else card.target
        reads = f"{card.name} knows none of these characters."
        return f"{reads} It {'reads' if name in READ else 'writes'} {language.name}."

    def trace(
        self,
        prepared: PreparedInput[S],
        decoding: Decoding,
        encoded: EncodedInput,
        timing: Timing,
        _between_steps: Between | None = None,  # for pipelines that run further steps
        /,
    ) -> Trace:
        """Build the trace of a request that has ended."""
        opening = prepared.opening
        best, *others = [
            self._marked(self.output(decoding.plan, hypothesis, encoded), prepared)
            for hypothesis in decoding.ranked()
        ]
        return Trace(
            model=opening.model,
            task=opening.task,
            request=opening.request,
            source=opening.source,
            output=best,
            runners_up=tuple(others),
            timing=timing,
            # A picture has hundreds of cells, too many for a trace.
            memory=encoded.memory if isinstance(opening.source, TokenAxis) else None,
            picture=opening.picture,
            question=opening.question,
        )

    def _marked(self, output: Output, prepared: PreparedInput[S]) -> Output:
        """Add the words that the model made up to an output that is complete and its own."""
        source, target = prepared.opening.source, output.tokens
        if self._target_words is None or prepared.plan.forced or not isinstance(source, TokenAxis):
            return output
        unknown = self._target_words.unknown_words(target, source)
        return replace(output, target=replace(target, unknown_words=unknown))

    def output(self, plan: Plan, hypothesis: Hypothesis, encoded: EncodedInput) -> Output:
        """Build the output of a hypothesis, with its maps."""
        path = hypothesis.path()
        records = [step.record for step in path if step.record is not None]
        target = self.tokenizer.written([step.token for step in path])
        maps = [
            *decoder_maps(self.runtime.step_groups, records, encoded),
            *encoder_maps(self.runtime.encode_groups, encoded),
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
        """Collect the numbers of each token; the many alternatives are built all at once."""
        ids = [id for record in records for id in record.likeliest]
        logs = [log for record in records for log in record.log_probabilities]
        size = len(ids) // max(len(records), 1)
        alternatives = map(
            _alternative, zip(ids, self.tokenizer.texts_of(ids), map(math.exp, logs), strict=True)
        )
        return tuple(
            TraceStep(
                record.log_probability,
                of_step,
                record.query,
                record.context,
                record.state,
                record.gate,
                record.drawn,
            )
            for record, of_step in zip(
                records, zip(*[alternatives] * size, strict=True), strict=True
            )
        )


# As `Alternative(*fields)`, without a call in Python for each.
_alternative = partial(tuple.__new__, Alternative)


class Batch(Generic[S]):
    """Requests that are written together, step by step. Any of them can be stopped early."""

    def __init__(
        self, pipeline: GenerationPipeline[S], prepared: Sequence[PreparedInput[S]]
    ) -> None:
        self._pipeline = pipeline
        self._prepared = prepared
        self._began = time.perf_counter()
        lengths = [item.opening.lengths for item in prepared]
        own = [item.opening.request.vectors == "all" for item in prepared]
        options = EncodeOptions(any(own), all(item.by_tiles for item in prepared))
        encoded = pipeline.runtime.encode([item.source for item in prepared], options)
        self._encoded = [
            select_input(encoded, row, length["source"], own=own[row])
            for row, length in enumerate(lengths)
        ]
        self._encoded_after = time.perf_counter() - self._began
        plans = [item.plan for item in prepared]
        self._steps = search(pipeline.runtime, encoded.state, plans, lengths)
        self._decodings: list[Decoding] = []
        self._ended_after: dict[int, float] = {}
        self._reported: dict[int, tuple[int, ...]] = {}

    def steps(self) -> Iterator[None]:
        """Take step after step, until all requests have ended or were stopped."""
        for decodings in self._steps:
            self._decodings = decodings
            for place, decoding in enumerate(decodings):
                if decoding.done and place not in self._ended_after:
                    self._ended_after[place] = time.perf_counter() - self._began
            yield

    def ended(self, place: int) -> bool:
        """Return true if the request at this place has ended."""
        return place in self._ended_after

    def leave_out(self, place: int) -> None:
        """Stop the request at this place."""
        self._decodings[place].stop()

    def progress(self, place: int) -> Progress:
        """Return the output so far of the request at this place, and what is new in it."""
        decoding = self._decodings[place]
        leader = decoding.leading()
        tokens = tuple(step.token for step in leader.path())
        since = _first_difference(self._reported.get(place, ()), tokens)
        self._reported[place] = tokens
        output = self._pipeline.output(decoding.plan, leader, self._encoded[place])
        return Progress(since, output)

    def trace(self, place: int, between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place, which must have ended."""
        decoding = self._decodings[place]
        if decoding.broken:
            raise NonFiniteOutputError(f"{self._pipeline.card.id} computed NaN or infinity")
        written = self._ended_after[place] - self._encoded_after
        return self._pipeline.trace(
            self._prepared[place],
            decoding,
            self._encoded[place],
            Timing(1e3 * self._encoded_after, 1e3 * written),
            between_steps,
        )


def _first_difference(old: Sequence[int], new: Sequence[int]) -> int:
    for place, (before, now) in enumerate(zip(old, new, strict=False)):
        if before != now:
            return place
    return min(len(old), len(new))
