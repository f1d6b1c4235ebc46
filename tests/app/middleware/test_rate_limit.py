from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.datastructures import Headers

from heed.app.errors import RequestError
from heed.app.middleware import rate_limit as doors
from heed.app.middleware.rate_limit import RateLimiter, address
from tests.app.inference.test_engine import post, waiting
from tests.app.server.test_protocol import HEAD, answer_of, code_of
from tests.app.test_errors import error_of
from tests.conftest import HeldTranslator, wait_for

MODELS = "/api/v1/models"


def test_a_full_queue_refuses_before_the_body_is_read(
    served: Callable, held: HeldTranslator
) -> None:
    with served(queue_size=1) as server, ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(post, server)]
        wait_for(lambda: held.asked)
        answers.append(pool.submit(post, server))
        wait_for(lambda: waiting(server) == 1)
        place = httpx.URL(server.url)
        for head in (HEAD, HEAD.replace(b"translate", b"translate/batch")):
            with socket.create_connection((place.host, place.port), timeout=20) as line:
                line.sendall(head + b"Content-Length: 100000\r\n\r\n")  # and nothing of it
                answer = answer_of(line)
                assert code_of(answer) == (503, "overloaded")
                assert b"retry-after: 1" in answer
        assert server.client.get(MODELS).status_code == 200
        held.let()
        assert [one.result().status_code for one in answers] == [200, 200]


# --- how often an address may ask -------------------------------------------------------------


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    rate = RateLimiter(0.5, 3, clock)
    for _ in range(3):
        rate.check("a")
    with pytest.raises(RequestError) as error:
        rate.check("a")
    assert (error.value.code, error.value.headers["Retry-After"]) == ("rate_limited", "2")
    rate.check("b")
    clock.now += 2
    rate.check("a")
    with pytest.raises(RequestError):
        rate.check("a")
    clock.now += 1000
    for _ in range(3):
        rate.check("a")
    with pytest.raises(RequestError):
        rate.check("a")


def test_who_is_refused_does_not_push_the_end_away() -> None:
    clock = Clock()
    rate = RateLimiter(1, 1, clock)
    rate.check("a")
    for _ in range(9):
        clock.now += 0.1
        with pytest.raises(RequestError):
            rate.check("a")
    clock.now += 0.11
    rate.check("a")


def test_addresses_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "MOST_ADDRESSES", 10)
    rate = RateLimiter(1, 1)
    for number in range(100):
        rate.check(str(number))
    assert len(rate._buckets) == 10


def test_no_rate_counts_nothing() -> None:
    rate = RateLimiter(0, 1)
    for _ in range(100):
        rate.check("a")
    assert not rate._buckets


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "found"),
    [
        ("10.0.0.1", [], 0, "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], 0, "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], 1, "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9, 1.2.3.4"], 1, "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9", "1.2.3.4, 10.0.0.2"], 2, "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4"], 2, "10.0.0.1"),
        ("10.0.0.1", [], 1, ""),
        ("2001:db8:1:2:3:4:5:6", [], 0, "2001:db8:1:2::/64"),
        ("::ffff:1.2.3.4", [], 0, "1.2.3.4"),
        ("10.0.0.1", ["x" * 1000], 1, "x" * 100),
    ],
)
def test_an_address_is_what_our_own_proxies_say(
    client: str, forwarded: list[str], proxies: int, found: str
) -> None:
    headers = Headers(raw=[(b"x-forwarded-for", each.encode()) for each in forwarded])
    assert address({"type": "http", "client": (client, 1)}, headers, proxies) == found


def test_who_asks_too_often_is_held_back_and_others_are_not(served: Callable) -> None:
    with served(preload="none", rate_per_minute=1, rate_burst=2, trusted_proxies=1) as server:

        def ask(who: str) -> httpx.Response:
            return server.client.get(MODELS, headers={"X-Forwarded-For": who})

        assert [ask("1.1.1.1").status_code for _ in range(2)] == [200, 200]
        refused = ask("1.1.1.1")
        error_of(refused, 429, "rate_limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert ask("2.2.2.2").status_code == 200
        forged = server.client.get(MODELS, headers={"X-Forwarded-For": "3.3.3.3, 1.1.1.1"})
        assert forged.status_code == 429
        for path in ("/", "/healthz", "/metrics"):
            assert server.client.get(path).status_code == 200


# --- names, and pages of others ---------------------------------------------------------------


def test_only_the_names_that_are_set_are_answered_to(served: Callable) -> None:
    with served(preload="none", allowed_hosts="heed.example.org, *.school.example") as server:

        def ask(host: str, path: str = MODELS) -> httpx.Response:
            return server.client.get(path, headers={"Host": host})

        for host in ("heed.example.org", "HEED.example.org:8000", "a.school.example"):
            assert ask(host).status_code == 200, host
        for host in (
            "evil.example",
            "school.example",
            "xheed.example.org",
            "[::1]:80",
            "127.0.0.1",
        ):
            error_of(ask(host), 400, "unknown_host")
        assert ask("10.1.2.3", "/healthz").status_code == 200
        page = server.client.get("/", headers={"Host": "evil", "Accept": "text/html"})
        assert page.status_code == 400
        assert "evil" in page.text


def test_no_page_of_others_may_call_unless_it_is_set(
    client: httpx.Client, served: Callable
) -> None:
    theirs = {"Origin": "https://theirs.example"}
    assert "access-control-allow-origin" not in client.get(MODELS, headers=theirs).headers
    asking = {**theirs, "Access-Control-Request-Method": "POST"}
    assert client.options("/api/v1/translate", headers=asking).status_code == 405
    with served(preload="none", cors_origins="https://theirs.example") as server:
        told = server.client.get(MODELS, headers=theirs).headers
        assert told["access-control-allow-origin"] == "https://theirs.example"
        asked = server.client.options("/api/v1/translate", headers=asking)
        assert asked.status_code == 200
        other = server.client.get(MODELS, headers={"Origin": "https://other.example"})
        assert "access-control-allow-origin" not in other.headers
