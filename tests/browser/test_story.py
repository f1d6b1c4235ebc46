"""The page of stories: a story, its hops, and the answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

STORY = "Mary went to the kitchen. The zebra picked up the ball."


@pytest.fixture(scope="module")
def address(small_models: str) -> str:
    return small_models


@pytest.fixture
def page_of_stories(visit: Visit) -> Page:
    return visit("/story")


def test_it_opens_on_an_example_and_plays_its_hops(page_of_stories: Page) -> None:
    page = page_of_stories
    expect(page.locator("#story-lines li")).to_have_count(3)
    expect(page.locator("#place")).to_have_text("3 / 3")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.locator("#play").click()
    expect(page.locator("#hops [aria-current]")).to_have_text("2")
    expect(page.locator("#sentence")).to_contain_text("Hop 2 of 3")
    expect(page.locator("#place")).to_have_text("3 / 3")


def test_an_edited_story_is_asked_again_and_has_a_link(page_of_stories: Page) -> None:
    page = page_of_stories
    page.locator("#edit").click()
    page.locator("#story").fill(STORY)
    page.locator("#question").fill("Where is Zoe?")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#story-lines .rare")).to_have_text("zebra")
    expect(page.locator("#question-read .rare")).to_have_text("Zoe")
    expect(page).to_have_url(re.compile("question=Where"))
    page.reload()
    expect(page.locator("#story-lines .rare")).to_have_text("zebra")


def test_a_bad_question_is_refused_at_its_field(page_of_stories: Page) -> None:
    page = page_of_stories
    page.locator("#question").fill(" ")
    page.locator("#question").press("Enter")
    expect(page.locator("#question-error")).to_contain_text("Write a question first")


def test_a_hop_is_shown_number_by_number(page_of_stories: Page) -> None:
    page = page_of_stories
    page.get_by_role("radio", name="Step", exact=True).check(force=True)
    expect(page.locator(".part")).to_have_count(6)
    expect(page.locator("table.keys tbody tr")).to_have_count(3)
