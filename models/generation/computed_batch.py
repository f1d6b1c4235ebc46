"""Pipelines without a search: every step is computed at once, and given out one after another."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np

from heed.models.errors import NonFiniteOutputError
from heed.models.generation.edits import ResolvedEdits
from heed.models.generation.protocol import Between, Pipeline, Progress
from heed.models.trace import Baseline, Change, Floats, Output, Timing, Trace, TraceHeader


class Computed(Protocol):
    """Every step of an answer."""

    @property
    def log_probabilities(self) -> Floats:
        """The logarithm of each answer's probability after each step."""


@dataclass(frozen=True, slots=True)
class ComputedRequest:
    """A request that was checked and can be run; without its edits as well, if it has any."""

    opening: TraceHeader
    edits: ResolvedEdits | None

    @property
    def rows(self) -> int:
        """The rows of a batch that it takes."""
        return 1 if self.edits is None else 2


P = TypeVar("P", bound=ComputedRequest)
C = TypeVar("C", bound=Computed)


class ComputedPipeline(Pipeline[P], Generic[P, C]):
    """A model that computes every step of a batch at once. It holds no state between calls."""

    @abstractmethod
    def answer(self, prepared: Sequence[P]) -> list[C]:
        """Compute every step of a batch."""

    @abstractmethod
    def output(self, prepared: P, computed: C, steps: int, /) -> Output:
        """Build the output of a request after so many steps."""

    def written(self, prepared: P, computed: C, /) -> list[int]:
        """Return the answer of each step, by default the likeliest."""
        del prepared
        likeliest: list[int] = np.atleast_2d(computed.log_probabilities).argmax(axis=1).tolist()
        return likeliest

    def baseline(self, prepared: P, before: C, after: C) -> Baseline:
        """Compare the answer without edits to the one under them."""
        words, others = (self.written(prepared, computed) for computed in (before, after))
        logs = [
            np.atleast_2d(computed.log_probabilities).astype(np.float64)
            for computed in (before, after)
        ]
        divergences = (np.exp(logs[0]) * (logs[0] - logs[1])).sum(axis=1)
        changes = (
            Change(float(was[word]), float(now[word]), max(float(divergence), 0.0))
            for was, now, word, divergence in zip(*logs, words, divergences, strict=True)
        )
        parting = (
            at for at, (word, other) in enumerate(zip(words, others, strict=True)) if word != other
        )
        output = self.output(replace(prepared, edits=None), before, self.steps(before))
        return Baseline(output, tuple(changes), next(parting, None))

    def steps(self, computed: C, /) -> int:
        """Count the steps of an answer."""
        return len(computed.log_probabilities)

    def batch(self, prepared: Sequence[P]) -> ComputedBatch[P, C]:
        """Answer prepared requests; the answers are given out step by step."""
        return ComputedBatch(self, prepared)

    def trace(self, prepared: P, computed: C, timing: Timing, /) -> Trace:
        """Build the trace of a request."""
        opening = prepared.opening
        if not np.isfinite(computed.log_probabilities).all():
            raise NonFiniteOutputError(f"{self.card.id} computed NaN or infinity")
        return Trace(
            model=opening.model,
            task=opening.task,
            request=opening.request,
            source=opening.source,
            output=self.output(prepared, computed, self.steps(computed)),
            runners_up=(),
            timing=timing,
            picture=opening.picture,
            question=opening.question,
        )


class ComputedBatch(Generic[P, C]):
    """Requests that are answered together, step by step."""

    def __init__(self, pipeline: ComputedPipeline[P, C], prepared: Sequence[P]) -> None:
        self._pipeline = pipeline
        self._prepared = prepared
        self._stopped: set[int] = set()
        began = time.perf_counter()
        edited = [place for place, item in enumerate(prepared) if item.edits]
        without = [replace(prepared[place], edits=None) for place in edited]
        answers = pipeline.answer([*prepared, *without])
        self._computed = answers[: len(prepared)]
        self._before = dict(zip(edited, answers[len(prepared) :], strict=True))
        self._timing = Timing(1e3 * (time.perf_counter() - began), 0.0)
        self._lengths = [pipeline.steps(result) for result in self._computed]
        self._step = 0

    def steps(self) -> Iterator[None]:
        """Go on by one step after another, until the last or until all were stopped."""
        while self._step < max(self._lengths, default=0) and len(self._stopped) < len(
            self._prepared
        ):
            self._step += 1
            yield

    def ended(self, place: int) -> bool:
        """Return true after the last step."""
        return self._step >= self._lengths[place] and place not in self._stopped

    def leave_out(self, place: int) -> None:
        """Stop the request at this place."""
        self._stopped.add(place)

    def progress(self, place: int) -> Progress:
        """Return the output after the present step."""
        step = min(self._step, self._lengths[place])
        prepared, computed = self._prepared[place], self._computed[place]
        return Progress(step - 1, self._pipeline.output(prepared, computed, step))

    def trace(self, place: int, _between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place."""
        prepared, computed = self._prepared[place], self._computed[place]
        trace = self._pipeline.trace(prepared, computed, self._timing)
        if place not in self._before:
            return trace
        baseline = self._pipeline.baseline(prepared, self._before[place], computed)
        return replace(trace, baseline=baseline)
