"""Two replicas on Ray Serve: what they answer; killed, restarted and left by their clients."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import wait_for
from tests.live import ROOT
from tests.live_ray import OnRay, on_ray
from tests.scale import LONG, amount, report
from tests.traffic import TRANSLATE, Load

PHOTO = ROOT / "static/samples/photographer.jpg"
REPLICAS = 2
CLIENTS = 6
KILLS = amount(1, 20)
REPLACED_SECONDS = 15
PLAIN = {"source": ["a", "b"], "target": ["c"], "weights": [[0.5, 0.5]]}
LONG_TEXT = {
    "text": "A man in a green shirt is standing in front of a large white building. " * 8,
    "model": "en-fr-additive",
    "search": {"kind": "beam", "beam": 10},
}


@pytest.fixture(scope="module")
def it(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnRay]:
    with on_ray(tmp_path_factory.mktemp("replicas"), workers=REPLICAS) as it:
        wait_for(lambda: len(it.replicas()) == REPLICAS)
        yield it


@pytest.fixture
def client(it: OnRay) -> httpx.Client:
    return it.client


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


def metric(it: OnRay, pattern: str) -> float:
    """Return the value of a metric, zero if it is not there."""
    found = re.search(f"^{pattern} ([0-9.e+]+)$", it.client.get("/metrics").text, re.M)
    return float(found[1]) if found else 0.0


def test_a_killed_replica_is_replaced_and_the_other_goes_on(it: OnRay) -> None:
    took = 0.0

    def is_replaced() -> bool:
        return len(it.replicas()) == REPLICAS and it.replicas() != before

    with Load(it.host, it.port, CLIENTS) as load:
        for _ in range(KILLS):
            before = it.replicas()
            os.kill(min(before), signal.SIGKILL)
            began = time.monotonic()
            load.more()
            wait_for(is_replaced)
            took = max(took, time.monotonic() - began)
            load.more()
    answers = load.answers
    failed = sum(number for status, number in answers.statuses.items() if status != 200)
    report(kills=KILLS, lost=answers.lost + failed, answered=answers.statuses, replaced_after=took)
    assert answers.lost == 0, "the proxy has the connections"
    assert failed <= KILLS * CLIENTS, "at most the requests that it was running"
    assert not LONG or took < REPLACED_SECONDS


def test_a_rolling_restart_loses_no_request_and_no_saved_trace(it: OnRay) -> None:
    before = it.replicas()
    saved = it.client.post("/api/v1/traces", json=PLAIN).headers["location"]
    with Load(it.host, it.port, CLIENTS) as load:
        it.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(it.replicas()) == REPLICAS and not it.replicas() & before)
        load.more()
    answers = load.answers
    report(restarted=REPLICAS, lost=answers.lost, answered=answers.statuses)
    assert answers.lost == 0
    assert set(answers.statuses) == {200}
    assert it.client.get(saved).json()["source"]["text"] == "a b"


def test_metrics_are_those_of_all_replicas_of_the_machine(it: OnRay) -> None:
    count = 'heed_requests_total{method="POST",route="/api/v1/translate",status="200"}'
    before = metric(it, re.escape(count))
    for number in range(20):
        assert it.client.post(TRANSLATE, json={"text": f"{number + 1} may 1979"}).status_code == 200
    assert metric(it, re.escape(count)) == before + 20
    assert metric(it, "heed_queue_size") >= 64


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_request_ends_when_its_client_leaves(it: OnRay, kind: str) -> None:
    left = r'heed_requests_total{method="POST",route="/api/v1/translate",status="499"}'
    before = metric(it, re.escape(left))
    body = json.dumps(LONG_TEXT).encode()
    head = f"POST {TRANSLATE} HTTP/1.1\r\nHost: {it.host}\r\nAccept: {kind}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection((it.host, it.port)) as client:
        client.sendall(head.encode() + body)
        if kind == "text/event-stream":
            assert client.recv(1)
        else:
            wait_for(lambda: metric(it, "heed_requests_in_flight") > 1)  # this one, and /metrics
    if kind == "application/json":
        wait_for(lambda: metric(it, re.escape(left)) > before)
    wait_for(lambda: metric(it, "heed_requests_in_flight") <= 1)
    assert it.client.post(TRANSLATE, json={"text": "3 may 1979"}).json()["text"] == "1979-05-03"
