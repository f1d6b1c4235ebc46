from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from heed.app.errors import ServiceError
from heed.app.inference.jobs import Job
from tests.conftest import HeldTranslator, wait_for

URL = "/api/v1/translate"
STREAM = {"Accept": "text/event-stream"}
DATE = {"text": "the 3rd of may 1979"}


def events(lines: Iterator[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
        else:
            assert line == ""


def stream(client: httpx.Client, **body: Any) -> list[tuple[str, dict[str, Any]]]:
    with client.stream("POST", URL, json={**DATE, **body}, headers=STREAM) as answer:
        assert answer.status_code == 200
        return list(events(answer.iter_lines()))


def test_a_stream_has_its_headers_and_may_be_compressed(client: httpx.Client) -> None:
    accept = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
    with client.stream("POST", URL, json=DATE, headers=accept) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["x-accel-buffering"] == "no"
        assert answer.headers["vary"] == "Accept, Accept-Encoding"
        assert "content-encoding" not in answer.headers
        plain = answer.read()
    with client.stream("POST", URL, json=DATE, headers=accept | {"Accept-Encoding": "gzip"}) as one:
        assert one.headers["content-encoding"] == "gzip"
        gzip_stream = b"".join(one.iter_raw())
    assert len(gzip_stream) < len(plain) / 3
    timing = re.compile(rb'"timing":{[^}]*}')
    assert timing.sub(b"", gzip.decompress(gzip_stream)) == timing.sub(b"", plain)


@pytest.mark.parametrize("detail", ["weights", "steps", "full"])
def test_the_steps_add_up_to_the_trace(client: httpx.Client, detail: str) -> None:
    received = stream(client, detail=detail)
    names = [name for name, _ in received]
    trace = received[-1][1]
    assert names == ["start", *["step"] * len(trace["steps"]), "trace"]
    start = received[0][1]
    for key in ("model", "source", "request", "task", "schema"):
        assert start[key] == trace[key]
    assert [step["index"] for _, step in received[1:-1]] == list(range(len(trace["steps"])))
    assert_grows_into(received, trace)


def assert_grows_into(received: list[tuple[str, dict[str, Any]]], trace: dict[str, Any]) -> None:
    steps: list[Any] = []
    weights: list[Any] = []
    for name, data in received:
        if name == "step":
            steps[data["since"] :] = data["steps"]
            weights[data["since"] :] = data["maps"][0]["weights"] if data["maps"] else []
    assert steps == trace["steps"]
    assert not trace["maps"] or weights == trace["maps"][0]["weights"]
    assert received[-2][1]["target"] == trace["target"]


def test_a_beam_search_revises_earlier_positions(client: httpx.Client) -> None:
    received = stream(client, text="5/3/79", search={"kind": "beam", "beam": 5})
    assert_grows_into(received, received[-1][1])
    assert len(received[-1][1]["runners_up"]) == 4


def test_greedy_search_revises_nothing(client: httpx.Client) -> None:
    assert all(data["since"] == data["index"] for name, data in stream(client) if name == "step")


def test_a_model_without_attention_can_be_streamed(client: httpx.Client) -> None:
    received = stream(client, model="dates-none")
    assert all(data["maps"] == [] for name, data in received if name == "step")
    assert received[-1][1]["maps"] == []


def test_the_last_event_equals_the_json_response(client: httpx.Client) -> None:
    plain = client.post(URL, json=DATE).json()
    whole = stream(client)[-1][1]
    assert {**plain, "timing": 0} == {**whole, "timing": 0}


@pytest.mark.parametrize(
    ("body", "code"),
    [({"text": ""}, "empty_text"), ({"text": "x" * 5000}, "text_too_long"), ({}, "missing_field")],
)
def test_an_error_before_the_first_event_is_a_json_response(
    client: httpx.Client, body: dict[str, Any], code: str
) -> None:
    answer = client.post(URL, json=body, headers=STREAM)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["error"]["code"] == code


def test_every_event_is_sent_at_once(served: Callable, held: HeldTranslator) -> None:
    with served() as server, server.client.stream("POST", URL, json=DATE, headers=STREAM) as answer:
        received = events(answer.iter_lines())
        assert next(received)[0] == "start"
        for step in range(4):  # each is read while the model is held before the next
            assert held.steps == step
            held.let(1)
            name, data = next(received)
            assert (name, data["index"]) == ("step", step)
        held.let()
        assert [name for name, _ in received][-1] == "trace"


def test_a_later_error_is_an_event(served: Callable, held: HeldTranslator) -> None:
    with served() as server, server.client.stream("POST", URL, json=DATE, headers=STREAM) as answer:
        received = events(answer.iter_lines())
        held.let(1)
        assert [next(received)[0] for _ in range(2)] == ["start", "step"]
        held.failure = ServiceError("deadline_exceeded", "Too late.")
        held.let()
        ((name, data),) = received
    assert (name, data["error"]["code"]) == ("error", "deadline_exceeded")


def test_a_client_that_disconnects_stops_the_model(
    served: Callable, held: HeldTranslator, jobs: list[Job]
) -> None:
    with served() as server:
        with server.client.stream("POST", URL, json=DATE, headers=STREAM) as answer:
            assert next(events(answer.iter_lines()))[0] == "start"
        wait_for(lambda: jobs[0].abandoned)
        held.let()
        wait_for(lambda: held.ended)
        assert held.steps == 0
