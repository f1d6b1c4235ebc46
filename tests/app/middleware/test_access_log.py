from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.app.inference.test_engine import DATE, URL
from tests.app.test_errors import error_of
from tests.conftest import HeldTranslator, Running, abandoned_request, wait_for


def metrics(server: Running) -> dict[tuple[str, ...], float]:
    answer = server.client.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status(served: Callable) -> None:
    with served() as server:
        for _ in range(3):
            assert server.client.post(URL, json=DATE).status_code == 200
        server.client.post(URL, json={"text": ""})
        for name in ("a", "b"):
            server.client.get(f"/api/v1/traces/{name}")
            server.client.get(f"/{name}")
            server.client.get(f"/static/x/{name}")
        server.client.head("/healthz")
        server.client.request("TRACE", "/coffee")
        wait_for(lambda: metrics(server)["heed_requests_in_flight",] == 1)
        found = metrics(server)
    requests = {key[1:]: value for key, value in found.items() if key[0] == "heed_requests_total"}
    assert requests["POST", URL, "200"] == 3
    assert requests["POST", URL, "422"] == 1
    assert requests["GET", "/api/v1/traces/{id}", "404"] == 2
    assert requests["GET", "none", "404"] == 2
    assert requests["GET", "/static", "404"] == 2
    assert requests["GET", "/healthz", "200"] >= 1  # as which HEAD is answered
    assert requests["other", "none", "404"] == 1
    assert found["heed_refusals_total", "unknown_trace"] == 2
    assert found["heed_refusals_total", "empty_text"] == 1
    assert found["heed_request_seconds_count", URL] == 4
    assert found["process_resident_memory_bytes",] > 1e6
    assert found["process_open_fds",] > 3
    assert found["heed_queue_size",] == 64


def test_queue_and_store_are_metrics(served: Callable, tmp_path: object) -> None:
    plain = {"source": ["a"], "target": ["b"], "weights": [[1]]}
    with served(preload="none", store=tmp_path) as server:
        assert metrics(server)["heed_saved_traces",] == 0
        server.client.post("/api/v1/traces", json=plain)
        found = metrics(server)
        assert found["heed_saved_traces",] == 1
        assert found["heed_saved_bytes",] > 1000


def test_two_servers_count_separately(served: Callable, server: Running) -> None:
    with served(preload="none") as other:
        other.client.get("/api/v1/limits")
        key = ("heed_requests_total", "GET", "/api/v1/limits", "200")
        assert metrics(other)[key] == 1
        before = metrics(server).get(key, 0)
        other.client.get("/api/v1/limits")
        assert metrics(server).get(key, 0) == before


def test_metrics_can_be_disabled(served: Callable) -> None:
    with served(preload="none", metrics=False) as server:
        error_of(server.client.get("/metrics"), 404, "not_found")


def test_a_response_has_a_request_id(client: httpx.Client) -> None:
    for path in ("/", "/nope", "/healthz", "/static/x/nope"):
        assert re.fullmatch(r"[0-9a-f]{16}", client.get(path).headers["x-request-id"])
    assert client.get("/", headers={"X-Request-ID": "a.B-9_"}).headers["x-request-id"] == "a.B-9_"
    for invalid in ("a" * 65, "a b", "id=5;x", ""):
        found = client.get("/", headers={"X-Request-ID": invalid}).headers["x-request-id"]
        assert re.fullmatch(r"[0-9a-f]{16}", found)


LOGGED = ("id=mine ", "route=/t/{id} ")


def test_a_request_is_logged_without_its_content(
    served: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "heed.requests"), served(preload="none") as server:
        answer = server.client.post(
            URL + "?secret=query", json={"text": "7 may 1979"}, headers={"X-Request-ID": "mine"}
        )
        server.client.get("/t/aTraceThatNobodyMayKnow")
        server.client.get("/healthz")
        # A server of another test may still be writing down its last request.
        wait_for(lambda: all(any(part in line for line in caplog.messages) for part in LOGGED))
    assert sum(any(part in line for part in LOGGED) for line in caplog.messages) == len(LOGGED)
    assert not any("/healthz" in line for line in caplog.messages)
    line = next(line for line in caplog.messages if line.startswith("id=mine"))
    size = len(answer.content)
    pattern = rf"id=mine method=POST route={URL} status=200 ms=\d+\.\d in=\d+ out=\d+"
    assert re.fullmatch(pattern, line)
    assert size > 0
    assert not re.search("secret|may|1979|Nobody", "".join(caplog.messages))


def test_a_client_that_disconnects_is_logged(
    served: Callable, held: HeldTranslator, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "heed.requests"), served() as server:
        with abandoned_request(server, DATE["text"]):
            wait_for(lambda: held.texts)
        wait_for(lambda: any("status=499" in line for line in caplog.messages))
        held.let()
