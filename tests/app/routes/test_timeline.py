"""The timeline of a translation over HTTP."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from heed.app.schemas import TimelineOut
from tests.conftest import HeldTranslator

URL = "/api/v1/translate/timeline"
REQUEST = {"text": "The dog sleeps.", "model": "en-fr-additive"}


def test_a_timeline_has_the_operations_of_one_run(client: httpx.Client) -> None:
    answer = client.post(URL, json=REQUEST)
    assert answer.status_code == 200, answer.text
    timeline = TimelineOut.model_validate(answer.json())
    assert timeline.text == "Le chien dort."
    kinds = [operation.kind for operation in timeline.operations]
    assert kinds.count("forwards") == len(timeline.read)
    assert kinds.count("output") == len(timeline.written)
    assert timeline.operations[0].start == 0
    assert all(operation.start <= operation.end for operation in timeline.operations)
    assert max(operation.end for operation in timeline.operations) <= timeline.milliseconds


def test_a_text_is_bounded_and_must_be_one_that_the_model_reads(client: httpx.Client) -> None:
    for body, code in (
        ({**REQUEST, "text": "a" * 301}, "text_too_long"),
        ({**REQUEST, "text": " "}, "blank_text"),
        ({**REQUEST, "model": "read-lstmn"}, "wrong_task"),
        ({**REQUEST, "search": {}}, "unknown_field"),
    ):
        answer = client.post(URL, json=body)
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == code


def test_a_model_of_another_library_has_no_timeline(served: Callable, held: HeldTranslator) -> None:
    with served() as server:
        answer = server.client.post(URL, json={"text": "may 3, 1979"})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("wrong_task", "model")
    assert not held.texts
