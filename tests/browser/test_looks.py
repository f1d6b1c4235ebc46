"""How it looks: on a phone, in the dark, on paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.forms import open_form
from tests.browser.visits import Visit

PHONE = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
SMALLEST_TARGET = 44


def background(page: Page, selector: str = "body") -> str:
    return page.locator(selector).first.evaluate("node => getComputedStyle(node).backgroundColor")


@pytest.mark.parametrize("query", ["", "?show=search+numbers+table+call&search=sample"])
def test_the_page_never_scrolls_sideways(visit: Visit, query: str) -> None:
    page = visit(f"/{query}", **PHONE)
    for width in (768, 390, 360, 320):
        page.set_viewport_size({"width": width, "height": 780})
        page.wait_for_function(
            "(width) => document.documentElement.scrollWidth <= width && innerWidth === width",
            arg=width,
        )


@pytest.mark.parametrize(
    "path", ["/?show=search+call&search=beam", "/picture?show=search+call&search=beam"]
)
def test_on_a_phone_a_finger_hits_what_it_means(visit: Visit, path: str) -> None:
    page = visit(path, **PHONE)
    kinds = ("button", "select", "summary", "textarea", "input[type=number]")
    targets = page.locator(", ".join(f"{kind}:visible" for kind in kinds))
    for target in targets.all():
        found = target.bounding_box()
        assert found is not None
        name = target.get_attribute("id") or target.inner_text()
        assert found["height"] >= SMALLEST_TARGET, f"{name} is {found['height']} high"
        assert found["width"] >= SMALLEST_TARGET, f"{name} is {found['width']} wide"


def test_a_tap_chooses_a_step(visit: Visit) -> None:
    page = visit("/", **PHONE)
    page.locator('#wrote [data-row="2"]').tap()
    expect(page.locator("#place")).to_have_text(re.compile("^3 /"))


def test_a_tap_on_a_cell_shows_its_numbers(visit: Visit) -> None:
    page = visit("/", **PHONE)
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.locator("#plot-frame").scroll_into_view_if_needed()
    cells, box = page.locator("#plot-frame").bounding_box(), page.locator("#map").bounding_box()
    assert cells is not None
    assert box is not None
    rows = page.locator("#row-heads > *").count()
    right = min(cells["x"] + cells["width"], box["x"] + box["width"])
    page.touchscreen.tap(right - 20, cells["y"] + cells["height"] * 2.5 / rows)
    expect(page.locator("#place")).to_have_text(re.compile("^3 /"))
    expect(page.locator("#tooltip")).to_contain_text("α")


def test_the_first_screen_of_a_phone_shows_input_output_and_play(
    visit: Visit,
) -> None:
    page = visit("/", **PHONE)
    for part in ("#text", "#read", "#wrote", "#sentence", "#play"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_in_the_dark_the_page_is_dark_and_so_is_the_map(visit: Visit) -> None:
    light, dark = visit("/", color_scheme="light"), visit("/", color_scheme="dark")
    for page in (light, dark):
        expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    assert background(light) == "rgb(251, 250, 247)"
    assert background(dark) == "rgb(19, 21, 23)"
    lowest = "() => document.querySelector('#plot').data[0].colorscale[0][1]"
    assert dark.evaluate(lowest) == "#131517"
    assert light.evaluate(lowest) == "#fbfaf7"


def test_the_other_theme_is_one_click_and_is_remembered(visit: Visit) -> None:
    page = visit("/", color_scheme="light")
    page.get_by_role("button", name="Dark colours").click()
    assert background(page) == "rgb(19, 21, 23)"
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    page.reload()
    assert background(page) == "rgb(19, 21, 23)"
    expect(page.get_by_role("button", name="Dark colours")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="Dark colours").click()
    assert background(page) == "rgb(251, 250, 247)"


@pytest.mark.parametrize("path", ["/other", "/learn", "/nothing-here", "/t/nothing"])
def test_pages_without_a_stage_change_their_colours_too(visit: Visit, path: str) -> None:
    page = visit.blank(color_scheme="light")
    page.goto(path)
    button = page.get_by_role("button", name="Dark colours")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 23)")


OUTLINE = """() => {
  const focused = document.activeElement;
  const drawn = focused.closest(".segments label")?.querySelector("span") ?? focused;
  return getComputedStyle(drawn).outlineStyle;
}"""


def test_focus_can_be_seen(page: Page) -> None:
    page.locator("#text").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate(OUTLINE) != "none", page.locator(":focus").get_attribute("id")


def test_the_skip_link_leads_past_the_header(page: Page) -> None:
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_on_paper_the_controls_are_left_out(page: Page) -> None:
    page.emulate_media(media="print")
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator(".player")).to_be_hidden()
    expect(page.locator("#read")).to_be_visible()
    expect(page.locator("#map")).to_be_visible()


def test_nothing_jumps_while_another_answer_comes(page: Page) -> None:
    before = page.locator("#map").bounding_box()
    open_form(page)
    page.locator("#examples button").nth(1).click()
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    after = page.locator("#map").bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] == after["y"]
