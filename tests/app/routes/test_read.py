"""Sentences read word by word over HTTP."""

from __future__ import annotations

import io
from typing import Any

import httpx
import numpy as np
import pytest

from tests.app.http.test_sse import events
from tests.app.test_errors import error_of
from tests.conftest import Running

URL = "/api/v1/read"
SENTENCE = "The keys to the zebra are old."
WORDS = ["The", "keys", "to", "the", "zebra", "are", "old", ".", "</s>"]


@pytest.fixture
def client(word_reading: Running) -> httpx.Client:
    """A client of the server that has a model which reads word by word."""
    return word_reading.client


def test_a_sentence_is_read(client: httpx.Client) -> None:
    trace = client.post(URL, json={"text": SENTENCE}).json()
    assert trace["task"] == "read"
    assert trace["text"] == trace["source"]["text"] == SENTENCE
    assert [token["text"] for token in trace["target"]["tokens"]] == WORDS
    assert trace["source"]["rare_words"] == [4]
    [attention] = trace["maps"]
    assert (attention["query"], attention["key"]) == ("target", "decoder_input")
    assert np.array(attention["weights"]).sum(axis=1) == pytest.approx(np.ones(9), abs=1e-3)
    assert len(trace["steps"][5]["alternatives"]) == 5


def test_a_step_has_the_vectors_of_the_tape(client: httpx.Client) -> None:
    trace = client.post(URL, json={"text": SENTENCE}).json()
    [attention] = trace["maps"]
    assert [len(attention[name]) for name in ("queries", "keys", "values")] == [9, 9, 9]
    step = trace["steps"][5]
    assert step["cell"]["size"] == step["cell_context"]["size"] == step["state"]["size"]
    assert [len(gate["summary"]) for gate in step["gates"]] == [8, 8, 8]


def test_a_trace_of_before_without_these_vectors_is_saved(client: httpx.Client) -> None:
    trace = client.post(URL, json={"text": SENTENCE}).json()
    for step in trace["steps"]:
        for name in ("cell", "cell_context", "gates"):
            del step[name]
    for name in ("queries", "keys", "values"):
        del trace["maps"][0][name]
    saved = client.post("/api/v1/traces", json=trace).json()
    assert client.get(f"/api/v1/traces/{saved['id']}").json() == trace


def test_less_detail_leaves_the_vectors_out(client: httpx.Client) -> None:
    body = {"text": SENTENCE, "detail": "weights"}
    [step, *_] = client.post(URL, json=body).json()["steps"]
    assert set(step) == {"probability", "surprise", "alternatives"}


def test_the_words_are_streamed(client: httpx.Client) -> None:
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", URL, json={"text": SENTENCE}, headers=headers) as answer:
        found = list(events(answer.iter_lines()))
    assert [name for name, _ in found] == ["start", *["step"] * 9, "trace"]
    assert [len(event["target"]["tokens"]) for _, event in found[1:10]] == list(range(1, 10))


def test_the_arrays_have_the_words(client: httpx.Client) -> None:
    headers = {"Accept": "application/x-npz"}
    answer = client.post(URL, json={"text": SENTENCE}, headers=headers)
    with np.load(io.BytesIO(answer.content)) as archive:
        assert [name.lstrip("▁") for name in archive["target"].tolist()] == WORDS
        assert any(archive[name].shape[-2:] == (9, 9) for name in archive.files)


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"text": None}, "wrong_type", "text"),
        ({"text": ""}, "empty_text", "text"),
        ({"text": " \n"}, "blank_text", "text"),
        ({"text": "a " * 13}, "text_too_long", "text"),
        ({"text": "keys " * 300}, "text_too_long", "text"),
        ({"model": "dates-additive"}, "wrong_task", "model"),
        ({"search": {}}, "unknown_field", "search"),
    ],
)
def test_an_invalid_field_is_named(
    client: httpx.Client, change: dict[str, Any], code: str, field: str
) -> None:
    answer = client.post(URL, json={"text": SENTENCE} | change)
    assert error_of(answer, 422, code)["field"] == field


@pytest.mark.parametrize("text", ["keys", "<script>alert(1)</script>", "🙂 👩‍👩‍👧", "日本語"])
def test_odd_input_is_read(client: httpx.Client, text: str) -> None:
    assert client.post(URL, json={"text": text}).json()["text"] == text


def test_a_translator_does_not_read_word_by_word(client: httpx.Client) -> None:
    answer = client.post("/api/v1/translate", json={"text": "may", "model": "reader"})
    assert "/api/v1/read" in error_of(answer, 422, "wrong_task")["message"]


def test_a_trace_is_saved_and_found(client: httpx.Client) -> None:
    trace = client.post(URL, json={"text": SENTENCE}).json()
    saved = client.post("/api/v1/traces", json=trace).json()
    assert client.get(f"/api/v1/traces/{saved['id']}").json() == trace
    assert client.get(f"{saved['url']}/preview.png").content.startswith(b"\x89PNG")
    page = client.get(saved["url"])
    assert page.status_code == 200
    assert "⟨start⟩" in page.text
    assert "read_page" in page.text


def test_the_page_has_the_trace_of_its_sentence(client: httpx.Client) -> None:
    page = client.get("/read", params={"text": SENTENCE}).text
    assert "⟨start⟩" in page
    assert f'value="{SENTENCE}"' not in page
    picture = client.get("/read/preview.png", params={"text": SENTENCE})
    assert picture.content.startswith(b"\x89PNG")
    assert client.get("/read/preview.png").content.startswith(b"\x89PNG")
    assert "/read" in client.get("/other").text
    refused = client.get("/read", params={"text": "", "wait": "1"})
    assert refused.status_code == 422
