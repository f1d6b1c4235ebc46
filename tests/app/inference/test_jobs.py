"""A job calls back once, whatever happens first, from any thread."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from fastapi import Request

from heed.app.errors import FieldError
from heed.app.http.disconnect import on_disconnect
from heed.app.inference.jobs import Answer, Job, JobQueue
from heed.models.edits.operations import Uniform
from heed.models.generation.translator import TextRequest
from heed.models.trace import Trace


def job(requests: int = 1) -> Job:
    def never(_trace: Trace) -> bytes:
        raise AssertionError

    return Job("any", [TextRequest("text")] * requests, never)


def test_a_job_is_over_with_its_last_answer() -> None:
    calls: list[bool] = []
    two = job(2)
    two.when_over(lambda: calls.append(two.over))
    bad = FieldError("empty_text", "", "text")
    two.settle(1, bad)
    assert two.wanted
    assert not calls
    two.settle(0, b"good")
    assert calls == [True]
    answers: list[Answer] = [b"good", bad]
    assert two.answers() == answers


def test_others_pass_a_job_with_edits_twice() -> None:
    queue, plain = JobQueue(9), [job() for _ in range(4)]
    edited = job()
    edited.requests = [TextRequest("text", edits=(Uniform(),))]
    for one in (edited, *plain):
        assert queue.put(one) is None
    assert [queue.take() for _ in range(5)] == [*plain[:2], edited, *plain[2:]]


def test_only_the_first_result_of_a_job_counts() -> None:
    calls: list[str] = []
    failed = job()
    failed.when_over(lambda: calls.append("over"))
    failed.fail(ValueError("first"))
    failed.fail(ValueError("second"))
    failed.settle(0, b"too late")
    assert calls == ["over"]
    with pytest.raises(ValueError, match="first"):
        failed.answers()
    assert not failed.wanted


def test_a_callback_added_to_a_finished_job_is_called_at_once() -> None:
    calls: list[str] = []
    done = job()
    done.settle(0, b"")
    done.when_over(lambda: calls.append("over"))
    assert calls == ["over"]


def test_an_abandoned_job_is_not_wanted() -> None:
    left = job()
    left.abandoned = True
    assert not left.wanted


def test_yielding_the_thread_returns_whether_or_not_jobs_wait() -> None:
    queue = JobQueue(2)
    queue.yield_thread()
    queue.put(job())
    queue.yield_thread()
    assert queue.take() is not None
    queue.close()
    queue.yield_thread()


def test_without_the_server_extension_a_disconnect_message_calls_back() -> None:
    async def run() -> list[str]:
        messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        calls: list[str] = []
        request = Request({"type": "http"}, cast(Any, messages.get))
        stay = on_disconnect(request)(lambda: calls.append("one"))
        on_disconnect(Request({"type": "http"}, cast(Any, messages.get)))(
            lambda: calls.append("two")
        )
        stay()
        messages.put_nowait({"type": "http.request"})
        messages.put_nowait({"type": "http.disconnect"})
        await asyncio.sleep(0)
        while not calls:
            await asyncio.sleep(0)
        return calls

    assert asyncio.run(run()) == ["two"]


def of(client: str, **fields: bool) -> Job:
    one = job()
    one.client = client
    for name, value in fields.items():
        setattr(one, name, value)
    return one


def test_clients_take_turns_in_the_queue() -> None:
    queue, many, few = JobQueue(9), [of("many") for _ in range(3)], of("few")
    for one in (*many, few):
        queue.put(one)
    assert queue.ahead("few") == 3
    assert queue.ahead("new") == 2
    assert [queue.take() for _ in range(4)] == [many[0], few, *many[1:]]


def test_a_client_with_many_jobs_leaves_the_last_place_of_a_full_queue_to_another() -> None:
    queue, many, few = JobQueue(3), [of("many") for _ in range(3)], [of("few"), of("few")]
    for one in many:
        assert queue.put(one) is None
    assert not queue.has_room("many")
    assert queue.put(more := of("many")) is more
    assert queue.has_room("few")
    assert queue.put(few[0]) is many[2]
    assert not queue.has_room("few")
    assert queue.put(few[1]) is few[1]


def test_work_that_goes_on_finds_its_place_in_a_full_queue_and_loses_it_to_nobody() -> None:
    queue, going_on = JobQueue(2), [of("many", keeps_place=True) for _ in range(3)]
    for one in going_on:
        assert queue.put(one) is None
    assert len(queue) == 3
    few = of("few")
    assert queue.put(few) is few
