"""Questions about pictures over HTTP."""

from __future__ import annotations

import httpx
import pytest

from tests.app.http.test_sse import events
from tests.app.routes.test_caption import PHOTO, STREAM, post
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


def test_a_question_is_answered_under_edits_of_both_maps(client: httpx.Client) -> None:
    edits = [
        {"op": "only", "box": [0, 0, 60, 50]},
        {"op": "set", "axis": "question", "words": "colour", "weight": 0.9, "queries": 0},
    ]
    answer = post(client, url=URL, question=QUESTION, target="red", edits=edits)
    assert answer.status_code == 200, answer.text
    trace = answer.json()
    assert trace["request"]["edits"] == edits
    of_cells, of_question = trace["maps"]
    for row in of_cells["weights"]:
        assert sum(row[cell] for cell in range(98) if cell % 14 < 3) == pytest.approx(1, abs=1e-3)
    read = zip(of_question["weights"][0], trace["question"]["tokens"], strict=True)
    assert sum(each for each, token in read if token["word"] == 1) == pytest.approx(0.9, abs=1e-3)
    assert trace["baseline"]["text"]
