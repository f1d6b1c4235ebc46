"""One job, answered whole or as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from functools import partial
from typing import Any, NamedTuple

from heed.app.errors import FieldError, HeedError, log_internal_error
from heed.app.http.negotiation import JSON, NPZ
from heed.app.http.sse import event, to_json
from heed.app.inference.cache import Cache
from heed.app.inference.engine import Engine, Gone
from heed.app.inference.event_source import EventSource
from heed.app.inference.jobs import AbandonedError, Answer, Job
from heed.app.schemas import Detail
from heed.app.traces.npz import write_npz
from heed.app.traces.serialize import trace_out
from heed.models.trace import Trace


def job_of(model: str, asks: list[Any], detail: Detail, form: str = JSON) -> Job:
    """A job whose answers are traces as the API gives them."""
    render = write_npz if form == NPZ else partial(trace_bytes, detail=detail)
    return Job(model, asks, render)


class CachedAnswer(NamedTuple):
    """An answer, and whether it was known before."""

    content: bytes
    hit: bool


async def whole(engine: Engine, job: Job, gone: Gone, cache: Cache, key: Hashable) -> CachedAnswer:
    """The trace of the one ask of a job, which is kept under this key."""
    engine.submit(job)
    content = _only(await engine.answers(job, gone))
    cache.put(key, content)
    return CachedAnswer(content, hit=False)


async def grown(
    engine: Engine, job: Job, detail: Detail, gone: Gone, cache: Cache, key: Hashable
) -> AsyncIterator[bytes]:
    """The trace of the one ask of a job as it grows. What fails before the first is raised."""
    source = EventSource(detail)
    job.on_start, job.on_progress = source.started, source.progressed
    engine.submit(job)
    answers = asyncio.ensure_future(engine.answers(job, gone))
    answers.add_done_callback(lambda _: source.end())
    begun = False
    try:
        async for piece in source:
            begun = True
            yield piece
        content = _only(await answers)
        cache.put(key, content)
        yield event("trace", content)
    except HeedError as error:
        if not begun:
            raise
        yield event("error", error.out())
    except AbandonedError:
        raise
    except Exception as error:
        if not begun:
            raise
        yield event("error", log_internal_error(error, "a stream").out())
    finally:
        answers.cancel()


async def kept(content: bytes) -> AsyncIterator[bytes]:
    """A trace that is known already: its only event is the last."""
    yield event("trace", content)


def trace_bytes(trace: Trace, detail: Detail) -> bytes:
    """Return the JSON of a trace as the API gives it."""
    return to_json(trace_out(trace, detail))


def _only(answers: list[Answer]) -> bytes:
    (answer,) = answers
    if isinstance(answer, FieldError):
        raise answer
    return answer
