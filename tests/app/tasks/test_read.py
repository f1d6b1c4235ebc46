"""Sentences read word by word over HTTP."""

from __future__ import annotations

import httpx
import numpy as np
import pytest

URL = "/api/v1/read"
SENTENCE = "The keys to the zebra are old."
WORDS = ["The", "keys", "to", "the", "zebra", "are", "old", ".", "</s>"]


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


@pytest.mark.parametrize(
    "text", ["keys", "<script>alert(1)</script>", "🙂 👩‍👩‍👧", "日本語", "a" * 200]
)
def test_odd_input_is_read(client: httpx.Client, text: str) -> None:
    assert client.post(URL, json={"text": text}).json()["text"] == text
