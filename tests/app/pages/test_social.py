"""Links to pages have a title, a description and a preview picture."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from heed.app.inference.jobs import Job
from heed.app.pages.link_preview.picture import picture
from heed.app.pages.link_preview.typeface import ACCENT, PAPER
from heed.app.schemas import TraceOut
from heed.output.colours import SCALE, rgb
from tests.app.pages.test_example import given
from tests.browser.canned import trace
from tests.browser.canned_pictures import trace as picture_trace
from tests.conftest import Running, wait_for

Served = Callable[..., AbstractContextManager[Running]]
TEXT = "text=3+June+1999"
NASTY = [["</title>"], ["שלום"], ["\x00"], ["日本語"], ["a" * 300]]


def tags(page: str) -> dict[str, str]:
    """The Open Graph tags of a page."""
    found = re.findall(r'<meta property="og:([a-z_:]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


def shades(image: Image.Image) -> int:
    return len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0))


def drawn(**given: Any) -> Image.Image:
    made = TraceOut.model_validate(trace(given.pop("source"), given.pop("target"), **given))
    return opened(picture(made, "A model"))


@pytest.mark.parametrize("query", ["", f"?{TEXT}", "?lesson=attention&at=3"])
def test_a_page_has_absolute_tags(client: httpx.Client, query: str) -> None:
    found = tags(client.get(f"/{query}").text)
    base = str(client.base_url)
    assert found["image"].startswith(f"{base}/preview.png")
    assert found["url"].startswith(base)
    assert found["title"]
    assert found["description"]


def test_a_link_to_a_result_names_input_and_output(client: httpx.Client) -> None:
    wait_for(lambda: given(client, f"/?{TEXT}"))
    found = tags(client.get(f"/?{TEXT}").text)
    assert found["title"] == "“3 June 1999” → “1999-06-03”"
    assert TEXT in found["image"]


def test_a_step_of_a_lesson_is_named_and_linked_by_its_short_address(client: httpx.Client) -> None:
    found = tags(client.get("/?lesson=attention&at=3").text)
    assert found["title"].startswith("Softmax")
    assert found["url"].endswith("/learn/attention/3")


@pytest.mark.parametrize("path", ["/preview.png", f"/preview.png?{TEXT}"])
def test_a_preview_is_a_picture_of_the_usual_size(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert opened(answer.content).size == (1200, 630)
    again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_a_preview_is_drawn_once_and_each_request_counts_as_a_call(
    served: Served, jobs: list[Job]
) -> None:
    with served(cache_bytes=4_000_000, rate_per_minute=1, rate_burst=2) as it:
        wait_for(lambda: it.client.get("/readyz").status_code == 200)
        wait_for(lambda: given(it.client))
        first = it.client.get(f"/preview.png?{TEXT}")
        before = len(jobs)
        assert it.client.get(f"/preview.png?{TEXT}").content == first.content
        assert len(jobs) == before
        assert it.client.get("/preview.png?text=4+June+1999").status_code == 429


@pytest.mark.parametrize(
    ("query", "status"), [("text=+", 422), ("model=gone", 422), ("text=a&beam=99", 422)]
)
def test_a_preview_of_an_invalid_request_is_refused(
    client: httpx.Client, query: str, status: int
) -> None:
    assert client.get(f"/preview.png?{query}").status_code == status


@pytest.mark.parametrize("of_picture", [False, True])
def test_a_saved_trace_has_its_own_preview(client: httpx.Client, of_picture: bool) -> None:
    made = picture_trace() if of_picture else trace([["a"], ["b"]], [["c"]])
    saved = client.post("/api/v1/traces", json=made).json()
    found = tags(client.get(saved["url"]).text)
    assert found["image"] == f"{client.base_url}{saved['url']}/preview.png"
    answer = client.get(found["image"])
    assert answer.status_code == 200
    assert answer.headers["x-robots-tag"] == "noindex"
    assert opened(answer.content).size == (1200, 630)
    key = {"Authorization": f"Bearer {saved['key']}"}
    assert client.delete(f"/api/v1/traces/{saved['id']}", headers=key).status_code == 204
    assert client.get(found["image"]).status_code == 404


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1",
        "127.0.0.1:1",
        "a/b",
        "a@b",
        'a"><script>',
        "",
    ],
)
def test_a_host_that_anybody_may_choose_is_in_no_address(client: httpx.Client, host: str) -> None:
    answer = client.get(f"/?{TEXT}", headers={"Host": host})
    found = tags(answer.text)
    assert found["image"].startswith("/preview.png?")
    assert found["url"].startswith("/?")


def test_the_own_address_of_a_loopback_server_may_be_written_localhost(
    client: httpx.Client,
) -> None:
    host = f"localhost:{client.base_url.port}"
    assert tags(client.get("/", headers={"Host": host}).text)["url"] == f"http://{host}/"


def test_an_allowed_host_is_in_the_addresses_if_it_is_well_formed(served: Served) -> None:
    with served(preload="none", allowed_hosts="heed.example.org, *.school.example") as it:

        def url(host: str) -> str:
            return tags(it.client.get("/see", headers={"Host": host}).text)["url"]

        assert url("Heed.example.org:8080") == "http://heed.example.org:8080/see"
        assert url("a.school.example") == "http://a.school.example/see"
        assert url("evil.example/x.school.example") == "/see"
        assert url("evil.example?.school.example") == "/see"


def test_the_location_of_a_saved_trace_does_not_depend_on_the_host(client: httpx.Client) -> None:
    made = trace([["a"]], [["b"]])
    answer = client.post("/api/v1/traces", json=made, headers={"Host": "a/b"})
    assert answer.headers["location"] == f"/api/v1/traces/{answer.json()['id']}"


def test_the_scheme_of_a_trusted_proxy_is_used(served: Served) -> None:
    secure = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    with served(trusted_proxies=1) as it:
        assert tags(it.client.get("/", headers=secure).text)["image"].startswith("https://")
    with served() as it:
        assert tags(it.client.get("/", headers=secure).text)["image"].startswith("http://")


# --- drawings ---------------------------------------------------------------------------------


def test_the_map_has_the_colours_of_its_weights() -> None:
    image = drawn(source=[["a"], ["b"], ["c"]], target=[["d"], ["e"], ["f"]])
    assert shades(image) > 16
    pixels = np.asarray(image.convert("RGB"))
    darkest = (pixels == rgb(SCALE[-1])).all(axis=2)
    assert darkest[150:, 600:].any()


@pytest.mark.parametrize("words", [1, 18, 80])
def test_a_text_of_any_length_fits(words: int) -> None:
    image = drawn(source=[["word"]] * words, target=[["Wort"]] * words)
    pixels = np.asarray(image.convert("RGB")).astype(int)
    paper = rgb(PAPER)
    edge = np.concatenate([pixels[-20:].reshape(-1, 3), pixels[:, :40].reshape(-1, 3)])
    assert (edge == paper).all()


def test_no_text_spoils_the_drawing() -> None:
    assert shades(drawn(source=NASTY, target=NASTY)) > 16


def test_a_model_without_attention_shows_its_vector() -> None:
    made = trace([["a"], ["b"]], [["c"]])
    image = picture(TraceOut.model_validate({**made, "maps": []}))
    pixels = np.asarray(opened(image).convert("RGB"))
    assert (pixels == rgb(ACCENT)).all(axis=2)[:, 620:].any()


def test_a_photo_is_lit_where_the_model_looked() -> None:
    made = TraceOut.model_validate(picture_trace())
    lit = np.asarray(opened(picture(made)).convert("L")).astype(int)
    plain = TraceOut.model_validate({**picture_trace(), "maps": []})
    bright = np.asarray(opened(picture(plain)).convert("L")).astype(int)
    difference = (bright - lit)[:, 620:]
    assert difference.max() > 10
    assert difference.min() >= -2
