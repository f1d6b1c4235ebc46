"""`serve run` with the file of `deploy/ray`: the whole application in a replica of Ray Serve."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.live import ROOT
from tests.live_ray import by_serve_run

TRANSLATE = "/api/v1/translate"
PHOTO = ROOT / "static/samples/photographer.jpg"
PLAIN = {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with by_serve_run(tmp_path_factory.mktemp("ray"), queue_size=1) as it:
        yield it.client


def test_a_replica_answers_pages_calls_and_streams(client: httpx.Client) -> None:
    assert client.get("/readyz").json() == {"status": "ready"}
    assert "<title>" in client.get("/").text
    answer = client.post(TRANSLATE, json={"text": "3 may 1979"})
    assert answer.json()["text"] == "1979-05-03"
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", TRANSLATE, json={"text": "4 may 1979"}, headers=headers) as events:
        lines = [line for line in events.iter_lines() if line.startswith("event:")]
    assert len(lines) > 3
    assert lines[-1] == "event: trace"


def test_a_photo_is_captioned(client: httpx.Client) -> None:
    with PHOTO.open("rb") as image:
        answer = client.post("/api/v1/caption", files={"image": image}).json()
    assert answer["text"]
    assert sum(answer["maps"][0]["weights"][0]) == pytest.approx(1, abs=0.01)


def test_errors_and_limits_are_those_of_heed(client: httpx.Client) -> None:
    assert client.post(TRANSLATE, json={"text": ""}).json()["error"]["code"] == "empty_text"
    large = client.post(TRANSLATE, json={"text": "a" * 2_000_000})
    assert (large.status_code, large.json()["error"]["code"]) == (413, "body_too_large")


def test_saved_traces_are_kept(client: httpx.Client) -> None:
    saved = client.post("/api/v1/traces", json=PLAIN)
    assert saved.status_code == 201
    assert client.get(saved.headers["location"]).status_code == 200


def test_overload_is_refused_with_the_time_to_wait(client: httpx.Client) -> None:
    with ThreadPoolExecutor(40) as pool:
        texts = [{"text": f"{1 + number % 28} may 1979"} for number in range(200)]
        answers = list(pool.map(lambda text: client.post(TRANSLATE, json=text), texts))
    assert {answer.status_code for answer in answers} == {200, 503}
    refused = next(answer for answer in answers if answer.status_code == 503)
    assert refused.json()["error"]["code"] == "overloaded"
    assert refused.headers["retry-after"]
