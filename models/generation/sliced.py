"""Work in slices: each is a run of its own for those who run it, so that others run between."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, ClassVar, Final

from heed.models.errors import InputError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.protocol import AnyPipeline, Between, Pipeline, Progress
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize

SLICE_SECONDS: Final = 0.25


class Sliced(ABC):
    """Work about one request, which goes on where its last slice ended.

    `waits` returns true while others wait: then a slice ends as soon as it may.
    """

    def __init__(self, waits: Callable[[], bool] = lambda: False) -> None:
        self._waits = waits
        self._prepared: Any = None
        self._left: Generator[bool, None, None] | None = None  # None before the first slice
        self._seconds = self.first_seconds
        self.writing = True  # until the output is known
        self.done = False

    takes: ClassVar[type] = GenerationPipeline
    """The pipelines that can run it."""
    first_seconds: ClassVar[float] = SLICE_SECONDS

    @property
    @abstractmethod
    def total(self) -> int:
        """The forced steps that it is expected to run in all, once the first slice has run."""

    @abstractmethod
    def _refusal(self, model: str) -> InputError:
        """Return the error for a model that does not write token by token."""

    @abstractmethod
    def _steps(self, pipeline: Any, prepared: Any) -> Generator[bool, None, None]:
        """Write, then run step after step. Yields often, and true where a slice may end."""

    def through(self, pipeline: AnyPipeline) -> AnyPipeline:
        """Return the pipeline that runs its next slice, or raise `InputError`."""
        if not isinstance(pipeline, self.takes):
            raise self._refusal(pipeline.card.id)
        return _SlicePipeline(self, pipeline)

    def run(self, pipeline: AnyPipeline, request: Request) -> int:
        """Run all slices where nobody waits between; return their number."""
        slices = 0
        while not self.done:
            self.through(pipeline).run([request])
            slices += 1
        return slices

    def begin(self, pipeline: AnyPipeline, request: Request) -> Any:
        """Prepare the request, with the first slice."""
        if self._left is None:
            self._prepared = pipeline.prepare(request)
            self._left = self._steps(pipeline, self._prepared)
        return self._prepared

    def go_on(self) -> Iterator[None]:
        """Run steps until the slice is over."""
        ends = time.monotonic() + self._seconds
        self._seconds = SLICE_SECONDS
        for may_end in self._left or ():
            self.writing = self.writing and not may_end
            yield
            if may_end and (self._waits() or time.monotonic() > ends):
                return
        self.done = True
        yield

    def give_up(self) -> None:
        """Stop what the steps have begun: nobody waits for the rest."""
        if self._left is not None:
            self._left.close()


class _SlicePipeline(Pipeline[Any]):
    """Runs the next slice."""

    def __init__(self, sliced: Sliced, pipeline: AnyPipeline) -> None:
        self.card = pipeline.card
        self._sliced, self._pipeline = sliced, pipeline

    def prepare(self, request: Request) -> Any:
        return self._sliced.begin(self._pipeline, request)

    def size(self, prepared: Any, written: int | None = None) -> TraceSize:
        # Later steps write nothing, so that the run takes no more memory with each of them.
        return self._pipeline.size(prepared, written if self._sliced.writing else None)

    def batch(self, _prepared: Sequence[Any]) -> _Slice:
        return _Slice(self._sliced)


class _Slice:
    """One slice, as a batch of one request."""

    def __init__(self, sliced: Sliced) -> None:
        self._sliced, self._over = sliced, False

    def steps(self) -> Iterator[None]:
        for _ in self._sliced.go_on():
            yield
            if self._over:
                self._sliced.give_up()
                return
        self._over = True
        yield

    def ended(self, _place: int) -> bool:
        return self._over

    def leave_out(self, _place: int) -> None:
        self._over = True

    def progress(self, _place: int) -> Progress:
        raise NotImplementedError("a slice has no output to show")

    def trace(self, _place: int, _between_steps: Between | None = None, /) -> Any:
        """Return nothing: the result is taken from the slices when they are done."""
        return None
