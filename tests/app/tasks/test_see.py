"""Patches over HTTP: traces, arrays, and invalid uploads."""

from __future__ import annotations

from typing import Any

import httpx
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from tests.app.routes.test_caption import post
from tests.models.drawn import quarters, saved

URL = "/api/v1/see"


def seen(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    answer = post(client, url=URL, **fields)
    assert answer.status_code == 200, answer.text
    trace: dict[str, Any] = answer.json()
    return trace


def test_a_picture_becomes_a_trace(client: httpx.Client) -> None:
    trace = seen(client)
    assert trace["model"]["id"] == "vit"
    assert trace["task"] == "see"
    assert trace["source"]["marks"] == ["[CLS]"]
    assert [each["kind"] for each in trace["maps"]] == ["encoder-self"] * 6 + ["rollout"]
    assert len(trace["positions"]) == 197
    (step,) = trace["steps"]
    assert step["alternatives"][0]["text"] == trace["text"]


def test_one_head_comes_with_its_vectors(client: httpx.Client) -> None:
    trace = seen(client, layer="2", head="1")
    schema = client.get("/api/v1/schema/trace").json()
    Draft202012Validator(schema).validate(trace)
    found, _ = trace["maps"]
    assert (found["layer"], found["head"]) == (2, 1)
    assert [len(found[name]) for name in ("scores", "queries", "keys", "values")] == [197] * 4
    assert len(found["states"]) == 197
    assert "positions" not in trace
    whole = seen(client)["maps"][5]
    assert found["weights"] == whole["weights"]
    whole_trace = seen(client)
    whole_trace["maps"][5] = found
    saved_as = client.post("/api/v1/traces", json=whole_trace)
    assert saved_as.status_code == 201, saved_as.text


@pytest.mark.parametrize(
    "picture",
    [
        Image.new("RGB", (224, 224), "#123456"),
        Image.new("RGB", (1, 1), "white"),
        Image.new("RGBA", (60, 40), (255, 0, 0, 0)),
        Image.new("L", (4000, 3000), 9),
    ],
    ids=["of one colour", "of one pixel", "transparent", "huge"],
)
def test_an_odd_picture_is_seen(client: httpx.Client, picture: Image.Image) -> None:
    trace = seen(client, image=saved(picture, "PNG"))
    assert np.isfinite(trace["maps"][-1]["weights"]).all()
    assert (trace["picture"]["width"], trace["picture"]["height"]) == picture.size


def test_a_rotated_photo_is_seen_as_people_see_it(client: httpx.Client) -> None:
    exif = Image.Exif()
    exif[274] = 6
    trace = seen(client, image=saved(quarters(300, 100), "JPEG", exif=exif))
    assert (trace["source"]["width"], trace["source"]["height"]) == (100, 300)
