"""What is taken home of a picture, and brought back: films, the page as one file, traces."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser import canned_pictures as canned
from tests.browser.canned import trace as trace_of_text
from tests.browser.downloads import saved
from tests.browser.test_pictures import give, place, written
from tests.browser.visits import Visit


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page of pictures, with canned models and answers."""
    page = visit.blank()
    canned.catalogue(page)
    canned.answers(page)
    page.goto("/picture?show=call")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    return page


def test_the_film_goes_through_the_caption_word_by_word(page: Page) -> None:
    name, gif = saved(page, "GIF")
    assert name.endswith(".gif")
    film = Image.open(io.BytesIO(gif))
    rows = page.locator("#wrote [data-row]").count()
    assert getattr(film, "n_frames", 1) == rows + 1
    pictures = []
    for frame in range(rows + 1):
        film.seek(frame)
        pictures.append(film.convert("RGB").tobytes())
    assert len(set(pictures)) >= rows
    assert film.info["duration"] > 2000


def test_the_page_as_one_file_plays_without_a_server(
    page: Page, opened: Callable[..., Page]
) -> None:
    page.get_by_role("radio", name="spotlight").check(force=True)
    name, content = saved(page, "HTML")
    assert name.endswith(".html")
    alone = opened(content)
    assert written(alone) == written(page)
    assert alone.locator("#sentence").inner_text() == page.locator("#sentence").inner_text()
    expect(alone.get_by_role("radio", name="spotlight")).to_be_checked()
    expect(alone.locator("#ask")).to_have_count(0)
    for gone in ("Copy link", "Save and link"):
        expect(alone.get_by_role("button", name=gone)).to_have_count(0)
    drawn = "canvas => canvas.toDataURL().length"
    assert alone.locator("#photo-heat").evaluate(drawn) > 500
    alone.mouse.move(*place(alone, 0.5, 0.5))
    expect(alone.locator("#tooltip")).to_contain_text("α")
    before = alone.locator("#place").inner_text()
    alone.locator("#back").click()
    expect(alone.locator("#place")).not_to_have_text(before)
    alone.get_by_role("radio", name="All words", exact=True).check(force=True)
    expect(alone.locator("#sheet .sheet-panel")).not_to_have_count(0)
    alone.get_by_role("radio", name="Step", exact=True).check(force=True)
    expect(alone.locator("#chain .part")).not_to_have_count(0)
    _, gif = saved(alone, "GIF")
    assert getattr(Image.open(io.BytesIO(gif)), "n_frames", 1) > 2


def test_the_file_holds_the_models_that_stood_side_by_side(
    page: Page, opened: Callable[..., Page]
) -> None:
    page.get_by_role("radio", name="Compare").check(force=True)
    cards = page.locator("#compare .card-text")
    expect(cards).to_have_count(3)
    alone = opened(saved(page, "HTML")[1])
    expect(alone.locator("#compare .card-text")).to_have_count(3)
    assert alone.locator("#compare .card-text").all_inner_texts() == cards.all_inner_texts()


@pytest.mark.parametrize(
    ("view", "said"), [("step", "Softmax turns scores into weights"), ("compare", "entropy")]
)
def test_a_view_of_numbers_is_drawn_on_paper(page: Page, view: str, said: str) -> None:
    page.goto(f"/picture?view={view}&show=call")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    if view == "compare":
        expect(page.locator("#compare-cards [aria-busy=true]")).to_have_count(0)
    panel = page.get_by_role("group", name="Save the view")
    with page.expect_download() as waiting:
        panel.get_by_role("button", name="SVG").click()
    name, svg = waiting.value.suggested_filename, waiting.value.path().read_text("utf-8")
    assert name.endswith(f"{view}.svg")
    assert said in svg


def test_a_saved_trace_that_is_dropped_gets_its_views_back(page: Page) -> None:
    _, content = saved(page, "JSON")
    said = written(page)
    other = json.loads(content)
    other["model"]["id"] = "gone"
    page.goto("/picture?sample=sheep&view=sheet")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    dropped = {
        "name": "mine.json",
        "mimeType": "application/json",
        "buffer": json.dumps(other).encode(),
    }
    page.locator("footer").scroll_into_view_if_needed()
    give(page, "drop", dropped)
    expect(page.locator("#form-error")).to_contain_text("mine.json")
    expect(page.locator("#form-error")).to_be_in_viewport(ratio=1)
    assert written(page) == said
    expect(page.locator("#sheet .sheet-panel")).not_to_have_count(0)
    page.get_by_role("radio", name="Photo", exact=True).check(force=True)
    expect(page.locator("#photo")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert page.locator("#photo-image").get_attribute("src") == other["picture"]["preview"]


def test_a_trace_says_where_it_belongs(page: Page, visit: Visit) -> None:
    text = json.dumps(trace_of_text([["a"]], [["b"]])).encode()
    before = written(page)
    page.locator("footer").scroll_into_view_if_needed()
    give(page, "drop", {"name": "text.json", "mimeType": "application/json", "buffer": text})
    expect(page.locator("#form-error")).to_contain_text("Text page")
    expect(page.locator("#form-error")).to_be_in_viewport(ratio=1)
    assert written(page) == before
    _, content = saved(page, "JSON")
    texts = visit("/?model=dates-additive")
    give(texts, "drop", {"name": "p.json", "mimeType": "application/json", "buffer": content})
    expect(texts.locator("#bring-error")).to_contain_text("Pictures page")
    expect(texts.locator("#bring-error")).to_be_in_viewport(ratio=1)
