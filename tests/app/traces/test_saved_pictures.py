"""Saved traces of pictures: their preview is a small JPEG and nothing else."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.app.routes.test_ask import QUESTION
from tests.app.routes.test_ask import URL as ASK
from tests.app.routes.test_caption import post
from tests.app.test_errors import error_of
from tests.conftest import Running
from tests.models.drawn import quarters, saved

URL = "/api/v1/traces"
Trace = dict[str, Any]


@pytest.fixture(scope="module")
def trace(seeing: Running) -> Trace:
    fields = {"model": "caption-hard", "draws": "3", "search": {"kind": "beam", "beam": 2}}
    found: Trace = post(seeing.client, **fields).json()
    return found


@pytest.fixture
def client(seeing: Running) -> httpx.Client:
    """A client of the server that has captioners."""
    return seeing.client


@pytest.mark.parametrize("detail", ["weights", "steps", "full"])
@pytest.mark.parametrize("model", ["caption-soft", "caption-hard", "caption-heads"])
def test_a_picture_trace_is_returned_as_it_was_saved(
    client: httpx.Client, model: str, detail: str
) -> None:
    trace = post(client, model=model, detail=detail).json()
    answer = client.post(URL, json=trace)
    assert answer.status_code == 201, answer.text
    assert client.get(answer.headers["location"]).json() == trace


def test_a_picture_trace_with_draws_runners_up_or_a_question_is_saved(
    client: httpx.Client, trace: Trace
) -> None:
    for one in (trace, post(client, url=ASK, question=QUESTION).json()):
        answer = client.post(URL, json=one)
        assert client.get(answer.headers["location"]).json() == one


def uri(data: bytes, kind: str = "jpeg") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def whole(size: tuple[int, int]) -> str:
    return uri(saved(quarters(*size), "JPEG"))


def noise() -> str:
    """A JPEG of more bytes than a preview has, in few pixels."""
    file = BytesIO()
    image = Image.effect_noise((640, 640), 200).convert("RGB")
    image.save(file, "JPEG", quality=100, subsampling=0, comment=b"x" * 60_000)
    return uri(file.getvalue() + bytes(600_000))


@pytest.mark.parametrize(
    "preview",
    [
        "",
        "https://example.org/a.jpg",
        "javascript:alert(1)",
        uri(b"<svg onload='alert(1)'/>", "svg+xml"),
        uri(b"<svg onload='alert(1)'/>"),
        uri(saved(quarters(), "PNG")),
        uri(saved(quarters(), "PNG"), "png"),
        uri(saved(quarters(), "JPEG")[:300]),
        uri(b""),
        uri(saved(quarters(), "JPEG")) + "'><script>",
        uri(saved(quarters(), "JPEG")).replace("/9j/", "/9j/\n"),
        uri(saved(quarters(), "JPEG")).replace("image/jpeg", "image/jpeg;charset=x"),
        whole((641, 3)),
        whole((3, 700)),
        noise(),
    ],
    ids=range(15),
)
def test_a_preview_that_is_not_a_small_jpeg_is_refused(
    client: httpx.Client, trace: Trace, preview: str
) -> None:
    other = {**trace, "picture": {**trace["picture"], "preview": preview}}
    answer = client.post(URL, json=other)
    assert error_of(answer, 422, "invalid_trace")["field"] == "picture.preview"


def without_picture(trace: Trace) -> None:
    del trace["picture"]


def changed(*path: str | int, to: Any) -> Callable[[Trace], None]:
    def change(trace: Trace) -> None:
        inside: Any = trace
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (without_picture, "invalid_trace", "picture"),
        (changed("picture", "width", to=0), "out_of_range", "picture.width"),
        (changed("picture", "width", to=200), "invalid_trace", "source"),
        (changed("picture", "name", to="a"), "unknown_field", "picture.name"),
        (changed("source", "left", to=-1.0), "invalid_trace", "source"),
        (changed("source", "width", to=0.0), "out_of_range", "source.width"),
        (changed("source", "rows", to=13), "invalid_trace", "maps[0].weights[0]"),
        (changed("source", "rows", to=10**6), "invalid_trace", "source"),
        (changed("source", "rows", to=0), "out_of_range", "source.rows"),
        (changed("source", "cells", to=5), "unknown_field", "source.cells"),
        (changed("source", "kind", to="tokens"), "invalid_choice", "source.unit"),
        (changed("maps", 0, "key", to="question"), "invalid_trace", "maps[0]"),
        (changed("maps", 0, "kind", to="other"), "invalid_choice", "maps[0].kind"),
        (changed("maps", 1, "weights", 0, 0, to=5.0), "invalid_trace", "maps[1].weights[0]"),
        (changed("steps", 0, "drawn", "cell", to=196), "invalid_trace", "steps[0].drawn.cell"),
        (changed("steps", 0, "drawn", "cell", to=-1), "out_of_range", "steps[0].drawn.cell"),
        (
            changed("runners_up", 0, "steps", 0, "drawn", "cell", to=999),
            "invalid_trace",
            "runners_up[0].steps[0].drawn.cell",
        ),
    ],
    ids=range(17),
)
def test_an_inconsistent_trace_is_refused(
    client: httpx.Client,
    trace: Trace,
    change: Callable[[Trace], None],
    code: str,
    field: str,
) -> None:
    other = copy.deepcopy(trace)
    change(other)
    assert error_of(client.post(URL, json=other), 422, code)["field"] == field


def test_a_text_trace_with_a_picture_is_refused(client: httpx.Client, trace: Trace) -> None:
    text = client.post("/api/v1/translate", json={"text": "3 may 1979"}).json()
    answer = client.post(URL, json={**text, "picture": trace["picture"]})
    assert error_of(answer, 422, "invalid_trace")["field"] == "picture"
