"""Servers that share rate limits and answers on Redis, and go on without it."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from heed.app import shared
from heed.app.errors import StartError
from heed.app.inference.shared_cache import shared_name
from heed.app.settings import Settings
from heed.app.shared import Shared
from tests.conftest import SECONDS, wait_for
from tests.redis import Redis, redis

TRANSLATE = "/api/v1/translate"
TEXT = {"text": "3 may 1979"}
RATE = {"rate_per_minute": 6, "rate_burst": 4, "preload": "none"}
CACHE = {"cache_bytes": 2**20, "preload": "none"}


@pytest.fixture
def server() -> Iterator[Redis]:
    with redis() as it:
        yield it


def hit(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return answer.headers["x-cache"]


def failures(client: httpx.Client) -> int:
    text = client.get("/metrics").text
    return int(float(re.search(r"^heed_shared_failures_total (\S+)", text, re.M)[1]))  # type: ignore[index]


def test_servers_share_the_answers_to_texts(served: Callable, server: Redis) -> None:
    with served(shared=server.url, **CACHE) as one, served(shared=server.url, **CACHE) as two:
        first = one.client.post(TRANSLATE, json=TEXT)
        assert hit(first) == "miss"

        def answered() -> bool:
            return hit(two.client.post(TRANSLATE, json={**TEXT, "detail": "weights"})) == "hit"

        one.client.post(TRANSLATE, json={**TEXT, "detail": "weights"})
        wait_for(answered)
        assert failures(one.client) == failures(two.client) == 0


def test_an_answer_of_another_server_is_the_same(served: Callable, server: Redis) -> None:
    with served(shared=server.url, **CACHE) as one:
        first = one.client.post(TRANSLATE, json=TEXT)
    with served(shared=server.url, **CACHE) as two:  # the first has written it before it closed
        again = two.client.post(TRANSLATE, json=TEXT)
        events = two.client.post(TRANSLATE, json=TEXT, headers={"Accept": "text/event-stream"})
    assert hit(again) == "hit"
    assert again.content == first.content
    assert first.text in events.text


def test_the_name_of_an_answer_has_the_digest_of_the_weights() -> None:
    names = {shared_name(("model", weights, "text")) for weights in ("abc", "abd")}
    assert len(names) == 2


def test_servers_share_a_rate_limit(served: Callable, server: Redis) -> None:
    with served(shared=server.url, **RATE) as one, served(shared=server.url, **RATE) as two:
        statuses = [
            each.client.get("/api/v1/models").status_code for each in (one, two, one, two, one, two)
        ]
        assert statuses == [200] * 4 + [429] * 2
        refused = two.client.get("/api/v1/models")
        assert 1 <= int(refused.headers["retry-after"]) <= 40


def test_servers_count_batches_and_pages_together(served: Callable, server: Redis) -> None:
    with served(shared=server.url, **RATE) as one, served(shared=server.url, **RATE) as two:
        batch = {"texts": ["3 may 1979"] * 3}
        assert one.client.post(f"{TRANSLATE}/batch", json=batch).status_code == 200
        refused = two.client.post(f"{TRANSLATE}/batch", json=batch)
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 81
        assert one.client.get("/?text=x").status_code == 429


@pytest.mark.parametrize("how", ["gone", "frozen"])
def test_without_the_shared_server_each_has_its_own_limit_and_cache(
    served: Callable, server: Redis, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "heed.shared")
    with served(shared=server.url, **RATE, cache_bytes=2**20) as it:
        assert hit(it.client.post(TRANSLATE, json=TEXT)) == "miss"
        if how == "gone":
            server.stop()
            statuses = [it.client.post(TRANSLATE, json=TEXT).status_code for _ in range(6)]
        else:
            with server.frozen():
                statuses = [it.client.post(TRANSLATE, json=TEXT).status_code for _ in range(6)]
        assert statuses == [200] * 4 + [429] * 2, "the own window begins anew"
        assert failures(it.client) >= 1
        assert "the shared server does not answer" in caplog.text


def test_a_shared_server_that_is_back_is_used_again(
    served: Callable, server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "PAUSE_SECONDS", 0.1)
    server.stop()
    with served(shared=server.url, **CACHE) as one, served(shared=server.url, **CACHE) as two:
        began = time.monotonic()
        assert hit(one.client.post(TRANSLATE, json=TEXT)) == "miss"
        assert time.monotonic() - began < SECONDS / 10
        server.start()

        def told() -> bool:
            text = {"text": f"{int(time.monotonic() * 100) % 28 + 1} june 1980"}
            one.client.post(TRANSLATE, json=text)
            time.sleep(0.2)
            return hit(two.client.post(TRANSLATE, json=text)) == "hit"

        wait_for(told)


def test_an_invalid_address_stops_the_start_and_stands_in_no_message() -> None:
    for url in ("http://:secret@host", "redis"):
        with pytest.raises(StartError) as error:
            Settings.from_environment(shared=url)
        assert "secret" not in str(error.value)
        assert "redis://" in str(error.value)
    with pytest.raises(StartError, match="not a valid URL"):
        Shared("redis://host:port/x", lambda: None)
