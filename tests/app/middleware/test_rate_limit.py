from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from random import Random

import httpx
import pytest
from starlette.datastructures import Headers

from heed.app.errors import RequestError
from heed.app.middleware import rate_limit
from heed.app.middleware.rate_limit import (
    WIDE_CALLS,
    RateLimiter,
    client_address,
    seconds_until_room,
)
from tests.app.test_errors import error_of

MODELS = "/api/v1/models"


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


def allowed(limiter: RateLimiter, address: str = "a") -> bool:
    try:
        limiter.count(address)
    except RequestError:
        return False
    return True


def retry_after(limiter: RateLimiter, address: str = "a") -> int:
    with pytest.raises(RequestError) as error:
        limiter.count(address)
    assert error.value.code == "rate_limited"
    return int(error.value.headers["Retry-After"])


def test_a_burst_is_allowed_and_then_the_address_waits(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=3)
    assert [allowed(limiter) for _ in range(4)] == [True, True, True, False]
    assert 1 <= retry_after(limiter) <= 4
    assert allowed(limiter, "b")
    clock.now += 1000
    assert [allowed(limiter) for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(("per_minute", "burst"), [(60, 3), (7, 30), (0.5, 2), (6000, 30)])
def test_retry_after_is_true_and_the_rate_is_kept(
    clock: Clock, per_minute: float, burst: int
) -> None:
    limiter = RateLimiter(per_minute, burst)
    began, calls, random = clock.now, 0, Random("calls")
    for _ in range(300):
        if allowed(limiter):
            calls += 1
            clock.now += random.choice((0, 0, 0.4, 90 / per_minute))
        else:
            clock.now += retry_after(limiter)
            assert allowed(limiter)
            calls += 1
    minutes = (clock.now - began) / 60
    assert calls <= max(2 * burst, 2 * per_minute / 60) + per_minute * minutes


def test_refused_calls_do_not_extend_the_wait(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=1)
    clock.now = 1_000_000.0
    assert allowed(limiter)
    for _ in range(9):
        clock.now += 0.1
        assert not allowed(limiter)
    clock.now += 0.2
    assert allowed(limiter)


def test_the_number_of_addresses_is_bounded(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_ADDRESSES", 10)
    limiter = RateLimiter(per_minute=60, burst=1)
    for number in range(100):
        assert allowed(limiter, str(number))
        assert limiter.addresses <= 10
        assert len(limiter._windows.storage.storage) <= 20


def test_a_flood_of_addresses_resets_no_window_of_a_calling_client(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_ADDRESSES", 10)
    limiter = RateLimiter(per_minute=60, burst=1)
    assert allowed(limiter)
    for number in range(100):
        assert allowed(limiter, str(number))
        if number % 9 == 8:
            assert not allowed(limiter)


def test_the_address_of_the_oldest_call_is_forgotten_first(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MAX_ADDRESSES", 3)
    limiter = RateLimiter(per_minute=60, burst=1)
    for address in "abc":
        assert allowed(limiter, address)
    assert not allowed(limiter, "a")
    assert allowed(limiter, "d")
    assert [allowed(limiter, address) for address in "ac"] == [False, False]
    assert allowed(limiter, "b")


def test_without_a_rate_nothing_is_counted() -> None:
    limiter = RateLimiter(per_minute=0, burst=1)
    assert all(allowed(limiter) for _ in range(100))
    assert limiter.addresses == 0


@pytest.mark.parametrize(
    ("client", "forwarded", "proxies", "found"),
    [
        ("10.0.0.1", [], 0, "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], 0, "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4"], 1, "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9, 1.2.3.4"], 1, "1.2.3.4"),
        ("10.0.0.1", ["9.9.9.9", "1.2.3.4, 10.0.0.2"], 2, "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4"], 2, "10.0.0.1"),
        ("10.0.0.1", [], 1, "10.0.0.1"),
        ("10.0.0.1", ["junk"], 1, "10.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", [], 0, "2001:db8:1:2::/64"),
        ("::ffff:1.2.3.4", [], 0, "1.2.3.4"),
        ("10.0.0.1", ["x" * 1000], 1, "10.0.0.1"),
        ("10.0.0.1", ["1.2.3.4:5678"], 1, "1.2.3.4"),
        ("10.0.0.1", ["1.2.3.4:5678, 10.0.0.2:80"], 2, "1.2.3.4"),
        ("10.0.0.1", ["[2001:db8:1:2::3]:443"], 1, "2001:db8:1:2::/64"),
        ("10.0.0.1", ['"[2001:db8:1:2::3]:443"'], 1, "2001:db8:1:2::/64"),
        ("10.0.0.1", ["[2001:db8:1:2::3]"], 1, "2001:db8:1:2::/64"),
        ("10.0.0.1", ["[::ffff:1.2.3.4]:99"], 1, "1.2.3.4"),
        ("10.0.0.1", ["2001:db8:1:2::3"], 1, "2001:db8:1:2::/64"),
        ("fe80::1%eth0", [], 0, "fe80::/64"),
        ("::1", [], 0, "::/64"),
    ],
)
def test_the_address_is_the_one_that_trusted_proxies_report(
    client: str, forwarded: list[str], proxies: int, found: str
) -> None:
    headers = Headers(raw=[(b"x-forwarded-for", each.encode()) for each in forwarded])
    assert client_address({"type": "http", "client": (client, 1)}, headers, proxies) == found


def test_the_networks_of_a_site_have_a_wide_window_together(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=3)
    admitted = [allowed(limiter, f"2001:db8:1:{number:x}::/64") for number in range(100)]
    assert admitted == [True] * 3 * WIDE_CALLS + [False] * (100 - 3 * WIDE_CALLS)
    assert allowed(limiter, "2001:db8:2:1::/64"), "another site"
    assert allowed(limiter, "192.0.2.1")


def test_a_flood_from_one_network_of_a_site_leaves_room_for_the_others(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=3)
    assert sum(allowed(limiter, "2001:db8:1:1::/64") for _ in range(1000)) == 3
    assert all(allowed(limiter, f"2001:db8:1:{number:x}::/64") for number in range(2, 17))


def test_forty_students_behind_one_router_work_at_the_rate_of_a_class(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=1200, burst=200)
    for _ in range(100):
        assert all(allowed(limiter) for _ in range(40))
        clock.now += 3


def test_a_wide_window_says_when_there_is_room(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=1)
    for number in range(WIDE_CALLS):
        assert allowed(limiter, f"2001:db8:1:{number:x}::/64")
    clock.now += retry_after(limiter, "2001:db8:1:ffff::/64")
    assert allowed(limiter, "2001:db8:1:ffff::/64")


SCOPE = {"type": "http", "client": ("192.0.2.1", 1), "headers": []}


def batch(limiter: RateLimiter, size: int) -> int:
    """Send a batch; return 0 if it is admitted, else the seconds until the next try."""

    async def send() -> None:
        await limiter.admit(SCOPE)
        await limiter.admit_batch(SCOPE, size)

    try:
        asyncio.run(send())
    except RequestError as error:
        return int(error.headers["Retry-After"])
    return 0


def test_a_batch_counts_as_many_calls_as_it_has_texts(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=10)
    assert batch(limiter, 6) == 0
    assert [allowed(limiter, "192.0.2.1") for _ in range(5)] == [True] * 4 + [False]


@pytest.mark.parametrize("size", [1, 7, 10, 1000])
def test_a_batch_that_is_refused_for_its_size_is_admitted_after_the_time_it_is_told(
    clock: Clock, size: int
) -> None:
    limiter, random = RateLimiter(per_minute=60, burst=10), Random(size)
    for _ in range(30):
        clock.now += random.choice((0, 1.5, 7))
        for _ in range(random.randrange(12)):
            allowed(limiter, "192.0.2.1")
        refusals = 0  # the first may be that of a single call, before the size is known
        while wait := batch(limiter, size):
            assert wait <= 21
            clock.now += wait
            refusals += 1
        assert refusals <= 2


def test_a_refused_batch_costs_one_call(clock: Clock) -> None:
    limiter = RateLimiter(per_minute=60, burst=10)
    assert all(allowed(limiter, "192.0.2.1") for _ in range(5))
    assert batch(limiter, 8)
    assert [allowed(limiter, "192.0.2.1") for _ in range(5)] == [True] * 4 + [False]


def test_the_time_until_a_window_has_room_is_exact() -> None:
    limit = RateLimiter(per_minute=60, burst=10)._limit
    assert seconds_until_room(limit, 0, 0.0, 3, 15.0, calls=7) == 0
    assert seconds_until_room(limit, 10, 8.0, 0, 0.0, calls=10) == pytest.approx(7)
    assert seconds_until_room(limit, 0, 0.0, 10, 14.0, calls=10) == pytest.approx(13)


def test_an_address_above_its_rate_is_refused_and_others_are_not(served: Callable) -> None:
    with served(preload="none", rate_per_minute=1, rate_burst=2, trusted_proxies=1) as server:

        def get(address: str) -> httpx.Response:
            return server.client.get(MODELS, headers={"X-Forwarded-For": address})

        statuses = [get("1.1.1.1").status_code for _ in range(5)]
        assert statuses[:2] == [200, 200]
        refused = get("1.1.1.1")
        error_of(refused, 429, "rate_limited")
        assert 1 <= int(refused.headers["retry-after"]) <= 121
        assert get("2.2.2.2").status_code == 200
        forged = server.client.get(MODELS, headers={"X-Forwarded-For": "3.3.3.3, 1.1.1.1"})
        assert forged.status_code == 429
        for path in ("/", "/graph", "/see?x", "/learn", "/healthz", "/metrics"):
            assert server.client.get(path).status_code == 200


COSTLY = [
    "/?text=3+May+1979",
    "/graph?graph=a-b",
    "/story?story=x",
    "/glimpse?picture=x",
    "/read?text=x",
    "/preview.png",
    "/graph/preview.png?graph=%FF",
    "/qr.svg",
    "/learn/gone/handout",
    "/learn/gone/lesson.html",
    "/t/none",
    "/t/none/preview.png",
    "/embed/none",
]


def test_pages_that_take_work_count_as_calls_before_anything_is_parsed(served: Callable) -> None:
    with served(preload="none", rate_per_minute=1, rate_burst=1, trusted_proxies=1) as server:
        for number, path in enumerate(COSTLY):
            address = {"X-Forwarded-For": f"192.0.2.{number}"}
            server.client.get(MODELS, headers=address)
            refused = server.client.get(path, headers=address)
            error_of(refused, 429, "rate_limited")
            assert refused.headers["retry-after"]
            other = {"X-Forwarded-For": f"198.51.100.{number}"}
            server.client.get(path, headers=other)
            assert server.client.get(MODELS, headers=other).status_code == 429, path
            page = server.client.get(path, headers={**address, "Accept": "text/html"})
            assert "Too many requests" in page.text


def test_a_batch_over_http_counts_its_texts(served: Callable) -> None:
    with served(rate_per_minute=1, rate_burst=5) as server:
        body = {"texts": ["3 May 1979"] * 4}
        assert server.client.post("/api/v1/translate/batch", json=body).status_code == 200
        error_of(server.client.post("/api/v1/translate/batch", json=body), 429, "rate_limited")
