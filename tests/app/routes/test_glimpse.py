"""Digits read in glimpses over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from heed.app.inference import pictures
from heed.app.settings import Settings
from heed.models.pictures.decode import Picture
from tests.app.test_errors import error_of
from tests.conftest import Running, running
from tests.models.tiny import GLIMPSE, png, seven

URL = "/api/v1/glimpse"
FILE = png(seven())
BODY = {"picture": base64.b64encode(FILE).decode()}


@pytest.fixture
def client(every: Running) -> httpx.Client:
    """A client of the server that has a model for glimpses."""
    return every.client


def without_time(trace: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in trace.items() if name != "timing"}


def test_a_digit_is_read(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY).json()
    assert trace["task"] == "glimpse"
    assert trace["source"]["kind"] == "grid"
    assert trace["target"]["kind"] == "glimpses"
    assert trace["target"]["text"] == trace["text"]
    assert trace["target"]["glimpses"][0][0] == {"left": 8, "top": 8, "side": 4}
    assert len(trace["steps"]) == len(trace["maps"][0]["weights"]) == GLIMPSE.glimpses
    step = trace["steps"][0]
    assert np.array(step["seen"]).shape == (3, 4, 4)
    assert sum(each["probability"] for each in step["alternatives"]) == pytest.approx(1, abs=1e-4)


def test_a_picture_can_come_in_several_ways(client: httpx.Client) -> None:
    wanted = without_time(client.post(URL, json=BODY).json())
    pixels = np.asarray(seven()).tolist()
    answers = [
        client.post(URL, json={"picture": "data:image/png;base64," + BODY["picture"]}),
        client.post(URL, json={"picture": base64.urlsafe_b64encode(FILE).decode().rstrip("=")}),
        client.post(URL, json={"pixels": pixels}),
        client.post(URL, json={"pixels": (np.array(pixels) / 255).tolist()}),
        client.post(URL, files={"image": FILE}),
    ]
    for answer in answers:
        assert without_time(answer.json()) == wanted


def test_a_cached_answer_needs_no_picture(
    every_weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings.from_environment(weights=every_weights, preload="none", cache_bytes=2**20)
    decoded: list[int] = []
    read = pictures.picture_of_parts

    def record(parts: list[bytes]) -> Picture:
        decoded.append(len(parts))
        return read(parts)

    monkeypatch.setattr(pictures, "picture_of_parts", record)
    with running(settings) as it:
        first, again = (it.client.post(URL, json=BODY) for _ in range(2))
    assert [first.headers["X-Cache"], again.headers["X-Cache"]] == ["miss", "hit"]
    assert len(decoded) == 1
    assert again.content == first.content


def test_a_form_can_have_options(client: httpx.Client) -> None:
    form = {"image": FILE}
    trace = client.post(URL, files=form, data={"detail": "weights"}).json()
    assert set(trace["steps"][0]) == {"probability", "surprise", "alternatives"}
    error_of(client.post(URL, files=form, data={"model": "dates-additive"}), 422, "wrong_task")
    error_of(client.post(URL, files=form, data={"target": "7"}), 422, "unknown_field")
    error_of(client.post(URL, files={"detail": (None, "full")}), 422, "missing_field")


def test_the_arrays_have_boxes_and_patches(client: httpx.Client) -> None:
    answer = client.post(URL, json=BODY, headers={"Accept": "application/x-npz"})
    with np.load(io.BytesIO(answer.content)) as archive:
        assert archive["boxes"].shape == (4, 3, 3)
        assert archive["seen"].shape == (4, 3, 4, 4)
        assert archive["probabilities"].shape == (4, 10)
        assert archive["target"].tolist() == [f"glimpse {number}" for number in range(1, 5)]


BLANK = base64.b64encode(png(Image.new("L", (60, 60), 255))).decode()
DAMAGED = base64.b64encode(FILE[:60]).decode()


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 422, "missing_field", "picture"),
        (BODY | {"pixels": [[0, 1]]}, 422, "missing_field", "picture"),
        ({"picture": ""}, 422, "empty_picture", "image"),
        ({"picture": "no base64!"}, 422, "broken_picture", "picture"),
        ({"picture": "aGVlZA=="}, 415, "unsupported_picture", "image"),
        ({"picture": DAMAGED}, 422, "broken_picture", "image"),
        ({"picture": BLANK}, 422, "blank_picture", "image"),
        ({"pixels": [[7, 7], [7, 7]]}, 422, "blank_picture", "image"),
        ({"pixels": []}, 422, "empty_picture", "pixels"),
        ({"pixels": [[]]}, 422, "empty_picture", "pixels"),
        ({"pixels": [[0, 1], [0]]}, 422, "out_of_range", "pixels"),
        ({"pixels": [[0, 256]]}, 422, "out_of_range", "pixels[0][1]"),
        ({"pixels": [[0, -1]]}, 422, "out_of_range", "pixels[0][1]"),
        ({"pixels": [[0] * 1025]}, 422, "picture_too_large", "pixels[0]"),
        ({"pixels": "7"}, 422, "wrong_type", "pixels"),
    ],
)
def test_an_invalid_field_is_named(
    client: httpx.Client, body: dict[str, Any], status: int, code: str, field: str
) -> None:
    assert error_of(client.post(URL, json=body), status, code)["field"] == field


# --- saved traces -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"target": {"kind": "glimpses", "text": "3", "glimpses": []}}, "target"),
        ({"source": {"kind": "hops", "text": "", "hops": 4}}, "source"),
    ],
)
def test_a_trace_that_contradicts_itself_is_not_saved(
    client: httpx.Client, change: dict[str, Any], field: str
) -> None:
    trace = client.post(URL, json=BODY).json() | change
    answer = client.post("/api/v1/traces", json=trace)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"].startswith(field)


def test_patches_are_squares(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY).json()
    trace["steps"][1]["seen"][0].pop()
    answer = client.post("/api/v1/traces", json=trace)
    assert error_of(answer, 422, "invalid_trace")["field"] == "steps[1].seen"


# --- the page ---------------------------------------------------------------------------------
