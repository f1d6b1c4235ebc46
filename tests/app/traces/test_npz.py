"""Traces as arrays for NumPy."""

from __future__ import annotations

import io
from pathlib import Path

import httpx
import numpy as np
import pytest

URL = "/api/v1/translate"
NPZ = {"Accept": "application/x-npz"}


def arrays(answer: httpx.Response) -> dict[str, np.ndarray]:
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-npz"
    with np.load(io.BytesIO(answer.content)) as archive:
        return dict(archive)


@pytest.mark.parametrize("model", ["en-fr-additive", "en-fr-transformer", "en-fr-none"])
def test_the_arrays_are_those_of_the_json(client: httpx.Client, model: str) -> None:
    body = {"text": "I do not know.", "model": model, "detail": "full"}
    expected = client.post(URL, json=body).json()
    found = arrays(client.post(URL, json=body, headers=NPZ))
    assert str(found["text"]) == expected["text"]
    assert str(found["unit"]) == "tokens"
    pieces = [token["text"] for token in expected["source"]["tokens"]]
    assert [piece.removeprefix("▁") for piece in found["source"]] == pieces
    assert found["source"][0].startswith("▁")
    cross = [each for each in expected["maps"] if each["kind"] == "cross"]
    for each in cross:
        matrix = found["weights"][each["layer"], each["head"]]
        assert matrix == pytest.approx(np.array(each["weights"]), abs=1e-5)
        assert matrix.sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert ("weights" in found) == bool(cross)
    assert ("encoder_self_weights" in found) == (model == "en-fr-transformer")
    states = [step["state"]["values"] for step in expected["steps"]]
    assert found["state"] == pytest.approx(np.array(states), abs=1e-3)
    assert found["probabilities"].shape == found["alternatives"].shape == (len(states), 5)


def test_an_npz_response_can_be_saved_as_a_trace(client: httpx.Client) -> None:
    answer = client.post(URL, json={"text": "the 3rd of may 1979"}, headers=NPZ)
    kept = client.post(
        "/api/v1/traces", content=answer.content, headers={"Content-Type": NPZ["Accept"]}
    )
    assert kept.status_code == 201
    saved = client.get(
        kept.json()["api"] if "api" in kept.json() else kept.headers["location"]
    ).json()
    found = arrays(answer)
    assert np.array(saved["maps"][0]["weights"]) == pytest.approx(found["weights"][0, 0], abs=1e-5)


def test_a_picture_comes_with_its_grid(client: httpx.Client) -> None:
    photo = Path("static/samples/sheep.jpg").read_bytes()
    found = arrays(
        client.post(
            "/api/v1/ask",
            files={"image": photo},
            data={"question": "What colour is it?"},
            headers=NPZ,
        )
    )
    assert found["grid"][:2].tolist() == [14, 14]
    assert found["weights"].shape[2:] == (len(found["target"]), 196)
    assert found["question_weights"].shape[2:] == (len(found["target"]), len(found["question"]))
    hard = client.post(
        "/api/v1/caption",
        files={"image": photo},
        data={"model": "caption-hard", "draws": "5"},
        headers=NPZ,
    )
    assert set(arrays(hard)) >= {"drawn", "gate", "drawn_shares_weights"}
