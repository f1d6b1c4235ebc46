"""The stage: the whole picture of a view is on the first screen, with its player."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit

FRENCH = "/?model=en-fr-additive&text=I do not know where she lives."
TRANSFORMER = FRENCH.replace("additive", "transformer")
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1280, "height": 720}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
PICTURES = {
    f"{FRENCH}&view=map": "#plot-frame",
    f"{FRENCH}&view=ribbons": "#ribbons svg",
    f"{FRENCH}&view=network": ".network svg",
    f"{TRANSFORMER}&view=heads": ".heads-grid",
    f"{TRANSFORMER}&view=network": ".network svg",
    "/picture": "#photo",
    "/picture?view=network": ".network svg",
    "/picture?view=sheet": "#sheet",
    "/see": "#photo",
    "/see?view=heads": ".heads-grid",
    "/see?view=positions": ".positions-all",
    "/graph": ".graph-drawing",
    "/glimpse": ".board",
    "/read": ".arcs-drawing svg",
    "/story": "#story-lines",
}
"""The picture of each view that is shown whole."""


def outside(page: Page, selector: str) -> dict[str, float]:
    """By how many pixels an element leaves the first screen, on each side where it does."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    size = page.evaluate("[document.documentElement.clientWidth, innerHeight]")
    beyond = {
        "left": -box["x"],
        "top": -box["y"],
        "right": box["x"] + box["width"] - size[0],
        "bottom": box["y"] + box["height"] - size[1],
    }
    return {side: pixels for side, pixels in beyond.items() if pixels > 1}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", PICTURES)
def test_the_whole_picture_and_its_player_are_on_the_first_screen(
    visit: Visit, path: str, screen: str
) -> None:
    page = visit(path, **SCREENS[screen])
    expect(page.locator(PICTURES[path]).first).to_be_visible()
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert outside(page, PICTURES[path]) == {}


def test_a_phone_presents_and_shares_and_compares_before_it_offers_choices(visit: Visit) -> None:
    page = visit(f"{FRENCH}&view=compare&with=en-fr-dot", **SCREENS["phone"])
    expect(page.locator(".card .plot-frame").first).to_be_visible()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert outside(page, ".card .plot-frame") == {}
    expect(page.locator("#with")).to_be_hidden()
    page.get_by_text("Models, order and differences").click()
    expect(page.locator("#with")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Present").click()
    expect(page.locator(".present-bar")).to_be_visible()


def test_a_long_map_is_whole_or_scrolls(visit: Visit) -> None:
    text = "A man in a green shirt stands in front of the house. " * 2
    page = visit(f"/?model=en-fr-additive&text={text}&step=5", **SCREENS["laptop"])
    expect(page.get_by_label("fit", exact=True)).to_be_checked()
    page.wait_for_function(
        "() => document.getElementById('map-grid').getBoundingClientRect().bottom <= innerHeight"
    )
    expect(page.locator("#row-heads [data-current]")).to_be_visible()
    page.locator("#size label", has_text="readable").click()
    expect(page).to_have_url(re.compile("size=readable"))
    page.wait_for_function(
        "() => document.getElementById('map-grid').getBoundingClientRect().bottom > innerHeight"
    )
