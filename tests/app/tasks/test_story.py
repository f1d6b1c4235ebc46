"""Questions about stories over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

import httpx
import numpy as np
import pytest

URL = "/api/v1/story"
STORY = "Mary went to the kitchen. John picked up the ball. The zebra went to the garden."
BODY = {"story": STORY, "question": "Where is the ball?"}


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
