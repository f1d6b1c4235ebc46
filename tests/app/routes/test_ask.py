"""Questions about pictures over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.http.test_sse import events
from tests.app.routes.test_caption import PHOTO, STREAM, post
from tests.app.test_errors import error_of
from tests.conftest import Running

URL = "/api/v1/ask"
QUESTION = "what colour is it?"


@pytest.fixture
def client(seeing: Running) -> httpx.Client:
    """A client of the server that has a model that answers."""
    return seeing.client


def test_a_question_is_answered(client: httpx.Client) -> None:
    trace = post(client, url=URL, question=QUESTION).json()
    assert trace["task"] == "ask"
    assert trace["request"]["text"] == trace["question"]["text"] == QUESTION
    assert trace["source"]["kind"] == "grid"
    assert trace["question"]["tokens"]


def test_the_question_is_part_of_the_first_event(client: httpx.Client) -> None:
    files, data = {"image": PHOTO}, {"question": QUESTION}
    with client.stream("POST", URL, files=files, data=data, headers=STREAM) as answer:
        name, start = next(events(answer.iter_lines()))
    assert name == "start"
    assert start["question"]["text"] == QUESTION


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({}, "missing_field", "question"),
        ({"question": ""}, "empty_question", "question"),
        ({"question": "\u200b"}, "blank_question", "question"),
        ({"question": "a" * 41}, "question_too_long", "question"),
        ({"question": QUESTION, "model": "caption-soft"}, "wrong_task", "model"),
        ({"question": QUESTION, "text": "a"}, "unknown_field", "text"),
        ({"question": QUESTION, "draws": "2"}, "draws_unsupported", "draws"),
    ],
)
def test_an_invalid_field_is_named(
    client: httpx.Client, fields: dict[str, Any], code: str, field: str
) -> None:
    assert error_of(post(client, url=URL, **fields), 422, code)["field"] == field
