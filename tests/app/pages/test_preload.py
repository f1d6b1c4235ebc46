"""The trace that a page contains."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import httpx
import pytest

from heed.app.errors import FieldError
from heed.app.inference.jobs import Job
from heed.app.pages import page_requests, preload
from heed.app.pages.preload import preloaded
from heed.app.schemas import TranslateIn
from heed.app.tasks.translate import TRANSLATE
from heed.models.catalogue import Catalogue
from tests.app.inference.test_engine import post
from tests.app.pages.test_example import card, given
from tests.browser.canned import trace
from tests.browser.canned_pictures import trace as picture_trace
from tests.conftest import DEFAULT, HeldTranslator, Running, wait_for

Served = Callable[..., AbstractContextManager[Running]]
LINK = "/?text=3+June+1999"
FORM = LINK + "&wait=1"


def translate_in(query: dict[str, str]) -> TranslateIn:
    """The request in a query of the page of texts."""
    assert TRANSLATE.query
    asked = page_requests.request_in(query, TRANSLATE, TRANSLATE.query, card()).options
    assert isinstance(asked, TranslateIn)
    return asked


def ready(it: Running) -> None:
    wait_for(lambda: it.client.get("/readyz").status_code == 200)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the slowest machine."""
    monkeypatch.setattr(page_requests, "PATIENCE_SECONDS", 60.0)


@pytest.mark.usefixtures("patient")
def test_a_page_contains_the_trace_of_its_query_whatever_the_view(client: httpx.Client) -> None:
    wait_for(lambda: given(client))  # the engine is idle again
    trace = given(client, f"{LINK}&view=lines&step=99&map=nonsense")
    assert trace is not None
    assert trace["text"] == "1999-06-03"
    page = client.get(LINK).text
    assert ">3 June 1999</textarea>" in page
    assert '<table id="served"' in page


def test_a_cached_trace_runs_no_model(served: Served, jobs: list[Job]) -> None:
    with served(cache_bytes=1_000_000) as it:
        wait_for(lambda: given(it.client))
        body = {"text": "3 June 1999", "model": DEFAULT}
        answered = it.client.post("/api/v1/translate", json=body).json()
        before = len(jobs)
        assert given(it.client, LINK) == answered
        assert len(jobs) == before


@pytest.mark.usefixtures("patient")
def test_a_page_with_a_request_counts_as_a_call_and_others_do_not(
    served: Served, jobs: list[Job]
) -> None:
    with served(rate_per_minute=1, rate_burst=1) as it:
        wait_for(lambda: given(it.client))
        before = len(jobs)
        assert given(it.client, LINK)
        assert len(jobs) == before + 1
        for path in (LINK, FORM, "/api/v1/models"):
            assert it.client.get(path).status_code == 429
        assert given(it.client)
        assert len(jobs) == before + 1


def test_no_page_waits_for_weights(served: Served, jobs: list[Job]) -> None:
    with served() as it:
        ready(it)
        before = len(jobs)
        assert given(it.client, f"{LINK}&model=dates-dot") is None
        assert len(jobs) == before


def test_a_page_does_not_wait_for_a_busy_model(served: Served, held: HeldTranslator) -> None:
    with served() as it, ThreadPoolExecutor(1) as pool:
        ready(it)
        answer = pool.submit(post, it)
        wait_for(lambda: held.texts)
        assert given(it.client, LINK) is None
        assert len(held.texts) == 1
        held.let()
        assert answer.result().status_code == 200


def test_a_slow_trace_is_abandoned_and_the_page_comes_without_it(
    served: Served, held: HeldTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Catalogue, "loaded", lambda self, model_id: True)
    with served() as it:
        ready(it)
        assert given(it.client, LINK) is None  # although the model takes no step
        assert held.texts == ["3 June 1999"]
        held.let(1)
        wait_for(lambda: held.ended)


def test_a_failing_model_does_not_fail_the_page(
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


def test_the_form_without_script_waits_for_weights(served: Served) -> None:
    with served() as it:
        embedded = given(it.client, f"{FORM}&model=dates-dot")
        assert embedded is not None
        assert embedded["model"]["id"] == "dates-dot"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("text=+", "Write a sentence first"),
        ("text=", "Write a sentence first"),
        ("text=a&beam=99&search=beam", "must be at most 10, not &#39;99&#39;"),
        ("text=a&temperature=nan", "must be at most 10"),
        ("text=a&search=%3Cb%3E", "must be one of"),
        ("model=unknown", "no model &#39;unknown&#39;"),
    ],
)
def test_a_refused_request_returns_the_page_with_the_error_at_the_form(
    client: httpx.Client, query: str, message: str
) -> None:
    waiting = client.get(f"/?{query}&wait=1", headers={"Accept": "text/html"})
    link = client.get(f"/?{query}")
    assert (waiting.status_code, link.status_code) == (422, 200)
    for answer in (waiting, link):
        assert '<form id="ask"' in answer.text
        error = answer.text.partition('<p class="error noscript" role="alert">')[2]
        assert message in error.partition("</p>")[0]
        assert given(client, f"/?{query}") is None


