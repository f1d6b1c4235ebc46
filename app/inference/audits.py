"""Audits: one job after another, so that waiting requests run between the slices of each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable
from contextlib import aclosing, suppress
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
from heed.app.inference.single import Checked, SingleInference
from heed.app.inference.turn import Turn
from heed.app.inference.work import WorkBudget, work_bytes
from heed.app.schemas import AuditIn, AuditProgress, CurvesSoFarOut
from heed.app.tasks.audits import choices_of
from heed.app.tasks.derived import Derived
from heed.app.traces.linked import weights_in
from heed.models.audit.choices import AuditChoices
from heed.models.audit.curves import Curves
from heed.models.audit.figure_verdicts import Figure
from heed.models.audit.slices import SlicedAudit
from heed.models.errors import CheckpointError
from heed.models.generation.size import TraceSize
from heed.output.audit_figures import curves_out, figure_out, write_figure_npz

CELL: Final = 40  # bytes of a weight as an object and as JSON


class AuditInput(NamedTuple):
    """The options of an audit, and its file if the task takes one."""

    options: AuditIn
    file: bytes | None
    admit: Count


class _Asked(NamedTuple):
    checked: Checked
    choices: AuditChoices
    key: Hashable
    admit: Count
    on_disconnect: OnDisconnect
    began: float
    store: bool


@dataclass(frozen=True)
class AuditInference:
    """Answers the audits of one task."""

    audit: Derived[AuditIn]
    inference: SingleInference
    turn: Turn
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
        asked = self._asked(given, on_disconnect, media, store=store)
        if (cached := self.inference.cache.get(asked.key)) is not None:
            return CachedAnswer(cached, hit=True)
        return CachedAnswer(await self._audited(asked), hit=False)

    async def events(
        self, given: AuditInput, on_disconnect: OnDisconnect, /, *, store: bool = True
    ) -> AsyncIterator[bytes]:
        """Return the events of one audit. An error before the first event is raised."""
        asked = self._asked(given, on_disconnect, JSON, store=store)
        if (cached := self.inference.cache.get(asked.key)) is not None:
            return _replayed(cached)
        return ending_with_errors(self._stream(asked))

    async def _stream(self, asked: _Asked) -> AsyncGenerator[bytes, None]:
        """Yield the newest progress when the client reads: the audit does not wait for it.

        Others wait for the turn of this audit.
        """
        newest: list[AuditProgress] = []
        progressed = asyncio.Event()

        def note(progress: AuditProgress) -> None:
            newest[:] = [progress]
            progressed.set()

        async def run() -> bytes:
            try:
                return await self._audited(asked, note)
            finally:
                progressed.set()

        running = asyncio.create_task(run())
        try:
            while newest or not running.done():
                await progressed.wait()
                progressed.clear()
                while newest:
                    yield event("progress", newest.pop())
            answer = await running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
        yield event("audit", answer)

    def _asked(
        self, given: AuditInput, on_disconnect: OnDisconnect, media: str, *, store: bool
    ) -> _Asked:
        """Check the fields of a request, or raise a `FieldError`."""
        began = time.monotonic()
        checked = self.inference.checked(self.audit.input(given.options, given.file), media)
        choices = choices_of(given.options)
        key = "audit", checked.key, choices
        return _Asked(checked, choices, key, given.admit, on_disconnect, began, store)

    async def _audited(
        self, asked: _Asked, note: Callable[[AuditProgress], None] = lambda _progress: None
    ) -> bytes:
        """Run slice after slice until the audit is done; return its answer.

        All of it happens within the time of one request: also the file is decoded, and the answer
        written, during the turn, so that nothing large waits for it.
        """
        model, engine = asked.checked.model, self.inference.engine
        async with self.turn.held(asked.began, asked.on_disconnect):
            if (cached := self.inference.cache.get(asked.key)) is not None:
                return cached  # another has asked the same meanwhile
            request = await self.inference.with_content(asked.checked, asked.on_disconnect)
            sliced = SlicedAudit(asked.choices, lambda: engine.waiting > 0)
            run = SlicedRun(model, request, sliced, self._price, asked.began)
            compares = sliced.compares
            async with aclosing(slices(engine, run, asked.admit, asked.on_disconnect)) as parts:
                async for _ in parts:
                    if compares:
                        compares = False
                        await self._keep_trainings(model)
                    part = _part(sliced.so_far)
                    note(AuditProgress(rows=sliced.rows, of=sliced.total, part=part))
            return await self._written(asked, sliced.result)

    def _price(self, size: TraceSize) -> int:
        """Return what a slice reserves: at least what the run of a model takes."""
        return max(self.work.usual_bytes, work_bytes(size, "weights"))

    async def _keep_trainings(self, model: str) -> None:
        """Read the other trainings of a model beside the thread that runs it, before their turn."""
        with suppress(CheckpointError):  # raised again when they are compared
            await asyncio.to_thread(self.inference.models.catalogue.keep_trainings, model)

    async def _written(self, asked: _Asked, figure: Figure) -> bytes:
        """Write the answer of an audit that is done, and keep it for the next request."""
        due = asked.began + self.inference.engine.deadline_seconds
        size = CELL * weights_in([figure.trace.output])
        written = partial(_answer, figure, asked.checked.media)
        answer = await self.work.parse(size, written, due - time.monotonic())
        if asked.store:
            self.inference.cache.put(asked.key, answer)
        return answer


def _answer(figure: Figure, media: str) -> bytes:
    return write_figure_npz(figure) if media == NPZ else to_json(figure_out(figure, __version__))


def _part(so_far: Curves | None) -> CurvesSoFarOut | None:
    """Return what a figure has so far, for those who watch it."""
    return None if so_far is None else CurvesSoFarOut.model_validate(curves_out(so_far))


async def _replayed(content: bytes) -> AsyncIterator[bytes]:
    yield event("audit", content)
