"""The answer that a page comes with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import httpx
import pytest

from heed.app.inference.jobs import Job
from heed.app.pages import opening
from heed.models.catalogue import Catalogue
from tests.app.inference.test_engine import post
from tests.app.pages.test_example import given
from tests.browser.canned import trace
from tests.conftest import DEFAULT, HeldTranslator, Running, wait_for

Served = Callable[..., AbstractContextManager[Running]]
LINK = "/?text=3+June+1999"
FORM = LINK + "&wait=1"


def ready(it: Running) -> None:
    wait_for(lambda: it.client.get("/readyz").status_code == 200)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is."""
    monkeypatch.setattr(opening, "PATIENCE_SECONDS", 20.0)


@pytest.mark.usefixtures("patient")
def test_a_link_comes_with_its_answer(client: httpx.Client) -> None:
    wait_for(lambda: given(client))  # nothing else is being asked
    told = given(client, f"{LINK}&view=lines")
    assert told is not None
    assert told["text"] == "1999-06-03"
    page = client.get(LINK).text
    assert ">3 June 1999</textarea>" in page
    assert '<table id="served"' in page


def test_what_is_known_costs_no_model_and_no_call(served: Served, jobs: list[Job]) -> None:
    with served(cache_bytes=1_000_000, rate_per_minute=1, rate_burst=1) as it:
        wait_for(lambda: given(it.client))
        asked = {"text": "3 June 1999", "model": DEFAULT}
        answered = it.client.post("/api/v1/translate", json=asked).json()
        before = len(jobs)
        assert given(it.client, LINK) == answered
        assert len(jobs) == before


@pytest.mark.usefixtures("patient")
def test_a_page_that_has_a_model_asked_counts_as_a_call_and_is_never_refused(
    served: Served, jobs: list[Job]
) -> None:
    with served(rate_per_minute=1, rate_burst=1) as it:
        wait_for(lambda: given(it.client))
        before = len(jobs)
        assert given(it.client, LINK)
        assert given(it.client, LINK) is None  # a page all the same
        assert len(jobs) == before + 1
        assert it.client.get("/api/v1/models").status_code == 429
        assert it.client.get(FORM).status_code == 429


def test_no_page_waits_for_weights(served: Served, jobs: list[Job]) -> None:
    with served() as it:
        ready(it)
        before = len(jobs)
        assert given(it.client, f"{LINK}&model=dates-dot") is None
        assert len(jobs) == before


def test_a_page_asks_nothing_of_a_model_that_is_busy(served: Served, held: HeldTranslator) -> None:
    with served() as it, ThreadPoolExecutor(1) as pool:
        ready(it)
        answer = pool.submit(post, it)
        wait_for(lambda: held.asked)
        assert given(it.client, LINK) is None
        assert len(held.asked) == 1
        held.let()
        assert answer.result().status_code == 200


def test_what_takes_long_is_given_up_and_the_page_comes_without(
    served: Served, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Catalogue, "loaded", lambda self, model_id: True)
    with served() as it:
        ready(it)
        began = time.monotonic()
        assert given(it.client, LINK) is None
        assert time.monotonic() - began < 5
        assert held.asked == ["3 June 1999"]
        held.let(1)
        wait_for(lambda: held.ended)


def test_a_model_that_breaks_breaks_no_page(
    served: Served, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Catalogue, "loaded", lambda self, model_id: True)
    held.failure = RuntimeError("broken")
    held.let()
    with served() as it:
        ready(it)
        answer = it.client.get(LINK)
        assert answer.status_code == 200
        assert '<form id="ask"' in answer.text


def test_the_form_waits_even_for_weights(served: Served) -> None:
    with served() as it:
        told = given(it.client, f"{FORM}&model=dates-dot")
        assert told is not None
        assert told["model"]["id"] == "dates-dot"


def test_the_form_is_told_what_is_wrong(client: httpx.Client) -> None:
    answer = client.get("/?text=+&wait=1", headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert "has only spaces" in answer.text
    assert client.get("/?text=+").status_code == 200


def test_only_our_own_form_may_have_the_server_wait(served: Served, jobs: list[Job]) -> None:
    with served() as it:
        ready(it)
        wait_for(lambda: given(it.client))
        before = len(jobs)
        elsewhere = {"Sec-Fetch-Site": "cross-site"}
        assert it.client.get(f"{FORM}&model=dates-dot", headers=elsewhere).status_code == 200
        assert len(jobs) == before


@pytest.mark.parametrize("query", ["model=nobody", "text=", "model=caption-soft", "search=beam"])
def test_what_cannot_be_answered_is_a_page_all_the_same(served: Served, query: str) -> None:
    with served(max_beam=3) as it:
        ready(it)
        answer = it.client.get(f"/?{query}")
        assert answer.status_code == 200
        assert '<form id="ask"' in answer.text


def test_a_saved_trace_comes_with_its_page_and_its_frame(client: httpx.Client) -> None:
    told = trace([["</script>"], ["b"]], [["a"], ["b"]])
    saved = client.post("/api/v1/traces", json=told).json()
    for path in (saved["url"], saved["embed"], f"{saved['url']}?view=step&step=2"):
        page = client.get(path).text
        assert f'id="example" data-saved="{saved["id"]}"' in page
        assert '<table id="served"' in page
        assert "</script></span>" not in page
    kept = client.get(f"/api/v1/traces/{saved['id']}").json()
    found = client.get(saved["url"]).text.partition(f'data-saved="{saved["id"]}">')[2]
    assert json.loads(found.partition("</script>")[0]) == kept
