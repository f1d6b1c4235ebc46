"""Terms explain themselves: on hover, on focus and by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import Visit

AT = "/learn/attention/3"


def term(page: Page) -> Locator:
    return page.locator("#lesson .term").first


def explanation(page: Page) -> Locator:
    return page.locator(".explanation")


@pytest.fixture
def page(visit: Visit) -> Page:
    page = visit(AT)
    expect(explanation(page)).to_be_attached()
    return page


def test_a_term_explains_itself_under_the_pointer(page: Page) -> None:
    before = page.locator("#lesson").bounding_box()
    term(page).hover()
    expect(explanation(page)).to_contain_text("Turns scores into weights")
    assert page.locator("#lesson").bounding_box() == before
    explanation(page).hover()
    expect(explanation(page)).to_be_visible()
    page.locator("#sentence").hover()
    expect(explanation(page)).to_be_hidden()


def test_a_term_explains_itself_to_the_keyboard(page: Page) -> None:
    page.locator(".lesson-leave").focus()
    page.locator(".lesson-place a").focus()
    page.keyboard.press("Tab")
    expect(term(page)).to_be_focused()
    expect(explanation(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(explanation(page)).to_be_hidden()
    page.keyboard.press("Enter")
    expect(explanation(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(explanation(page)).not_to_contain_text("Turns scores into weights")


def test_a_term_is_described_to_a_screen_reader(page: Page) -> None:
    described = term(page).get_attribute("aria-describedby")
    meaning = page.locator(f"#{described}").text_content()
    expect(term(page)).to_have_accessible_description(meaning or "?")


def test_a_term_explains_itself_by_touch(visit: Visit) -> None:
    page = visit(AT, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    expect(explanation(page)).to_be_attached()
    term(page).tap()
    expect(explanation(page)).to_be_in_viewport(ratio=1)
    page.locator("#sentence").tap()
    expect(explanation(page)).to_be_hidden()


def test_the_page_has_the_whole_glossary(page: Page) -> None:
    page.locator("#glossary summary").click()
    expect(page.locator("#glossary dt", has_text="cross-attention")).to_be_visible()
