"""The list of the keys, and fields in which they are only letters."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import faults
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

DATES = "/?model=dates-additive&text=3%20May%201979"


@pytest.fixture
def dates(visit: Visit) -> Page:
    return visit(DATES)


def test_a_question_mark_lists_the_keys(dates: Page) -> None:
    place = dates.locator("#place").inner_text()
    dates.keyboard.press("?")
    keys = dates.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("the next step, or the next part of a step")
    expect(keys).to_contain_text("hide the next word until it is guessed")
    expect(keys).not_to_contain_text("On the photo")
    assert faults(dates) == []
    dates.keyboard.press("End")  # for the list alone
    dates.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    expect(dates.locator("#place")).to_have_text(place)
    dates.get_by_role("button", name="Keys of the keyboard").click()
    expect(keys).to_be_visible()


def test_a_key_that_is_typed_is_a_letter(dates: Page) -> None:
    place = dates.locator("#place").inner_text()
    field = dates.locator("#text")
    field.click()
    field.press("End")
    field.press_sequentially("? gl")
    field.press("Home")
    expect(field).to_have_value("3 May 1979? gl")
    expect(dates.get_by_role("dialog")).to_have_count(0)
    expect(dates.locator("#place")).to_have_text(place)


def test_an_answer_is_said_once_as_a_whole(dates: Page) -> None:
    said = dates.locator("#answered")
    expect(said).to_be_empty()  # what the page opens with was not asked for
    field = dates.locator("#text")
    field.fill("the 3rd of may 1979")
    field.press("Enter")
    expect(said).to_have_text("Answer: 1979-05-03")
    sentence = dates.locator("#sentence")
    expect(sentence).to_have_attribute("aria-live", "off")
    dates.get_by_role("button", name="Next step").click()
    expect(sentence).to_have_attribute("aria-live", "polite")
    # The slider says its value itself.
    dates.locator("#slider").focus()
    dates.locator("#slider").press("ArrowRight")
    expect(dates.locator("#slider")).to_have_attribute("aria-valuetext", re.compile("Step 3"))
    expect(sentence).to_have_attribute("aria-live", "off")


def test_tabbing_into_the_sentence_leaves_the_step_as_it_is(visit: Visit) -> None:
    page = visit(f"{DATES}&view=step&step=2&part=2")
    expect(page.locator("#place")).to_contain_text("part 2")
    before = page.evaluate("scrollY")
    current = page.locator("#wrote [tabindex='0']")
    current.focus()
    expect(current).to_be_focused()
    expect(page.locator("#place")).to_contain_text("part 2")
    assert page.evaluate("scrollY") == before
