"""Captions over HTTP: traces, streams, and invalid uploads."""

from __future__ import annotations

import base64
import json
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from heed.app.inference import pictures
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.networks.mobilenet import CELLS
from heed.models.pictures.decode import decode_picture
from tests.app.http.test_sse import assert_grows_into, events
from tests.app.inference.child_functions import hang
from tests.app.inference.test_process_pool import running
from tests.app.test_errors import error_of
from tests.conftest import DEFAULT, Running, wait_for
from tests.models.drawn import quarters, saved
from tests.models.pictures.test_hostile_files import WHOLE, mutated

URL = "/api/v1/caption"
PHOTO = saved(quarters(300, 100), "JPEG")
STREAM = {"Accept": "text/event-stream"}
CAPTIONERS = ["caption-soft", "caption-hard", "caption-heads"]


@pytest.fixture
def client(seeing: Running) -> httpx.Client:
    """A client of the server that has captioners."""
    return seeing.client


def post(
    client: httpx.Client,
    image: bytes | None = PHOTO,
    url: str = URL,
    headers: dict[str, str] | None = None,
    **fields: Any,
) -> httpx.Response:
    parts: dict[str, Any] = {
        name: (None, value if isinstance(value, str) else json.dumps(value))
        for name, value in fields.items()
    }
    if image is not None:
        parts["image"] = ("../../etc/photo.html", image, "text/html")
    return client.post(url, files=parts, headers=headers)


