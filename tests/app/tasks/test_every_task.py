"""Every task over HTTP: its answer, its errors, its page, and its saved trace."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from jsonschema import Draft202012Validator

from heed.app.inference import pictures
from heed.app.settings import Settings
from heed.app.tasks import TASKS, pages
from tests.app.http.test_sse import STREAM, events
from tests.app.tasks.examples import EXAMPLES, PHOTO, Example
from tests.app.test_errors import error_of
from tests.conftest import Running, running, wait_for
from tests.models.drawn import quarters, saved

NPZ = {"Accept": "application/x-npz"}
PNG = b"\x89PNG"
OF_A_QUERY = [example for example in EXAMPLES if example.query]
each = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.task)
each_of_a_query = pytest.mark.parametrize("example", OF_A_QUERY, ids=lambda example: example.task)


def shortened(value: Any) -> Any:
    """Cut the lists of a trace: their last items have the shape of the first."""
    if isinstance(value, list):
        return [shortened(item) for item in value[:20]]
    if isinstance(value, dict):
        return {name: shortened(item) for name, item in value.items()}
    return value


# --- answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("detail", ["weights", "steps", "full"])
@each
def test_its_answer_follows_the_published_schema(
    client: httpx.Client, example: Example, detail: str
) -> None:
    schema = client.get("/api/v1/schema/trace").json()
    trace = example.trace(client, detail=detail)
    Draft202012Validator(schema).validate(shortened(trace))
    assert (trace["model"]["id"], trace["request"]["detail"]) == (example.model, detail)


@each
def test_weights_alone_are_sent_without_vectors(client: httpx.Client, example: Example) -> None:
    trace = example.trace(client, detail="weights")
    assert not {"queries", "keys", "values", "scores"} & trace["maps"][0].keys()
    for step in trace["steps"]:
        assert step.keys() <= {"probability", "surprise", "alternatives", "gate", "drawn"}


@each
def test_its_stream_adds_up_to_its_answer(client: httpx.Client, example: Example) -> None:
    answer = example.send(client, headers=STREAM)
    received = list(events(iter(answer.text.splitlines())))
    start, trace = received[0][1], received[-1][1]
    names = [name for name, _ in received]
    assert names == ["start", *["step"] * (example.steps or len(trace["steps"])), "trace"]
    for key in ("model", "source", "request", "task", "schema"):
        assert start[key] == trace[key]
    if example.steps and example.steps > 1:
        sizes = [_size(event["target"]) for name, event in received if name == "step"]
        assert sizes == list(range(1, example.steps + 1))
    assert trace | {"timing": 0} == example.trace(client) | {"timing": 0}


def _size(target: dict[str, Any]) -> int:
    rows = target.get("tokens") or target.get("glimpses") or range(target["hops"])
    return len(rows)


ARRAYS: dict[str, dict[str, Any]] = {
    "story": {
        "weights": (1, 1, 3, 3), "keys": (3, 3, 8), "values": (3, 3, 8),
        "source": ["<no sentence>", "Mary went to the kitchen.", "Mary took the ball."],
        "target": ["hop 1", "hop 2", "hop 3"],
    },
    "graph": {
        "weights": (2, 2, 4, 4), "source": ["Ann", "Bob", "Cid", "Dan"],
        "edges": [[0, 1], [1, 2], [2, 3]],
    },
    "glimpse": {
        "boxes": (4, 3, 3), "seen": (4, 3, 4, 4), "probabilities": (4, 10),
        "target": ["glimpse 1", "glimpse 2", "glimpse 3", "glimpse 4"],
    },
    "read": {
        "decoder_self_weights": (1, 1, 9, 9),
        "target": ["▁The", "▁keys", "▁to", "▁the", "▁zebra", "▁are", "▁old", "▁.", "</s>"],
    },
    "see": {
        "encoder_self_weights": (3, 2, 197, 197), "rollout_weights": (1, 1, 1, 197),
        "positions": (197, 197), "marks": ["[CLS]"],
    },
}  # fmt: skip
"""Arrays of the answers of some tasks: their shapes, or what they hold."""


@each
def test_its_arrays_are_finite_and_have_their_shapes(
    client: httpx.Client, example: Example
) -> None:
    answer = example.send(client, headers=NPZ)
    with np.load(io.BytesIO(answer.content)) as archive:
        arrays = {name: archive[name] for name in archive.files}
    weights = [array for name, array in arrays.items() if name.endswith("weights")]
    assert weights
    assert all(np.isfinite(found).all() for found in weights)
    for name, wanted in ARRAYS.get(example.task, {}).items():
        found = arrays[name]
        assert (found.shape if isinstance(wanted, tuple) else found.tolist()) == wanted, name


@pytest.fixture(scope="module")
def caching(every_weights: Path) -> Iterator[httpx.Client]:
    """A client of a server that keeps its answers."""
    with running(
        Settings.from_environment(weights=every_weights, preload="none", cache_bytes=2**26)
    ) as it:
        yield it.client


@each
def test_the_same_request_is_answered_from_the_cache_and_decodes_nothing(
    caching: httpx.Client, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    decode = pictures.picture_of_parts

    def record(parts: list[bytes]) -> Any:
        decoded.append(len(parts))
        return decode(parts)

    monkeypatch.setattr(pictures, "picture_of_parts", record)
    first, again = example.send(caching), example.send(caching)
    assert [answer.headers["x-cache"] for answer in (first, again)] == ["miss", "hit"]
    assert first.content == again.content
    streamed = example.send(caching, headers=STREAM)
    assert streamed.text == f"event: trace\ndata: {first.text}\n\n"
    assert len(decoded) == (example.photo is not None or example.task == "glimpse")
    others: list[dict[str, Any]] = [{"detail": "weights"}]
    if example.photo:
        others += [{"image": saved(quarters(301, 100), "JPEG")}, {"image": PHOTO[:-9]}]
    for changes in others:
        assert example.send(caching, **changes).headers.get("x-cache") != "hit"


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"model": "nobody"}, "unknown_model", "model"),
        ({"detail": "everything"}, "invalid_choice", "detail"),
        ({"modle": "x"}, "unknown_field", "modle"),
    ],
)
@each
def test_an_invalid_field_is_named(
    client: httpx.Client, example: Example, change: dict[str, str], code: str, field: str
) -> None:
    assert error_of(example.send(client, **change), 422, code)["field"] == field


@each
def test_a_missing_input_is_named(client: httpx.Client, example: Example) -> None:
    answer = client.post(example.url, json={}) if example.photo is None else None
    answer = answer or client.post(example.url, files={"detail": (None, "steps")})
    wanted = {"image", *example.fields} - {"model"}
    assert error_of(answer, 422, "missing_field")["field"] in wanted


@each
def test_a_body_of_another_type_is_refused(client: httpx.Client, example: Example) -> None:
    answer = client.post(example.url, content=PHOTO, headers={"Content-Type": "image/jpeg"})
    error_of(answer, 415, "unsupported_media_type")
    assert answer.headers["accept-post"]
    error_of(example.send(client, headers={"Accept": "image/png"}), 406, "not_acceptable")
    if example.photo is None:
        error_of(client.post(example.url, json=[1]), 422, "wrong_type")


@each
def test_other_paths_refer_to_that_of_a_model(client: httpx.Client, example: Example) -> None:
    other = EXAMPLES[0] if example.task == "read" else EXAMPLES[-1]
    error = error_of(other.send(client, model=example.model), 422, "wrong_task")
    assert error["field"] == "model"
    assert example.url in error["message"]


# --- saved traces -----------------------------------------------------------------------------


@each
def test_a_saved_trace_opens_on_its_page(client: httpx.Client, example: Example) -> None:
    trace = example.trace(client)
    kept = client.post("/api/v1/traces", json=trace)
    assert kept.status_code == 201, kept.text
    links = kept.json()
    assert client.get(f"/api/v1/traces/{links['id']}").json() == trace
    for path in (links["url"], links["embed"]):
        assert f"/bundles/{example.page}_page.js" in client.get(path).text
    assert client.get(f"{links['url']}/preview.png").content.startswith(PNG)


# --- the page ---------------------------------------------------------------------------------


@each_of_a_query
def test_its_page_opens_on_an_example(client: httpx.Client, example: Example) -> None:
    wait_for(lambda: 'id="example"' in client.get(example.path or "/").text)
    assert '<table id="served"' in client.get(example.path or "/").text
    assert client.get(f"{example.path}/preview.png").content.startswith(PNG)


@each_of_a_query
def test_its_form_works_without_a_script(client: httpx.Client, example: Example) -> None:
    page = client.get(example.path or "/", params=example.query | {"wait": "1"}).text
    assert '<table id="served"' in page
    assert example.shown in page


@each_of_a_query
def test_a_refused_form_says_why(client: httpx.Client, example: Example) -> None:
    answer = client.get(example.path or "/", params=example.refused | {"wait": "1"})
    assert answer.status_code == 422
    assert 'id="form-error"' in answer.text
    if example.task != "glimpse":  # whose picture is no text
        assert all(text in answer.text for text in example.refused.values())


@each_of_a_query
def test_a_link_has_a_preview(client: httpx.Client, example: Example) -> None:
    preview = f"{example.path}/preview.png"
    assert f"{preview}?" in client.get(example.path or "/", params=example.query).text
    assert client.get(preview, params=example.query).content.startswith(PNG)


def test_the_gallery_lists_the_pages_of_the_installed_models(
    client: httpx.Client, seeing: Running
) -> None:
    cards = [f'href="{page.path}"' for page in pages() if page.card]
    gallery = client.get("/other").text
    assert all(card in gallery for card in cards)
    assert all(f'src="{page.path}/preview.png"' in gallery for page in pages() if page.card)
    assert not any(card in seeing.client.get("/other").text for card in cards)
    assert 'href="/other"' in client.get("/").text
    assert 'href="/other"' not in seeing.client.get("/").text


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/", "Text"),
        ("/picture", "Pictures"),
        ("/story", "Other"),
        ("/other", "Other"),
        ("/learn", "Learn"),
        ("/docs", "API"),
    ],
)
def test_the_navigation_marks_the_section_of_a_page(
    client: httpx.Client, path: str, name: str
) -> None:
    marked = re.findall(r'aria-current="page">(\w+)', client.get(path).text)
    assert marked == [name]


def test_every_task_has_an_example() -> None:
    recorded = {"transcribe"}  # a model of Hugging Face: tests/app/inference/test_hf_models.py
    assert {example.task for example in EXAMPLES} == {task.id for task in TASKS} - recorded
