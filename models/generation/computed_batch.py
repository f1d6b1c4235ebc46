"""A batch whose steps are computed at once, and given out one after another."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from heed.models.card import Card
from heed.models.errors import NonFiniteOutputError
from heed.models.generation.protocol import Between, Prepared, Progress
from heed.models.trace import Floats, Output, Timing, Trace


class Computed(Protocol):
    """Every step of an answer."""

    @property
    def log_probabilities(self) -> Floats:
        """The logarithm of each answer's probability after each step."""


P = TypeVar("P", bound=Prepared)
P_contra = TypeVar("P_contra", bound=Prepared, contravariant=True)
C = TypeVar("C", bound=Computed)


class Computer(Protocol[P_contra, C]):
    """A pipeline that computes every step of a batch at once."""

    card: Card

    def answer(self, prepared: Sequence[P_contra]) -> list[C]:
        """Compute every step of a batch."""

    def output(self, read: C, steps: int) -> Output:
        """Build the output after so many steps."""


class ComputedBatch(Generic[P, C]):
    """Requests that are answered together, step by step."""

    def __init__(self, reader: Computer[P, C], prepared: Sequence[P]) -> None:
        self._reader = reader
        self._prepared = prepared
        self._stopped: set[int] = set()
        began = time.perf_counter()
        self._read = reader.answer(prepared)
        self._milliseconds = 1e3 * (time.perf_counter() - began)
        self._lengths = [len(read.log_probabilities) for read in self._read]
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
        return Progress(step - 1, self._reader.output(self._read[place], step))

    def trace(self, place: int, _between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place."""
        opening, read = self._prepared[place].opening, self._read[place]
        if not np.isfinite(read.log_probabilities).all():
            raise NonFiniteOutputError(f"{self._reader.card.id} computed NaN or infinity")
        return Trace(
            model=opening.model,
            task=opening.task,
            request=opening.request,
            source=opening.source,
            output=self._reader.output(read, self._lengths[place]),
            runners_up=(),
            timing=Timing(self._milliseconds, 0.0),
            picture=opening.picture,
            question=opening.question,
        )
