"""Questions about stories over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

import io
from typing import Any

import httpx
import numpy as np
import pytest

from tests.app.test_errors import error_of
from tests.conftest import Running

URL = "/api/v1/story"
STORY = "Mary went to the kitchen. John picked up the ball. The zebra went to the garden."
BODY = {"story": STORY, "question": "Where is the ball?"}


@pytest.fixture
def client(every: Running) -> httpx.Client:
    """A client of the server that has a model for stories."""
    return every.client


def test_a_question_is_answered(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY).json()
    assert trace["task"] == "story"
    assert trace["request"]["text"] == trace["source"]["text"] == STORY
    assert trace["question"]["text"] == BODY["question"]
    assert trace["source"]["kind"] == "sentences"
    assert [each["text"] for each in trace["source"]["unknown_words"]] == ["zebra"]
    assert trace["target"] == {"kind": "hops", "unit": "hops", "text": trace["text"], "hops": 3}
    [attention] = trace["maps"]
    assert np.array(attention["weights"]).shape == (3, 4)
    assert len(trace["steps"][0]["keys"]) == len(trace["steps"][0]["values"]) == 4


def test_full_vectors_give_the_scores(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY | {"detail": "full"}).json()
    for hop, step in enumerate(trace["steps"]):
        query = np.array(step["query"]["values"])
        scores = [query @ np.array(key["values"]) for key in step["keys"]]
        assert trace["maps"][0]["scores"][hop] == pytest.approx(scores, abs=1e-2)


def test_the_arrays_have_sentences_and_hops(client: httpx.Client) -> None:
    answer = client.post(URL, json=BODY, headers={"Accept": "application/x-npz"})
    with np.load(io.BytesIO(answer.content)) as archive:
        assert archive["weights"].shape == (1, 1, 3, 4)
        assert archive["keys"].shape[:2] == archive["values"].shape[:2] == (3, 4)
        assert archive["target"].tolist() == ["hop 1", "hop 2", "hop 3"]
        assert archive["source"][1] == "Mary went to the kitchen."


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"story": None}, "wrong_type", "story"),
        ({"story": ""}, "empty_story", "story"),
        ({"story": " \n"}, "blank_story", "story"),
        ({"story": "a. " * 7}, "story_too_long", "story"),
        ({"question": ""}, "empty_question", "question"),
        ({"question": "\u200b"}, "blank_question", "question"),
        ({"question": "a " * 8}, "question_too_long", "question"),
    ],
)
def test_an_invalid_field_is_named(
    client: httpx.Client, change: dict[str, Any], code: str, field: str
) -> None:
    assert error_of(client.post(URL, json=BODY | change), 422, code)["field"] == field


# --- saved traces -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change", "field"),
    [
        ("question", None, "question"),
        ("target", {"kind": "hops", "text": "yes", "hops": 2}, "steps"),
        (
            "target",
            {"kind": "tokens", "text": "", "tokens": [], "words": [], "merge": "mean"},
            "target",
        ),
    ],
)
def test_a_story_that_contradicts_itself_is_not_saved(
    client: httpx.Client, name: str, change: object, field: str
) -> None:
    trace = client.post(URL, json=BODY).json()
    trace.pop(name)
    if change:
        trace[name] = change
    answer = client.post("/api/v1/traces", json=trace)
    assert error_of(answer, 422, "invalid_trace")["field"] == field


def test_a_hop_has_a_key_for_every_sentence(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY).json()
    trace["steps"][1]["keys"].pop()
    answer = client.post("/api/v1/traces", json=trace)
    assert error_of(answer, 422, "invalid_trace")["field"] == "steps[1].keys"


# --- the page ---------------------------------------------------------------------------------


def test_a_refused_form_says_why(client: httpx.Client) -> None:
    answer = client.get("/story", params={"story": STORY, "question": " ", "wait": "1"})
    assert answer.status_code == 422
    assert "Write a question first" in answer.text
    assert STORY in answer.text
