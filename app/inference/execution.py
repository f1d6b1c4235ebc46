"""One job, answered as a whole or as a stream of events."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Hashable,
    Sequence,
)
from contextlib import aclosing
from functools import partial
from typing import Final, NamedTuple

from heed.app.errors import FieldError, HeedError, log_internal_error
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.media_types import JSON, NPZ
from heed.app.http.sse import event
from heed.app.inference.engine import Engine
from heed.app.inference.event_source import EventSource, LeavesOut
from heed.app.inference.jobs import AbandonedError, Answer, Job
from heed.app.inference.work import Price, work_bytes
from heed.app.schemas import Detail
from heed.models.generation.requests import Request
from heed.models.generation.sliced import Sliced
from heed.models.trace import Trace
from heed.output.encoding import encoded
from heed.output.npz import write_npz
from heed.output.serialize import deferred_trace_out

ROWS_OF_A_CALL: Final = 1_000
"""Forced steps that count as one call against the rate limit."""

Keep = Callable[[Hashable, bytes], object]
"""Adds an answer to the cache."""
Count = Callable[[int], Awaitable[None]]
"""Counts a request as so many calls, or raises `rate_limited`."""


def trace_job(model: str, requests: Sequence[Request], detail: Detail, media: str = JSON) -> Job:
    """Return a job whose answers are traces of this media type."""
    return Job(model, requests, renderer(detail, media), price(detail, media))


def price(detail: Detail, media: str = JSON, *, linked: bool = False) -> Price:
    """Return what estimates the memory of a request whose answer is of this kind."""
    return partial(work_bytes, detail=detail, media=media, linked=linked)


def renderer(detail: Detail, media: str = JSON) -> Callable[[Trace], bytes]:
    """Return what turns a trace into an answer of this media type."""
    return write_npz if media == NPZ else partial(trace_bytes, detail=detail)


class CachedAnswer(NamedTuple):
    """An answer, and whether it came from the cache."""

    content: bytes
    hit: bool


async def complete(
    engine: Engine, job: Job, on_disconnect: OnDisconnect, keep: Keep, key: Hashable
) -> CachedAnswer:
    """Run a job with one request, and cache its answer under this key."""
    engine.submit(job)
    content = _only(await engine.answers(job, on_disconnect))
    keep(key, content)
    return CachedAnswer(content, hit=False)


class SlicedRun(NamedTuple):
    """Work in slices about one request, with the price of each slice."""

    model: str
    request: Request
    sliced: Sliced
    price: Price
    began: float


async def slices(
    engine: Engine, run: SlicedRun, count: Count, on_disconnect: OnDisconnect
) -> AsyncGenerator[None, None]:
    """Run slice after slice until all is done, within the time of one request; yields after each.

    It is counted by its cost once the first slice knows that.
    """
    counted = False
    while not run.sliced.done:
        job = Job(
            run.model,
            [run.request],
            lambda _trace: b"",
            through=run.sliced.through,
            price=run.price,
            began=run.began,
            keeps_place=counted,
        )
        engine.submit(job)
        _only(await engine.answers(job, on_disconnect))
        if not counted:
            counted = True
            await count(-(-run.sliced.total // ROWS_OF_A_CALL))
        yield


async def stream(
    engine: Engine,
    job: Job,
    detail: Detail,
    on_disconnect: OnDisconnect,
    keep: Keep,
    key: Hashable,
    leaves_out: LeavesOut = lambda _output: False,
) -> AsyncGenerator[bytes, None]:
    """Run a job with one request and yield its events.

    Outputs that `leaves_out` names have no event of their own.
    """
    source = EventSource(detail, leaves_out)
    job.on_start, job.on_progress = source.started, source.progressed
    engine.submit(job)
    answers = asyncio.ensure_future(engine.answers(job, on_disconnect))
    answers.add_done_callback(lambda _: source.end())
    try:
        async for piece in source:
            yield piece
        content = _only(await answers)
        keep(key, content)
        yield event("trace", content)
    finally:
        answers.cancel()


async def ending_with_errors(events: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """Yield events. An error before the first one is raised, a later one is the last event."""
    begun = False
    async with aclosing(events):
        try:
            async for piece in events:
                begun = True
                yield piece
        except AbandonedError:
            raise
        except Exception as error:
            if not begun:
                raise
            if not isinstance(error, HeedError):
                error = log_internal_error(error, "a stream")
            yield event("error", error.out())


async def replay(content: bytes) -> AsyncIterator[bytes]:
    """Yield the events of a cached trace: only the last one."""
    yield event("trace", content)


def trace_bytes(trace: Trace, detail: Detail) -> bytes:
    """Return the JSON of a trace as the API gives it."""
    return encoded(deferred_trace_out(trace, detail))


def _only(answers: list[Answer]) -> bytes:
    (answer,) = answers
    if isinstance(answer, FieldError):
        raise answer
    return answer
