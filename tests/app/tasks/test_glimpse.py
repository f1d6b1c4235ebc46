"""Digits read in glimpses over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

import base64
from typing import Any

import httpx
import numpy as np
import pytest

from tests.app.test_errors import error_of
from tests.models.tiny import GLIMPSE, png, seven

URL = "/api/v1/glimpse"
FILE = png(seven())
BODY = {"picture": base64.b64encode(FILE).decode()}


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


def test_a_form_can_have_options(client: httpx.Client) -> None:
    form = {"image": FILE}
    trace = client.post(URL, files=form, data={"detail": "weights"}).json()
    assert set(trace["steps"][0]) == {"probability", "surprise", "alternatives"}
    error_of(client.post(URL, files=form, data={"model": "dates-additive"}), 422, "wrong_task")
    error_of(client.post(URL, files=form, data={"target": "7"}), 422, "unknown_field")
    error_of(client.post(URL, files={"detail": (None, "full")}), 422, "missing_field")
