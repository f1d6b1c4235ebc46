from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.app.inference.test_engine import DATE, URL, post, waiting
from tests.app.middleware.test_access_log import metrics
from tests.app.server.test_protocol import HEAD, connect, error_code, read_response
from tests.app.test_errors import error_of
from tests.conftest import HeldTranslator, Running, wait_for

MODELS = "/api/v1/models"
ORIGIN = {"Origin": "https://theirs.example"}


@contextmanager
def full(served: Callable, held: HeldTranslator, **settings: object) -> Iterator[Running]:
    """Run a server whose queue is full until the end of the block."""
    with served(queue_size=1, **settings) as server, ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.texts)
        answers.append(pool.submit(post, server))
        wait_for(lambda: waiting(server) == 1)
        try:
            yield server
        finally:
            held.let()
        assert [one.result().status_code for one in answers] == [200, 200]


def test_a_full_queue_refuses_before_the_body_is_read(
    served: Callable, held: HeldTranslator
) -> None:
    with full(served, held) as server:
        for head in (HEAD, HEAD.replace(b"translate", b"translate/batch")):
            with connect(server) as connection:
                connection.sendall(head + b"Content-Length: 100000\r\n\r\n")  # and nothing of it
                answer = read_response(connection)
                assert error_code(answer) == (503, "overloaded")
                assert b"retry-after: 1" in answer
        assert server.client.get(MODELS).status_code == 200


def test_a_refusal_ahead_of_the_application_is_a_response_like_others(
    served: Callable, held: HeldTranslator, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level("INFO", "heed.requests"),
        full(served, held, cors_origins=ORIGIN["Origin"]) as server,
    ):
        headers = {**ORIGIN, "X-Request-ID": "mine"}
        refused = server.client.post(URL, json=DATE, headers=headers)
        error_of(refused, 503, "overloaded")
        missing = server.client.get("/api/v1/nothing", headers=ORIGIN)
        assert set(refused.headers) == {*missing.headers, "retry-after"}
        assert refused.headers["x-request-id"] == "mine"
        assert refused.headers["access-control-allow-origin"] == ORIGIN["Origin"]
        wait_for(lambda: any(line.startswith("id=mine ") for line in caplog.messages))
        found = metrics(server)
        assert found["heed_requests_total", "POST", URL, "503"] == 1
        assert found["heed_refusals_total", "overloaded"] == 1
    line = next(line for line in caplog.messages if line.startswith("id=mine "))
    pattern = rf"id=mine method=POST route={URL} status=503 ms=\d+\.\d in=0 out=\d+"
    assert re.fullmatch(pattern, line)


def test_a_request_for_no_certain_host_is_refused_for_that(
    served: Callable, held: HeldTranslator
) -> None:
    two = HEAD.replace(b"Host: x", b"Host: 127.0.0.1\r\nHost: x")
    with full(served, held, allowed_hosts="127.0.0.1") as server:
        for head, code in ((HEAD, "unknown_host"), (two, "bad_http")):
            with connect(server) as connection:
                connection.sendall(head + b"Content-Length: 2\r\n\r\n{}")
                assert error_code(read_response(connection)) == (400, code)


def test_a_refusal_for_a_full_queue_is_no_call_of_the_rate_limit(
    served: Callable, held: HeldTranslator
) -> None:
    with full(served, held, rate_per_minute=1, rate_burst=3) as server:  # and two are made
        for _ in range(4):
            error_of(server.client.post(URL, json=DATE), 503, "overloaded")
        assert server.client.get(MODELS).status_code == 200
        error_of(server.client.get(MODELS), 429, "rate_limited")
