"""The pipeline of models that write token by token: it runs requests, and builds their traces.

request → runtime.encode → search(runtime.step) → Trace
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, TypeVar
from weakref import WeakSet

from heed.models.card import Card
from heed.models.edits.operations import Edit
from heed.models.errors import InputError, NonFiniteOutputError
from heed.models.generation.edits import (
    EditedModel,
    ResolvedEdits,
    first_difference,
    plan_of,
    resolve,
)
from heed.models.generation.kept_steps import MOST_KEPT, KeptSteps
from heed.models.generation.maps import EncodedInput, decoder_maps, encoder_maps, select_input
from heed.models.generation.protocol import Between, Pipeline, Progress
from heed.models.generation.search import Decoding, Hypothesis, Plan, Record, Steps, search
from heed.models.generation.size import TraceSize, expected_length, size_of_groups
from heed.models.runtime.operation_log import OperationLog
from heed.models.runtime.protocol import EncodeOptions, Runtime
from heed.models.runtime.trainings import Trainings
from heed.models.text.checks import check_text, nothing_written, too_long
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords, TargetWords
from heed.models.trace import (
    Alternative,
    Axis,
    AxisName,
    Baseline,
    Merge,
    Output,
    SearchRequest,
    Timing,
    TokenAxis,
    Trace,
    TraceHeader,
    TraceStep,
)

RunName = Literal["edited", "baseline", "again", "forced"]
"""The runs of a request with edits: as it was asked for, without the edits, and, with the words of
the run without edits forced, without the edits and with them."""
BOTH: Final[tuple[RunName, RunName]] = ("baseline", "edited")
READ: Final = frozenset({"text", "question"})  # fields that are read; others are written
S = TypeVar("S")  # what the runtime encodes: tokens, or a picture


class PreparedInput(NamedTuple, Generic[S]):
    """A request that was checked and can be run."""

    opening: TraceHeader
    source: S
    plan: Plan
    by_tiles: bool = True  # kernels may use tiles
    edits: ResolvedEdits | None = None
    kept_as: Hashable = None  # the key of its input, if its first steps are to be kept

    @property
    def rows(self) -> int:
        """The rows of a batch that it takes, one for each hypothesis of each of its runs."""
        return self.plan.width if self.edits is None else 2 * self.plan.width + 1


class GenerationPipeline(Pipeline[PreparedInput[S]]):
    """A runtime with its tokenizer and card.

    Between calls, the pipeline that ran edits last keeps the first steps of their text.
    """

    _keeping: ClassVar[WeakSet[GenerationPipeline[Any]]] = WeakSet()

    def __init__(
        self,
        card: Card,
        runtime: Runtime[S],
        tokenizer: BytePieces,
        known_words: KnownWords | None = None,
        target_words: TargetWords | None = None,
        trainings: Trainings | None = None,
    ) -> None:
        self.card = card
        self.runtime = runtime
        self.tokenizer = tokenizer
        self._known_words = known_words
        self._target_words = target_words
        self.trainings = trainings
        self.kept: dict[Hashable, KeptSteps] = {}  # one at most, taken out while a batch uses it

    def keep(self, key: Hashable, steps: KeptSteps) -> None:
        """Keep the first steps of a text, in place of those that any pipeline kept."""
        for other in tuple(self._keeping):
            other.kept = {}
        self.kept = {key: steps}
        self._keeping.add(self)

    def batch(self, prepared: Sequence[PreparedInput[S]]) -> Batch[S]:
        """Start a batch of prepared requests, written step by step."""
        return Batch(self, prepared)

    def audited(self, prepared: PreparedInput[S]) -> tuple[GenerationPipeline[S], PreparedInput[S]]:
        """Return the pipeline that an audit runs, and what it takes for a prepared request."""
        return self, prepared

    def size(self, prepared: PreparedInput[S], written: int | None = None) -> TraceSize:
        """Estimate the trace of a request, or of one for which so many tokens were written."""
        header, plan = prepared.opening, prepared.plan
        if plan.forced:
            written = plan.longest
        elif written is None:
            written = expected_length(max(header.lengths.values()), plan.longest)
        groups = (*self.runtime.step_groups, *self.runtime.encode_groups)
        size = size_of_groups(self.card, groups, header, prepared.rows, written)
        if prepared.edits is None:
            return size
        # The encoder runs twice, with the edits and without.
        return replace(
            size, shared_cells=2 * size.shared_cells, shared_vectors=2 * size.shared_vectors
        )

    def _plan(
        self, target: str | None, search: SearchRequest, continue_from: int | None = None
    ) -> Plan:
        """Plan the output: by a search, unless the request forces a target, or its beginning."""
        if target is None:
            return Plan(search, self.card.limits.steps)
        ids = tuple(token.id for token in self._axis(target, "target").tokens)
        if continue_from is None:
            return Plan(search, len(ids), ids)
        if continue_from >= len(ids):
            message = f"The target has {len(ids) - 1} pieces, fewer than {continue_from}."
            raise InputError("out_of_range", message, "continue_from")
        return Plan(search, self.card.limits.steps, ids, continue_from)

    def _edits(
        self, edits: Sequence[Edit], source: Axis, question: TokenAxis | None = None
    ) -> ResolvedEdits | None:
        """Resolve the edits of a request, or raise `InputError`."""
        if not edits:
            return None
        editing, groups = self.runtime.editing, self.runtime.step_groups
        if not groups:
            message = f"{self.card.id} has no attention, so there is nothing to edit."
            raise InputError("edits_not_supported", message, "edits")
        if editing.refusal:
            message = f"The attention of {self.card.id} cannot be edited here: {editing.refusal}."
            raise InputError("edits_not_supported", message, "edits")
        axes: dict[AxisName, Axis] = {"source": source}
        if question is not None:
            axes["question"] = question
        return resolve(
            edits,
            EditedModel(
                self.card.id,
                (*groups, *self.runtime.encode_groups),
                axes,
                self.card.limits.steps,
                editing.hides_end,
                editing.gated,
            ),
        )

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
            self.marked(self.output(decoding.plan, hypothesis, encoded), prepared)
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

    def marked(self, output: Output, prepared: PreparedInput[S]) -> Output:
        """Add the words that the model made up or copied to a complete output of its own."""
        source, target = prepared.opening.source, output.tokens
        if self._target_words is None or prepared.plan.target or not isinstance(source, TokenAxis):
            return output
        unknown = self._target_words.unknown_words(target, source)
        return replace(
            output,
            target=replace(target, unknown_words=unknown.made_up, copied_words=unknown.copied),
        )

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
        self,
        pipeline: GenerationPipeline[S],
        prepared: Sequence[PreparedInput[S]],
        log: OperationLog | None = None,
    ) -> None:
        self._pipeline = pipeline
        self._prepared = prepared
        self._began = time.perf_counter()
        own = [item.opening.request.vectors == "all" for item in prepared]
        plans = [plan_of(item.edits) for item in prepared]
        # Row by row: each request, and behind them those whose encoder is edited, without edits.
        groups, count = pipeline.runtime.encode_groups, len(prepared)
        twice = [place for place, plan in enumerate(plans) if plan and any(map(plan.of, groups))]
        rows = [*range(count), *twice]
        self._before = list(range(count))  # the row of each request without edits
        for row, place in enumerate(twice, count):
            self._before[place] = row
        edits = [plan if place in twice else None for place, plan in enumerate(plans)]
        options = EncodeOptions(
            any(own),
            all(item.by_tiles for item in prepared),
            [*edits, *[None] * len(twice)] if twice else (),
            log,
        )
        self._key = prepared[0].kept_as if len(rows) == 1 and log is None else None
        self._kept = pipeline.kept.pop(self._key, None)
        encoded = (
            self._kept.encoded
            if self._kept
            else pipeline.runtime.encode([prepared[place].source for place in rows], options)
        )
        if self._key is not None and self._kept is None:
            self._kept = KeptSteps(pipeline.runtime, encoded)
        inputs = [
            select_input(encoded, row, prepared[place].opening.lengths["source"], own=own[place])
            for row, place in enumerate(rows)
        ]
        self._encoded = [inputs[row]._replace(edits=plan) for row, plan in enumerate(plans)]
        self._unedited = [inputs[row] for row in self._before]
        self._encoded_after = time.perf_counter() - self._began
        self._runtime: Steps = self._kept or pipeline.runtime
        self._state = encoded.state
        self._runs: list[dict[RunName, Decoding]] = [{} for _ in prepared]
        self._ended_after: dict[int, float] = {}
        self._reported: dict[int, tuple[int, ...]] = {}

    def steps(self) -> Iterator[None]:
        """Take step after step, until all requests have ended or were stopped."""
        for plans_of in (self._first_plans, self._last_plans):
            plans = [
                (place, name, plan)
                for place in range(len(self._prepared))
                if not self.ended(place)
                for name, plan in plans_of(place)
            ]
            yield from self._search(plans)
        if self._kept is not None:
            self._pipeline.keep(self._key, self._kept)

    def _search(self, plans: Sequence[tuple[int, RunName, Plan]]) -> Iterator[None]:
        """Search for some outputs together. A plan follows the first one of its request."""
        firsts: dict[int, int] = {}
        for at, (place, _, _) in enumerate(plans):
            firsts.setdefault(place, at)
        numbered = [
            plan if plan.follows is None else replace(plan, follows=firsts[place])
            for place, _, plan in plans
        ]
        lengths = [self._prepared[place].opening.lengths for place, _, _ in plans]
        for decodings in search(self._runtime, self._state, numbered, lengths):
            for (place, name, _), decoding in zip(plans, decodings, strict=True):
                self._runs[place][name] = decoding
            for place, runs in enumerate(self._runs):
                if place not in self._ended_after and self._complete(place, runs):
                    self._ended_after[place] = time.perf_counter() - self._began
            yield

    def _complete(self, place: int, runs: Mapping[RunName, Decoding]) -> bool:
        """Return true if all runs of a request have ended."""
        prepared = self._prepared[place]
        begun = prepared.edits is None or prepared.plan.forced or "forced" in runs
        broken = any(decoding.broken for decoding in runs.values())
        return (begun or broken) and all(decoding.done for decoding in runs.values())

    def _first_plans(self, place: int) -> Iterator[tuple[RunName, Plan]]:
        """Yield the runs of a request that may begin at once, the one without edits first."""
        prepared = self._prepared[place]
        plan, opening = replace(prepared.plan, row=place), prepared.opening
        if prepared.edits is None:
            yield "edited", plan
            return
        given = bool(plan.target)
        from_baseline = 0 if given else opening.request.continue_from or 0
        yield "baseline", replace(plan, row=self._before[place])
        plan = replace(plan, edits=prepared.edits.plan)
        if plan.width > 1:
            if not from_baseline:
                yield "edited", plan
            return
        if plan.forced:
            yield "edited", _following(plan)
            return
        yield "edited", _following(plan, from_baseline) if from_baseline else plan
        yield "forced", _following(plan)

    def _last_plans(self, place: int) -> Iterator[tuple[RunName, Plan]]:
        """Yield the runs of a request that need the best of several hypotheses of the first."""
        prepared, runs = self._prepared[place], self._runs[place]
        if prepared.edits is None or any(decoding.broken for decoding in runs.values()):
            return
        best = runs["baseline"].ranked()[0]
        written = tuple(step.token for step in best.path())
        plan = Plan(prepared.plan.search, len(written), written, row=self._before[place])
        yield "again", plan
        edited = replace(plan, row=place, edits=prepared.edits.plan)
        yield "forced", _following(edited)
        if "edited" not in runs:
            free_from = prepared.opening.request.continue_from
            yield "edited", replace(edited, longest=prepared.plan.longest, free_from=free_from)

    def ended(self, place: int) -> bool:
        """Return true if the request at this place has ended."""
        return place in self._ended_after

    def leave_out(self, place: int) -> None:
        """Stop the request at this place."""
        for decoding in self._runs[place].values():
            decoding.stop()
        self._ended_after[place] = time.perf_counter() - self._began

    def progress(self, place: int) -> Progress:
        """Return the output so far of the request at this place, and what is new in it."""
        runs = self._runs[place]
        encoded, decoding = self._encoded[place], runs.get("edited")
        if decoding is None:  # it continues the best of several hypotheses of the other
            encoded, decoding = self._unedited[place], runs["baseline"]
        leader = decoding.leading()
        tokens = tuple(step.token for step in leader.path())
        since = first_difference(self._reported.get(place, ()), tokens)
        self._reported[place] = tokens
        output = self._pipeline.output(decoding.plan, leader, encoded)
        return Progress(since, output)

    def trace(self, place: int, between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place, which must have ended."""
        runs, prepared = self._runs[place], self._prepared[place]
        if any(decoding.broken for decoding in runs.values()):
            raise NonFiniteOutputError(f"{self._pipeline.card.id} computed NaN or infinity")
        written = self._ended_after[place] - self._encoded_after
        trace = self._pipeline.trace(
            prepared,
            runs["edited"],
            self._encoded[place],
            Timing(1e3 * self._encoded_after, 1e3 * written),
            between_steps,
        )
        if prepared.edits is None:
            return trace
        return replace(trace, baseline=self._baseline(place, prepared.edits))

    def _baseline(self, place: int, edits: ResolvedEdits) -> Baseline:
        """Build the run without edits of the request at this place, and what they changed."""
        runs = self._runs[place]
        best, edited = (runs[name].ranked()[0] for name in BOTH)
        tokens, others = (
            [step.token for step in hypothesis.path()] for hypothesis in (best, edited)
        )
        return Baseline(
            self._output_before(place, best),
            tuple(runs.get("forced", runs["edited"]).changes),
            None if tokens == others else first_difference(tokens, others),
            edits.unused(len(others)),
        )

    def _output_before(self, place: int, best: Hypothesis) -> Output:
        """Build the output without edits; that of a kept input is always the same."""
        kept = self._kept
        if kept is not None and kept.output is not None:
            return kept.output
        plan, encoded = self._runs[place]["baseline"].plan, self._unedited[place]
        output = self._pipeline.marked(
            self._pipeline.output(plan, best, encoded), self._prepared[place]
        )
        if kept is not None and best.length <= MOST_KEPT:
            kept.keep_output(output)
        return output


def _following(plan: Plan, free_from: int | None = None) -> Plan:
    """Return the plan whose tokens are those of the first plan of its request."""
    return replace(plan, target=(), free_from=free_from, follows=0)
