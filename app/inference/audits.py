"""Audits: one job after another, so that waiting requests run between the slices of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Hashable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from heed import __version__
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.http.media_types import JSON, NPZ
from heed.app.http.sse import event
from heed.app.inference.execution import (
    CachedAnswer,
    Count,
    SlicedRun,
    ending_with_errors,
    slices,
)
from heed.app.inference.inference_thread import too_late
from heed.app.inference.single import SingleInference
from heed.app.inference.work import WorkBudget, work_bytes
from heed.app.schemas import AuditIn, AuditProgress, CurvesSoFarOut
from heed.app.tasks.audits import choices_of
from heed.app.tasks.derived import Derived
from heed.app.traces.linked import weights_in
from heed.models.audit.curves import Curves
from heed.models.audit.figure_verdicts import Figure
from heed.models.audit.slices import SlicedAudit
from heed.models.errors import CheckpointError
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize
from heed.output.audit_figures import curves_out, figure_out, write_figure_npz

CELL: Final = 40  # bytes of a weight as an object and as JSON


class AuditInput(NamedTuple):
    """The options of an audit, and its file if the task takes one."""

    options: AuditIn
    file: bytes | None
    admit: Count


class _Checked(NamedTuple):
    model: str
    request: Request
    key: Hashable
    sliced: SlicedAudit
    began: float


@dataclass(frozen=True)
class AuditInference:
    """Answers the audits of one task."""

    audit: Derived[AuditIn]
    inference: SingleInference
    turn: asyncio.Semaphore
    """Held while an audit runs, so that only one takes memory between its slices: up to 24 MB,
    or the trace of a model of one's own, beside the budget of work. An audit that reserved them
    there would hold them while its slices stand in the line of that budget behind a large request
    that waits for these very bytes."""
    work: WorkBudget
    """Of which a slice reserves what usual requests have while it runs: with 24 MB between slices,
    42 MB were the most of an audit."""

    async def answer(
        self,
        given: AuditInput,
        on_disconnect: OnDisconnect,
        media: str = JSON,
        /,
        *,
        store: bool = True,
    ) -> CachedAnswer:
        """Return the audit of one request, which is cached unless `store` is false."""
        checked = await self._checked(given, on_disconnect, media)
        if (cached := self.inference.cache.get(checked.key)) is not None:
            return CachedAnswer(cached, hit=True)
        async for _ in self._slices(checked, given.admit, on_disconnect):
            pass
        return CachedAnswer(await self._written(checked, media, store=store), hit=False)

    async def events(
        self, given: AuditInput, on_disconnect: OnDisconnect, /, *, store: bool = True
    ) -> AsyncIterator[bytes]:
        """Return the events of one audit. An error before the first event is raised."""
        checked = await self._checked(given, on_disconnect, JSON)
        if (cached := self.inference.cache.get(checked.key)) is not None:
            return _replayed(cached)
        events = self._stream(checked, given.admit, on_disconnect, store=store)
        return ending_with_errors(events)

    async def _stream(
        self, checked: _Checked, count: Count, on_disconnect: OnDisconnect, *, store: bool
    ) -> AsyncGenerator[bytes, None]:
        """Yield the newest progress when the client reads: the audit does not wait for it.

        Others wait for the turn of this audit.
        """
        newest: list[AuditProgress] = []
        progressed = asyncio.Event()

        async def run() -> None:
            try:
                async for progress in self._slices(checked, count, on_disconnect):
                    newest[:] = [progress]
                    progressed.set()
            finally:
                progressed.set()

        running = asyncio.create_task(run())
        try:
            while newest or not running.done():
                await progressed.wait()
                progressed.clear()
                while newest:
                    yield event("progress", newest.pop())
            await running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        yield event("audit", await self._written(checked, JSON, store=store))

    async def _checked(
        self, given: AuditInput, on_disconnect: OnDisconnect, media: str
    ) -> _Checked:
        """Check the fields of a request and decode its file, or raise a `FieldError`."""
        began, engine = time.monotonic(), self.inference.engine
        checked = self.inference.checked(self.audit.input(given.options, given.file))
        choices = choices_of(given.options)
        sliced = SlicedAudit(choices, lambda: engine.waiting > 0)
        request = await self.inference.with_content(checked, on_disconnect)
        key = "audit", checked.key, choices, media
        return _Checked(checked.model, request, key, sliced, began)

    async def _slices(
        self, checked: _Checked, count: Count, on_disconnect: OnDisconnect
    ) -> AsyncGenerator[AuditProgress, None]:
        """Run slice after slice until the audit is done, within the time of one request."""
        model, request, _, sliced, began = checked
        run = SlicedRun(model, request, sliced, self._price, began)
        parts = slices(self.inference.engine, run, count, on_disconnect)
        compares = sliced.compares
        async with self._turn(began), aclosing(parts):
            async for _ in parts:
                if compares:
                    compares = False
                    await self._keep_trainings(model)
                yield AuditProgress(rows=sliced.rows, of=sliced.total, part=_part(sliced.so_far))

    def _price(self, size: TraceSize) -> int:
        """Return what a slice reserves: at least what the run of a model takes."""
        return max(self.work.usual_bytes, work_bytes(size, "weights"))

    async def _keep_trainings(self, model: str) -> None:
        """Read the other trainings of a model beside the thread that runs it, before their turn."""
        with suppress(CheckpointError):  # raised again when they are compared
            await asyncio.to_thread(self.inference.models.catalogue.keep_trainings, model)

    @asynccontextmanager
    async def _turn(self, began: float) -> AsyncIterator[None]:
        """Hold the turn of one audit; raise an error if it does not come before the deadline."""
        seconds = self.inference.engine.deadline_seconds
        try:
            async with asyncio.timeout(began + seconds - time.monotonic()):
                await self.turn.acquire()
        except TimeoutError:
            raise too_late(seconds) from None
        try:
            yield
        finally:
            self.turn.release()

    async def _written(self, checked: _Checked, media: str, *, store: bool) -> bytes:
        """Write the answer of an audit that is done, and keep it for the next request."""
        figure, due = checked.sliced.result, checked.began + self.inference.engine.deadline_seconds
        size = CELL * weights_in([figure.trace.output])
        written = partial(_answer, figure, media)
        answer = await self.work.parse(size, written, due - time.monotonic())
        if store:
            self.inference.cache.put(checked.key, answer)
        return answer


def _answer(figure: Figure, media: str) -> bytes:
    return write_figure_npz(figure) if media == NPZ else to_json(figure_out(figure, __version__))


def _part(so_far: Curves | None) -> CurvesSoFarOut | None:
    """Return what a figure has so far, for those who watch it."""
    return None if so_far is None else CurvesSoFarOut.model_validate(curves_out(so_far))


async def _replayed(content: bytes) -> AsyncIterator[bytes]:
    yield event("audit", content)
