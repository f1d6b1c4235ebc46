"""One job, answered whole or as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any

from app.engine import Engine
from app.errors import FieldError, HeedError, defect
from app.events import EventSource, event, to_json
from app.jobs import AbandonedError, Answer, Job
from app.schemas import Detail
from app.wire import trace_out
from models.trace import Trace

Gone = Callable[[], Awaitable[None]]
"""Gives something to wait for that is done when the client has left."""


def job_of(model: str, asks: list[Any], detail: Detail) -> Job:
    """A job whose answers are traces as the API gives them."""
    return Job(model, asks, partial(trace_bytes, detail=detail))


async def whole(engine: Engine, job: Job, gone: Gone) -> bytes:
    """The trace of the one ask of a job."""
    engine.submit(job)
    return _only(await engine.answers(job, gone()))


async def grown(engine: Engine, job: Job, detail: Detail, gone: Gone) -> AsyncIterator[bytes]:
    """The trace of the one ask of a job as it grows. What fails before the first is raised."""
    source = EventSource(detail)
    job.on_start, job.on_progress = source.started, source.progressed
    engine.submit(job)
    answers = asyncio.ensure_future(engine.answers(job, gone()))
    answers.add_done_callback(lambda _: source.end())
    begun = False
    try:
        async for piece in source:
            begun = True
            yield piece
        yield event("trace", _only(await answers))
    except HeedError as error:
        if not begun:
            raise
        yield event("error", error.out())
    except AbandonedError:
        raise
    except Exception as error:
        if not begun:
            raise
        yield event("error", defect(error, "a stream").out())
    finally:
        answers.cancel()


def trace_bytes(trace: Trace, detail: Detail) -> bytes:
    """The trace as the API gives it."""
    return to_json(trace_out(trace, detail))


def _only(answers: list[Answer]) -> bytes:
    (answer,) = answers
    if isinstance(answer, FieldError):
        raise answer
    return answer
