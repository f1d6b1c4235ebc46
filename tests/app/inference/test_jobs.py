"""A job and whoever waits for it: told once, whatever happens first, from whatever thread."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from fastapi import Request

from heed.app.errors import FieldError
from heed.app.http.disconnect import on_disconnect
from heed.app.inference.jobs import Answer, Job, JobQueue
from heed.models.generation.translator import TextRequest
from heed.models.trace import Trace


def job(requests: int = 1) -> Job:
    def never(_trace: Trace) -> bytes:
        raise AssertionError

    return Job("any", [TextRequest("text")] * requests, never)


def test_it_is_over_with_the_last_answer() -> None:
    told: list[bool] = []
    two = job(2)
    two.when_over(lambda: told.append(two.over))
    bad = FieldError("empty_text", "", "text")
    two.settle(1, bad)
    assert two.wanted
    assert not told
    two.settle(0, b"good")
    assert told == [True]
    answers: list[Answer] = [b"good", bad]
    assert two.answers() == answers


def test_what_comes_first_counts() -> None:
    told: list[str] = []
    failed = job()
    failed.when_over(lambda: told.append("over"))
    failed.fail(ValueError("first"))
    failed.fail(ValueError("second"))
    failed.settle(0, b"too late")
    assert told == ["over"]
    with pytest.raises(ValueError, match="first"):
        failed.answers()
    assert not failed.wanted


def test_whoever_asks_late_is_told_at_once() -> None:
    told: list[str] = []
    done = job()
    done.settle(0, b"")
    done.when_over(lambda: told.append("over"))
    assert told == ["over"]


def test_nobody_wants_what_was_given_up() -> None:
    left = job()
    left.abandoned = True
    assert not left.wanted


def test_a_breath_is_short_and_none_if_there_is_work() -> None:
    queue = JobQueue(2)
    queue.yield_thread()
    queue.put(job())
    queue.yield_thread()
    assert queue.take() is not None
    queue.close()
    queue.yield_thread()


def test_where_no_connection_tells_it_messages_do() -> None:
    async def run() -> list[str]:
        messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        told: list[str] = []
        request = Request({"type": "http"}, cast(Any, messages.get))
        stay = on_disconnect(request)(lambda: told.append("one"))
        on_disconnect(Request({"type": "http"}, cast(Any, messages.get)))(
            lambda: told.append("two")
        )
        stay()
        messages.put_nowait({"type": "http.request"})
        messages.put_nowait({"type": "http.disconnect"})
        await asyncio.sleep(0)
        while not told:
            await asyncio.sleep(0)
        return told

    assert asyncio.run(run()) == ["two"]