def captioned(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    answer = post(client, **fields)
    assert answer.status_code == 200, answer.text
    trace: dict[str, Any] = answer.json()
    return trace


# --- traces -----------------------------------------------------------------------------------


def test_the_first_captioning_model_is_the_default(client: httpx.Client) -> None:
    trace = captioned(client)
    assert trace["model"]["id"] == "caption-soft"
    assert trace["task"] == "caption"
    assert trace["request"] == {
        "text": "",
        "target": None,
        "search": {
            "kind": "greedy",
            "beam": 1,
            "seed": 0,
            "temperature": 1.0,
            "length_penalty": 1.0,
        },
        "detail": "steps",
    }
    assert "memory" not in trace


def test_the_grid_covers_the_original_picture(client: httpx.Client) -> None:
    exif = Image.Exif()
    exif[274] = 6  # displayed standing, though it lies in the file
    trace = captioned(client, image=saved(quarters(1000, 700), "JPEG", exif=exif))
    grid = {"kind": "grid", "unit": "cells", "rows": 14, "columns": 14, "left": 0, "top": 0}
    assert trace["source"] == {**grid, "width": 700, "height": 1000}
    assert {**trace["picture"], "preview": 0} == {
        "width": 700,
        "height": 1000,
        "format": "JPEG",
        "preview": 0,
    }
    head, _, data = trace["picture"]["preview"].partition(",")
    assert head == "data:image/jpeg;base64"
    preview = decode_picture(base64.b64decode(data))
    assert (preview.width, preview.height) == (448, 640)
    assert b"Exif" not in base64.b64decode(data)


@pytest.mark.parametrize("detail", ["weights", "steps", "full"])
@pytest.mark.parametrize("model", CAPTIONERS)
def test_the_published_schema_holds(client: httpx.Client, detail: str, model: str) -> None:
    schema = client.get("/api/v1/schema/trace").json()
    Draft202012Validator.check_schema(schema)
    search = {"kind": "beam", "beam": 2}
    trace = captioned(client, model=model, detail=detail, search=search)
    Draft202012Validator(schema).validate(trace)
    for each in trace["maps"]:
        if each["key"] == "source":
            assert {len(row) for row in each["weights"]} == {196}


def test_a_target_is_forced(client: httpx.Client) -> None:
    trace = captioned(client, target="a dog")
    assert trace["text"] == trace["request"]["target"] == "a dog"
    assert trace["finish"] == "forced"


def test_hard_attention_samples_cells_by_seed_and_again_for_draws(
    client: httpx.Client,
) -> None:
    def cells(seed: int) -> list[int]:
        trace = captioned(client, model="caption-hard", search={"seed": seed}, target="dog")
        assert trace["request"]["search"]["seed"] == seed
        return [step["drawn"]["cell"] for step in trace["steps"]]

    assert cells(1) == cells(1)
    assert cells(1) != cells(2)
    trace = captioned(client, model="caption-hard", draws=10)
    assert trace["request"]["draws"] == 10
    assert [each["kind"] for each in trace["maps"]] == ["cross", "drawn"]
    assert None in trace["maps"][1]["scores"][0]
    assert all(0 < step["gate"] < 1 for step in trace["steps"])


def test_vectors_of_self_attention_are_returned_on_request(
    client: httpx.Client,
) -> None:
    for vectors in ("cross", "all"):
        trace = captioned(client, model="caption-heads", vectors=vectors)
        keys = {one["key"] for one in trace["maps"] if "queries" in one}
        assert keys == ({"decoder_input"} if vectors == "all" else set())


def test_the_trace_of_soft_attention_has_no_seed(client: httpx.Client) -> None:
    assert captioned(client, search={"seed": 5})["request"]["search"]["seed"] == 0


def test_the_stream_adds_up_to_the_trace(client: httpx.Client) -> None:
    files = {"image": PHOTO}
    data = {"model": "caption-hard", "draws": "5"}
    with client.stream("POST", URL, files=files, data=data, headers=STREAM) as answer:
        received = list(events(answer.iter_lines()))
    start, trace = received[0][1], received[-1][1]
    assert [name for name, _ in received] == ["start", *["step"] * len(trace["steps"]), "trace"]
    for key in ("model", "source", "request", "task", "schema", "picture"):
        assert start[key] == trace[key]
    assert_grows_into(received, trace)
    plain = captioned(client, model="caption-hard", draws=5)
    assert {**plain, "timing": 0} == {**trace, "timing": 0}


def test_the_catalogue_names_a_default_for_each_task(client: httpx.Client) -> None:
    models = client.get("/api/v1/models").json()["models"]
    defaults = {model["task"]: model["id"] for model in models if model["default"]}
    assert defaults == {"dates": "dates-additive", "caption": "caption-soft", "ask": "ask"}
    assert client.get("/").status_code == 200


# --- what is refused --------------------------------------------------------------------------


def test_a_captioning_model_cannot_translate(client: httpx.Client) -> None:
    for path, body in (("", {"text": "a"}), ("/batch", {"texts": ["a"]})):
        answer = client.post(f"/api/v1/translate{path}", json={**body, "model": "caption-soft"})
        assert "/api/v1/caption" in error_of(answer, 422, "wrong_task")["message"]


def test_a_server_without_captioning_models_refuses_pictures(
    served: Callable, tmp_path: Path
) -> None:
    (tmp_path / DEFAULT).symlink_to(DEFAULT_DIRECTORY / DEFAULT, target_is_directory=True)
    with served(weights=tmp_path, preload="none") as server:
        error_of(post(server.client), 422, "unknown_model")


def raw(client: httpx.Client, body: bytes, boundary: str = "; boundary=b") -> httpx.Response:
    return client.post(
        URL, content=body, headers={"Content-Type": f"multipart/form-data{boundary}"}
    )


def part(name: str, content: bytes) -> bytes:
    return b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (
        name.encode(),
        content,
    )


@pytest.mark.parametrize(
    ("body", "boundary"),
    [
        (part("image", PHOTO) + b"--b--\r\n", ""),
        (part("image", PHOTO) + b"--b--\r\n", "; boundary=" + "b" * 71),
        (part("image", PHOTO), "; boundary=b"),
        (part("image", PHOTO)[:-20], "; boundary=b"),
        (part("image", PHOTO) * 2 + b"--b--\r\n", "; boundary=b"),
        (b"nothing of the kind", "; boundary=b"),
        (b"--c\r\n\r\n\r\n--c--", "; boundary=b"),
        (b"--b\r\n\r\nx\r\n--b--\r\n", "; boundary=b"),
        (b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n", "; boundary=b"),
        (b"--b\r\n" + b"X: y\r\n" * 1000 + b"\r\nx\r\n--b--\r\n", "; boundary=b"),
        (b"--b\r\nX: " + b"y" * 50_000 + b"\r\n\r\nx\r\n--b--\r\n", "; boundary=b"),
        (b"".join(part(f"f{n}", b"") for n in range(50)) + b"--b--\r\n", "; boundary=b"),
        (b"--b--\r\n", "; boundary=b"),
    ],
    ids=range(13),
)
def test_a_malformed_form_is_refused(client: httpx.Client, body: bytes, boundary: str) -> None:
    answer = raw(client, body, boundary)
    found = answer.json()["error"]["code"]
    assert (answer.status_code, found) in ((400, "bad_form"), (422, "missing_field"))


def test_an_empty_body_and_invalid_utf_8_are_refused(client: httpx.Client) -> None:
    error_of(raw(client, b""), 422, "empty_body")
    body = part("target", b"\xff\xfe") + part("image", PHOTO) + b"--b--\r\n"
    assert error_of(raw(client, body), 422, "invalid_text")["field"] == "target"


# --- limits -----------------------------------------------------------------------------------


def test_limits_hold_while_the_upload_is_read(served: Callable, seeing_weights: Path) -> None:
    limits = {"max_image_bytes": 4096, "max_image_pixels": 5000}
    with served(weights=seeing_weights, preload="none", **limits) as server:
        published = server.client.get("/version").json()["limits"]
        assert (published["image_bytes"], published["image_pixels"]) == (4096, 5000)
        error_of(post(server.client, image=bytes(5000)), 413, "image_file_too_large")
        error_of(post(server.client, image=bytes(200_000)), 413, "image_file_too_large")
        error_of(post(server.client, image=PHOTO[:4000]), 422, "picture_too_large")
        answer = post(server.client, target="a" * 20_000)
        assert error_of(answer, 413, "body_too_large")["field"] == "target"
        endless = part("image", PHOTO[:100]) + b"--b--\r\n" + bytes(200_000)
        assert raw(server.client, endless).status_code == 413

        def unending() -> Any:  # with no length declared
            yield part("image", b"")[:-2]
            for _ in range(100):
                yield bytes(4096)

        budget = server.app.state.service.body_budget
        wait_for(lambda: budget.reserved == 0)
        answer = server.client.post(
            URL, content=unending(), headers={"Content-Type": "multipart/form-data; boundary=b"}
        )
        error_of(answer, 413, "image_file_too_large")
        wait_for(lambda: budget.reserved == 0)


def test_the_time_to_decode_a_picture_counts_towards_the_deadline(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = SimpleNamespace(monotonic=lambda: time.monotonic() - 1_000)
    monkeypatch.setattr("heed.app.inference.single.time", earlier)
    error_of(post(client, image=saved(quarters(90, 70), "PNG")), 504, "deadline_exceeded")


def test_uploads_beyond_the_memory_budget_are_refused(
    client: httpx.Client, seeing: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = seeing.app.state.service.body_budget
    monkeypatch.setattr(budget, "reserved", budget.most - 100)
    answer = post(client)
    error_of(answer, 503, "overloaded")
    assert int(answer.headers["retry-after"]) > 0


def test_an_upload_that_never_ends_times_out(served: Callable, seeing_weights: Path) -> None:
    with served(weights=seeing_weights, preload="none", upload_seconds=0.2) as server:
        address = httpx.URL(server.url)
        head = (
            f"POST {URL} HTTP/1.1\r\nHost: {address.host}\r\nContent-Length: 1000\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n"
        )
        answer = b""
        with socket.create_connection((address.host, address.port), timeout=20) as connection:
            connection.sendall(head.encode())
            while b"deadline_exceeded" not in answer:
                more = connection.recv(4096)
                assert more, answer
                answer += more
        assert answer.startswith(b"HTTP/1.1 504")


# --- damaged files ----------------------------------------------------------------------------


@pytest.fixture
def blind(client: httpx.Client, seeing: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """An image encoder that returns zeros at once: only reading the file is tested."""
    captioned(client, target="a")
    nothing = np.zeros((CELLS, 10), np.float32)
    for features in seeing.app.state.service.catalogue._runtimes._features.values():
        monkeypatch.setattr(features, "_encode", lambda pixels: nothing)
        monkeypatch.setattr(features, "_cached", OrderedDict())


@pytest.mark.parametrize("format", WHOLE)
def test_a_damaged_file_is_read_or_refused(client: httpx.Client, blind: None, format: str) -> None:
    rng = Random(f"upload {format}")
    codes = set()
    for _ in range(40):
        answer = post(client, image=mutated(WHOLE[format], rng), target="a", detail="weights")
        assert answer.status_code in (200, 413, 415, 422), answer.text
        codes.add(answer.json().get("error", {}).get("code"))
    assert codes - {None} <= {"broken_picture", "unsupported_picture", "picture_too_large"}


def test_a_damaged_form_is_read_or_refused(client: httpx.Client, blind: None) -> None:
    whole = part("target", b"a") + part("search", b"{}") + part("image", PHOTO) + b"--b--\r\n"
    rng = Random("form")
    for _ in range(100):
        assert raw(client, mutated(whole, rng)).status_code in (200, 400, 413, 415, 422)


def test_decoding_ends_when_the_client_leaves(
    seeing: Running, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = tmp_path / "pid"
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "picture_parts", hang)
        file = {"image": ("photo.jpg", str(place).encode())}
        request = seeing.client.build_request("POST", URL, files=file)
        lines = [
            f"POST {URL} HTTP/1.1",
            *(f"{key}: {value}" for key, value in request.headers.items()),
        ]
        with socket.create_connection((request.url.host, request.url.port or 80)) as connection:
            connection.sendall("\r\n".join([*lines, "", ""]).encode() + request.read())
            wait_for(place.exists, 60)
        wait_for(lambda: not running(int(place.read_text())), 60)
    assert post(seeing.client).status_code == 200


@pytest.mark.parametrize("model", ["caption-soft", "caption-hard"])
def test_a_caption_is_written_under_edits(client: httpx.Client, model: str) -> None:
    edits = [{"op": "only", "box": [0, 0, 60, 50]}, {"op": "gate", "value": 0.5, "queries": 1}]
    trace = captioned(client, model=model, target="may", edits=edits, continue_from=2)
    assert trace["request"]["edits"] == edits
    for row in trace["maps"][0]["weights"]:
        assert sum(row[cell] for cell in range(98) if cell % 14 < 3) == pytest.approx(1, abs=1e-3)
    assert trace["steps"][1]["gate"] == 0.5
    assert len(trace["baseline"]["changes"]) == len(trace["baseline"]["steps"])
    assert trace["baseline"]["steps"][1]["gate"] != 0.5
