"""The page of glimpses: a drawing, the path over it, and the belief."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit
from tests.models.tiny import png, seven

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(small_models: str) -> str:
    return small_models


@pytest.fixture
def page_of_glimpses(visit: Visit) -> Page:
    return visit("/glimpse")


def test_it_opens_on_an_example_and_plays_its_glimpses(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    expect(page.locator("#place")).to_have_text("4 / 4")
    expect(page.locator(".path-dot")).to_have_count(4)
    expect(page.locator(".patch")).to_have_count(3)
    expect(page.locator(".path-belief .bars li")).to_have_count(10)
    page.locator("#play").click()
    expect(page.locator("#sentence")).to_contain_text("Glimpse 2 of 4")
    expect(page.locator("#place")).to_have_text("4 / 4")


def test_a_drawn_digit_is_read_and_has_a_link(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    example = page.locator(".path-image").get_attribute("href")
    box = page.locator("#pad").bounding_box()
    assert box
    page.mouse.move(box["x"] + 60, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 150, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile("picture="))
    expect(page.locator(".path-image")).not_to_have_attribute("href", example or "")
    drawn = page.locator(".path-image").get_attribute("href")
    page.reload()
    expect(page.locator(".path-image")).to_have_attribute("href", drawn or "")


def test_a_digit_is_drawn_by_keys(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    example = page.locator(".path-image").get_attribute("href")
    pad = page.locator("#pad")
    pad.focus()
    pad.press("Delete")
    expect(page.get_by_role("status").filter(has_text="The picture is empty")).to_have_count(1)
    for key in ["Space", *["ArrowDown"] * 8]:
        pad.press(key)
    expect(
        page.get_by_role("status").filter(has_text="Pen down, 50 % from the left")
    ).to_have_count(1)
    expect(page.locator(".pen")).to_have_attribute("data-down", "")
    expect(page.locator("#place")).to_have_text("4 / 4")  # the glimpses stay where they are
    pad.press("Space")
    expect(page.locator(".path-image")).not_to_have_attribute("href", example or "")
    expect(page).to_have_url(re.compile("picture="))


def test_a_file_is_read(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    before = page.locator(".path-image").get_attribute("href")
    page.locator("#picture-file").set_input_files(
        {"name": "seven.png", "mimeType": "image/png", "buffer": png(seven((90, 40), dark=False))}
    )
    expect(page.locator(".path-image")).not_to_have_attribute("href", before or "")
    page.locator("#picture-file").set_input_files(
        {"name": "seven.png", "mimeType": "image/png", "buffer": b"no picture"}
    )
    expect(page.locator("#image-error")).to_contain_text("cannot read the file as a picture")
    expect(page.locator("#image-error")).to_be_visible()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")


def test_an_example_is_chosen_with_the_keyboard(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Example 1").press("Enter")
    expect(page.get_by_role("button", name="Example 1")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")


def test_the_other_views_show_beliefs_and_numbers(page_of_glimpses: Page) -> None:
    page = page_of_glimpses
    page.get_by_role("radio", name="Map", exact=True).check(force=True)
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    expect(page.locator("#column-heads > *")).to_have_count(10)
    page.get_by_role("radio", name="Step", exact=True).check(force=True)
    expect(page.locator(".part")).to_have_count(5)
