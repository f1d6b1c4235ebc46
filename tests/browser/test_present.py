"""A presentation: large type, the keys of a presenter, and a word to guess."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import faults
from tests.browser.visits import Visit

SMALL_TEXTS = """() => {
  const scale = Number(getComputedStyle(document.documentElement).getPropertyValue("--present"));
  const walker = document.createTreeWalker(document.getElementById("stage"), NodeFilter.SHOW_TEXT);
  const small = [];
  while (walker.nextNode()) {
    const { data, parentElement: at } = walker.currentNode;
    const { width, height } = at.getBoundingClientRect();
    const painted = width > 2 && height > 2 && at.checkVisibility({ visibilityProperty: true });
    const seen = data.trim() && painted;
    const drawing = at.closest("svg[viewBox]");
    const zoom = drawing ? drawing.clientWidth / drawing.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(at).fontSize) * scale * zoom;
    if (seen && size < 28) small.push(`${data.trim()} ${size}`);
  }
  return small;
}"""
"""The texts of the result with a type of less than 28 pixels."""


def presented(visit: Visit, query: str = "present=1", **options: object) -> Page:
    page = visit(f"/?{query}", **{"viewport": {"width": 1280, "height": 720}, **options})
    expect(page.locator(".present-bar")).to_be_attached()
    expect(page.locator("#ask")).to_be_hidden()
    return page


@pytest.mark.parametrize("view", ["map", "ribbons", "network", "step"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_every_text_can_be_read_from_the_last_row(
    visit: Visit, view: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = presented(visit, f"present=1&view={view}&step=2", viewport=viewport)
    assert page.evaluate(SMALL_TEXTS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # The network shows the words itself.
    expect(page.locator(".network svg" if view == "network" else "#wrote")).to_be_in_viewport()


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_whole_map_of_the_opening_example_is_on_the_screen(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = presented(visit, viewport={"width": size[0], "height": size[1]})
    last = page.locator(".column-head, .row-head").all()
    expect(page.locator("#map")).not_to_have_attribute("data-more", "")
    for heading in (*last, page.locator(".corner-read"), page.locator(".corner-wrote")):
        box = heading.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    map_box = page.locator("#map").bounding_box()
    corner = page.locator(".corner-wrote").bounding_box()
    assert map_box is not None
    assert corner is not None
    assert corner["x"] >= map_box["x"] - 1


@pytest.mark.parametrize("model", ["en-fr-additive", "en-fr-transformer"])
def test_the_context_of_the_network_is_on_the_wall(visit: Visit, model: str) -> None:
    page = presented(visit, f"present=1&view=network&model={model}&step=2")
    for _ in range(2):
        expect(page.locator('.network [data-part="context"]')).to_be_in_viewport(ratio=0.9)
        page.keyboard.press("ArrowRight")


def test_the_button_begins_it_and_escape_ends_it(page: Page) -> None:
    page.get_by_role("button", name="Present").click()
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator(".present-bar")).to_be_visible()
    page.get_by_role("button", name="Exit").click()
    expect(page.locator(".present-bar")).to_have_count(0)
    expect(page.locator("#ask")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present"))


def test_the_keys_of_a_presenter_turn_the_words(visit: Visit) -> None:
    page = presented(visit)
    for key in ("ArrowRight", "PageDown"):
        page.keyboard.press(key)
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^3 /"))
    page.keyboard.press("PageUp")
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^2 /"))
    page.keyboard.press("Escape")
    expect(page.locator(".present-bar")).to_have_count(0)


def test_the_next_word_is_hidden_until_it_is_revealed(visit: Visit) -> None:
    page = presented(visit, "present=guess&step=2")
    root = page.locator("html")
    word = page.locator('#wrote [aria-current="step"]')
    transparent = "rgba(0, 0, 0, 0)"
    expect(root).to_have_attribute("data-guess", "hidden")
    expect(word).to_have_css("color", transparent)
    expect(page.locator("#sentence")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-guess", "shown")
    expect(word).not_to_have_css("color", transparent)
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^2 /"))
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-guess", "hidden")
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^3 /"))
    page.keyboard.press("g")
    expect(page).to_have_url(re.compile("present=1"))
    expect(word).not_to_have_css("color", transparent)


def test_a_highlight_follows_the_pointer(visit: Visit) -> None:
    page = presented(visit)
    page.mouse.move(300, 200)
    laser = page.locator(".laser")
    expect(laser).to_be_visible()
    box = laser.bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - 300) <= 1
    assert abs(box["y"] + box["height"] / 2 - 200) <= 1
    page.keyboard.press("l")
    expect(laser).to_be_hidden()


def test_the_cell_under_the_pointer_is_the_one_it_names(visit: Visit) -> None:
    page = presented(visit)
    expect(page.locator("#map")).to_have_attribute("data-painted", re.compile(r"\d"))
    heads = page.locator("#column-heads .column-head")
    column, row = heads.nth(2), page.locator("#row-heads .row-head").nth(1)
    across, down = column.bounding_box(), row.bounding_box()
    assert across is not None
    assert down is not None
    page.mouse.move(across["x"] + across["width"] / 2, down["y"] + down["height"] / 2)
    expect(page.locator("#tooltip")).to_contain_text(f"“{row.inner_text()}” ←")


def test_the_view_is_chosen_in_the_bar(visit: Visit) -> None:
    page = presented(visit)
    page.get_by_label("View", exact=True).select_option("ribbons")
    expect(page.locator("#ribbons svg")).to_be_visible()
    expect(page).to_have_url(re.compile("view=ribbons.*present=1"))


def test_a_tour_goes_on_in_a_presentation(visit: Visit) -> None:
    page = visit("/?tour=attention&at=5&present=1&model=dates-additive&text=3+June+1999&step=11")
    expect(page.locator(".present-bar")).to_be_attached()
    page.locator("#tour-next").evaluate("node => node.click()")
    expect(page.locator("#tour-title")).to_have_text("Repeat until the end")
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator(".present-bar")).to_have_count(1)


def test_a_presentation_keeps_nobody_out(visit: Visit) -> None:
    page = presented(visit, reduced_motion="reduce", color_scheme="dark")
    assert faults(page) == []


def test_on_a_phone_the_result_fills_the_screen(visit: Visit) -> None:
    page = presented(visit, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#wrote")).to_be_in_viewport()
