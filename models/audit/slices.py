"""An audit in slices: each is a run of its own for those who run it, so that others run between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from heed.models.audit.choices import AuditChoices
from heed.models.audit.figures import run_of
from heed.models.audit.run import FigureRun
from heed.models.errors import InputError
from heed.models.generation.protocol import (
    AnyPipeline,
    Auditable,
    Between,
    Pipeline,
    Progress,
)
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize

SLICE_SECONDS: Final = 0.25


class SlicedAudit:
    """An audit that goes on where its last slice ended.

    `waits` returns true while others wait: then a slice ends after one batch.
    """

    def __init__(self, choices: AuditChoices, waits: Callable[[], bool] = lambda: False) -> None:
        self._choices, self._waits = choices, waits
        self._run: FigureRun[Any, Any] | None = None
        self._prepared: Any = None
        self._steps: Iterator[None] = iter(())
        self.done = False

    @property
    def rows(self) -> int:
        """The forced steps that were run."""
        return 0 if self._run is None else self._run.rows

    @property
    def total(self) -> int:
        """The forced steps that it is expected to run in all."""
        return 0 if self._run is None else max(self._run.total, self._run.rows)

    @property
    def result(self) -> Any:
        """The figure of the choices, which must have ended."""
        if self._run is None:
            raise ValueError("the audit has not begun")
        return self._run.result

    @property
    def so_far(self) -> Any:
        """The part of the figure that is done; None where no part says something."""
        return None if self._run is None else self._run.so_far

    def through(self, pipeline: AnyPipeline) -> AnyPipeline:
        """Return the pipeline that runs its next slice, or raise `InputError`."""
        if not isinstance(pipeline, Auditable):
            message = f"The attention of {pipeline.card.id} cannot be audited: it cannot be edited."
            raise InputError("edits_not_supported", message, "model")
        return _SlicePipeline(self, pipeline, pipeline)

    def begin(self, pipeline: Auditable, request: Request) -> Any:
        """Prepare the request, with the first slice."""
        if self._run is None:
            audited, self._prepared = pipeline.audited(request)
            self._run = run_of(audited, self._prepared, self._choices)
            self._steps = self._run.steps()
        return self._prepared

    def go_on(self) -> Iterator[None]:
        """Run batches until the slice is over, which is not before the output is written."""
        ends = time.monotonic() + SLICE_SECONDS
        for _ in self._steps:
            yield
            written = self._run is not None and self._run.written
            if written and (self._waits() or time.monotonic() > ends):
                return
        self.done = True
        yield


class _SlicePipeline(Pipeline[Any]):
    """Runs the next slice of an audit."""

    def __init__(self, sliced: SlicedAudit, pipeline: AnyPipeline, audited: Auditable) -> None:
        self.card = pipeline.card
        self._sliced, self._pipeline, self._audited = sliced, pipeline, audited

    def prepare(self, request: Request) -> Any:
        return self._sliced.begin(self._audited, request)

    def size(self, prepared: Any, written: int | None = None) -> TraceSize:
        return self._pipeline.size(prepared, written)

    def batch(self, _prepared: Sequence[Any]) -> _Slice:
        return _Slice(self._sliced)


class _Slice:
    """One slice, as a batch of one request."""

    def __init__(self, sliced: SlicedAudit) -> None:
        self._sliced, self._over = sliced, False

    def steps(self) -> Iterator[None]:
        yield from self._sliced.go_on()
        self._over = True
        yield

    def ended(self, _place: int) -> bool:
        return self._over

    def leave_out(self, _place: int) -> None:
        self._over = True

    def progress(self, _place: int) -> Progress:
        raise NotImplementedError("a slice has no output to show")

    def trace(self, _place: int, _between_steps: Between | None = None, /) -> Any:
        """Return nothing: the audit is taken from its slices when it is done."""
        return None
