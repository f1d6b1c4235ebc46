"""A new kind of model with its page needs the files and entries of its recipe, and no other."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.downloads import saved
from tests.browser.new_kind import copy_with_letters
from tests.browser.server import serving
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of a copy of Heed that has one kind of model more."""
    folder = tmp_path_factory.mktemp("letters")
    copy_with_letters(folder)
    others = {name: value for name, value in os.environ.items() if not name.startswith("HEED_")}
    environment = others | {
        "HEED_DEFAULT_MODEL": "letters",
        "HEED_STORE": str(folder / "store"),
    }
    with serving(environment, folder) as url:
        yield url


@pytest.fixture
def letters(visit: Visit) -> Page:
    page = visit("/letters?step=3")
    expect(page.locator("#map[data-painted]")).to_be_visible()
    return page


def test_its_page_asks_the_model_and_draws_its_map(letters: Page) -> None:
    expect(letters.locator(".row-head")).to_have_text(["tea", "eat", "team", "other"])
    expect(letters.locator(".row-head[data-current]")).to_have_text("team")
    expect(letters.locator("#sentence")).to_contain_text("“team”, sharing")
    expect(letters.locator("#map-note")).to_contain_text("the share of its letters")
    letters.locator("#forth").click()
    expect(letters.locator("#sentence")).to_contain_text("“other”, sharing")
    letters.locator("#text").fill("one none")
    letters.locator("#text").press("Enter")
    expect(letters.locator(".row-head")).to_have_text(["one", "none"])
    expect(letters).to_have_url(re.compile(r"/letters\?.*text=one\+none"))


def test_its_file_opens_without_a_server(letters: Page, opened: Callable[[bytes], Page]) -> None:
    letters.locator("#call summary").click()
    name, content = saved(letters, "HTML")
    assert name.endswith(".html")
    expect(opened(content).locator("#sentence")).to_contain_text("“team”, sharing")


def test_its_saved_trace_opens_on_its_page(visit: Visit, address: str) -> None:
    trace = httpx.post(f"{address}/api/v1/letters", json={"text": "on no"}).json()
    link = httpx.post(f"{address}/api/v1/traces", json=trace).json()["url"]
    expect(visit(f"{link}?step=2").locator("#sentence")).to_contain_text("“no”, sharing")
    assert '<a href="/letters">Words share letters</a>' in httpx.get(f"{address}/other").text
