from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from heed.app.http.media_types import EVENTS, HTML, JSON
from heed.app.http.negotiation import preferred, takes_gzip


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("*", JSON),
        ("application/json", JSON),
        ("APPLICATION/JSON", JSON),
        ("application/json; charset=utf-8", JSON),
        ("application/*", JSON),
        ("text/event-stream", EVENTS),
        ("text/*", EVENTS),
        ("text/event-stream, */*", EVENTS),
        ("*/*, text/event-stream", EVENTS),
        ("text/event-stream, application/json", EVENTS),
        ("application/json, text/event-stream", JSON),
        ("text/event-stream;q=0.5, application/json;q=0.4", EVENTS),
        ("text/event-stream;q=0.4, application/json;q=0.5", JSON),
        ("text/event-stream ; Q=0.1 , */* ; q=0.2", JSON),
        ("text/event-stream;q=0, */*", JSON),
        ("application/json;q=0, */*;q=0.1", EVENTS),
        ("text/html, */*;q=0.8", JSON),
        ("application/json;q=nonsense", JSON),
        ("application/json;q=7, text/event-stream;q=1", JSON),
        ("*/*;q=nan", JSON),
        ("*/*;q=inf", JSON),
        ("*/*;q=-1", JSON),
        ("*/*;q=1e400", JSON),
        ("*/*;q=", JSON),
        ("*/*;q", JSON),
        ("application/json;q=0.3, text/event-stream;q=1e-9", EVENTS),
        ("application/json;q=" + "0" * 5000 + ", text/event-stream;q=0.5", JSON),
        (",,", JSON),
        ("text/html", None),
        ("image/png, image/*;q=0.5", None),
        ("*/*;q=0", None),
        ("application/json;q=0, text/event-stream;q=0.0", None),
    ],
)
def test_the_preferred_offer_is_chosen(accept: str | None, chosen: str | None) -> None:
    assert preferred(accept, (JSON, EVENTS)) == chosen


def test_a_browser_prefers_a_page_and_curl_does_not() -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
    assert preferred(browser, (JSON, HTML)) == HTML
    assert preferred("*/*", (JSON, HTML)) == JSON


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ([], False),
        ([""], False),
        (["gzip"], True),
        (["gzip, deflate, br, zstd"], True),
        (["deflate;q=0.5, GZIP ; q=0.1"], True),
        (["br", "gzip"], True),
        (["gzip;q=nan"], True),
        (["gzip;q=0"], False),
        (["gzip;q=0.000, *"], False),
        (["br;q=1.0, gzip;q=0.0"], False),
        (["x-gzip-like, notgzip"], False),
        (["*"], False),
    ],
)
def test_gzip_is_taken_by_a_client_that_names_it_with_a_weight(
    accepted: list[str], taken: bool
) -> None:
    raw = [(b"accept-encoding", value.encode()) for value in accepted]
    assert takes_gzip(Headers(raw=raw)) == taken
