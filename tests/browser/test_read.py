"""The page of reading: a sentence, its arcs, and the words that were expected."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import open_part
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(small_models: str) -> str:
    return small_models


@pytest.fixture
def reading(visit: Visit) -> Page:
    return visit("/read?step=6")


def test_it_opens_with_arcs_and_a_word_is_selected(reading: Page) -> None:
    page = reading
    expect(page.locator(".arcs-word")).to_have_count(12)
    expect(page.locator(".arcs-word[data-current]")).to_have_text("are")
    expect(page.locator("#expected li")).to_have_count(5)
    expect(page.locator("#perplexity")).to_contain_text(re.compile(r"\d"))
    page.locator(".arcs-word", has_text="cabinet").click()
    expect(page.locator("#sentence")).to_contain_text("Word 5 of 11: “cabinet”")
    assert page.locator(".arcs-current .arc").count() <= 5
    page.keyboard.press("ArrowRight")
    expect(page.locator(".arcs-word[data-current]")).to_have_text("are")
    expect(page.locator(".arcs-word:focus")).to_have_text("are")
    expect(page).to_have_url(re.compile("step=6"))


def test_fewer_arcs_reach_a_larger_weight(reading: Page) -> None:
    page = reading
    arcs = page.locator(".arcs-all .arc")
    expect(arcs.first).to_be_attached()
    before = arcs.count()
    page.locator("#least").fill("50")
    expect(page).to_have_url(re.compile("least=50"))
    assert arcs.count() < before


def test_a_sentence_is_read_and_its_step_has_every_part(reading: Page) -> None:
    page = reading
    page.locator("#text").fill("the zebra is old")
    page.locator("#text").press("Enter")
    expect(page.locator("#words .read-word")).to_have_count(5)
    expect(page.locator("#unread")).to_contain_text("“zebra”")
    page.get_by_role("radio", name="Step").check(force=True)
    expect(page.locator(".part")).to_have_count(6)
    expect(open_part(page, "state").locator(".strip")).to_have_count(5)
    expect(open_part(page, "context").locator(".strip")).to_have_count(2)


def test_words_stand_below_each_other_on_a_phone(reading: Page) -> None:
    page = reading
    expect(page.locator(".arcs-drawing[data-across]")).to_have_count(1)
    page.set_viewport_size({"width": 360, "height": 780})
    expect(page.locator(".arcs-drawing[data-across]")).to_have_count(0)