def test_a_refused_form_keeps_what_was_typed(client: httpx.Client) -> None:
    page = client.get("/?text=%3Cb%3E&beam=99&search=beam&model=dates-dot&wait=1").text
    assert ">&lt;b&gt;</textarea>" in page
    assert "beam search, width 4" in page
    assert '<option value="dates-dot" selected>' in page


def test_only_a_form_of_the_same_origin_may_wait(served: Served, jobs: list[Job]) -> None:
    with served() as it:
        ready(it)
        wait_for(lambda: given(it.client))
        before = len(jobs)
        elsewhere = {"Sec-Fetch-Site": "cross-site"}
        assert it.client.get(f"{FORM}&model=dates-dot", headers=elsewhere).status_code == 200
        assert len(jobs) == before


@pytest.mark.parametrize("query", ["model=unknown", "text=", "model=caption-soft", "search=beam"])
def test_a_link_to_an_invalid_request_returns_the_page(served: Served, query: str) -> None:
    with served(max_beam=3) as it:
        ready(it)
        answer = it.client.get(f"/?{query}")
        assert answer.status_code == 200
        assert '<form id="ask"' in answer.text


@pytest.mark.parametrize("of_picture", [False, True])
def test_a_saved_trace_is_in_its_page_and_its_frame(client: httpx.Client, of_picture: bool) -> None:
    embedded = (
        picture_trace(words=[("</script>", 0.5, 0.5)])
        if of_picture
        else trace([["</script>"], ["b"]], [["</script>"]])
    )
    saved = client.post("/api/v1/traces", json=embedded).json()
    for path in (saved["url"], saved["embed"], f"{saved['url']}?view=step&step=2"):
        page = client.get(path).text
        assert f'id="example" data-saved="{saved["id"]}"' in page
        assert '<table id="served"' in page
        assert "</script></span>" not in page
        assert page.count("</script>") == page.count("<script")
    kept = client.get(f"/api/v1/traces/{saved['id']}").json()
    found = client.get(saved["url"]).text.partition(f'data-saved="{saved["id"]}">')[2]
    assert json.loads(found.partition("</script>")[0]) == kept


def test_the_query_is_read_as_a_request_of_the_api() -> None:
    query = {"text": "a b&", "search": "beam", "beam": "3", "penalty": "0.5", "view": "lines"}
    request = translate_in(query)
    assert (request.text, request.model, request.target) == ("a b&", card().id, None)
    assert (request.search.kind, request.search.beam, request.search.length_penalty) == (
        "beam",
        3,
        0.5,
    )
    sampled = translate_in({"search": "sample", "seed": "7", "temperature": "0.5"}).search
    assert (sampled.kind, sampled.seed, sampled.temperature) == ("sample", 7, 0.5)


def test_an_empty_query_is_a_request_for_the_first_example() -> None:
    assert translate_in({}).text == card().examples[0]
    assert translate_in({"text": ""}).text == ""


@pytest.mark.parametrize("query", [{"beam": "0x3"}, {"seed": "-1"}, {"search": "upside-down"}])
def test_a_query_that_the_api_would_refuse_is_refused(query: dict[str, str]) -> None:
    with pytest.raises(FieldError, match=r"search\."):
        translate_in(query)


@pytest.mark.usefixtures("patient")
def test_the_first_of_several_values_counts(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    embedded = given(client, "/?text=3+June+1999&text=4+June+1999")
    assert embedded is not None
    assert embedded["text"] == "1999-06-03"


def test_a_trace_that_is_too_large_is_left_out_of_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps(trace([["a"]], [["b"]])).encode()
    assert preloaded(content) is not None
    monkeypatch.setattr(preload, "MAX_CELLS", 3)
    assert preloaded(content) is None
    monkeypatch.setattr(preload, "MAX_CELLS", 4)
    monkeypatch.setattr(preload, "MAX_BYTES", 10)
    assert preloaded(content) is None
    assert preloaded(content, bounded=False) is not None


def test_no_text_can_close_the_script_of_its_trace() -> None:
    embedded = trace([["</script>"], ["b"]], [["a"], ["b"]])
    shown = preloaded(json.dumps(embedded).encode())
    assert shown is not None
    assert "<" not in shown.json
    assert json.loads(shown.json) == embedded
