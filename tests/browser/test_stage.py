"""The stage: the whole picture of a view is on the first screen, with its player."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.screens import DEVICES, choose_view, whole_on_first_screen
from tests.browser.visits import Visit

FRENCH = "/?model=en-fr-additive&text=I do not know where she lives."
PICTURES = {
    FRENCH: {
        "map": "#plot-frame",
        "ribbons": "#ribbons svg",
        "network": ".network svg",
    },
    f"{FRENCH}&editing=1": {"map": "#plot-frame", "ribbons": "#ribbons svg", "step": "#chain"},
    FRENCH.replace("additive", "transformer"): {"heads": ".heads-grid", "network": ".network svg"},
    f"{FRENCH.replace('additive', 'transformer')}&map=encoder-self": {"arcs": ".arcs-drawing svg"},
    "/picture": {"photo": "#photo", "network": ".network svg", "sheet": "#sheet"},
    "/picture?model=caption-transformer": {"heads": ".heads-grid"},
    "/see": {
        "photo": "#photo",
        "map": "#map-grid",
        "heads": ".heads-grid",
        "positions": ".positions-all",
    },
    "/see?head=3&editing=1": {"map": "#map-grid"},
    "/graph": {"graph": ".graph-drawing", "map": "#map-grid"},
    "/graph?editing=1": {"map": "#map-grid", "graph": ".graph-drawing"},
    "/glimpse": {"path": ".board", "map": "#plot-frame"},
    "/read": {"arcs": ".arcs-drawing svg", "map": "#plot-frame"},
    "/story": {"map": "#story-lines"},
}
"""The picture of each view that is shown whole."""


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("path", PICTURES)
def test_the_whole_picture_of_a_view_and_its_player_are_on_the_first_screen(
    visit: Visit, path: str, device: str
) -> None:
    page = visit(path, **DEVICES[device])
    for view, picture in PICTURES[path].items():
        if page.locator("#stage").get_attribute("data-view") != view:
            choose_view(page, view)
        whole_on_first_screen(page, device, picture, "#play")


def test_the_maps_of_an_audit_stand_in_one_line_on_a_desktop(visit: Visit) -> None:
    page = visit(f"{FRENCH}&view=audit")
    expect(page.locator(".audit-maps figure")).to_have_count(4)
    whole_on_first_screen(page, "desktop", ".audit-maps", "#play")


def test_a_phone_presents_and_shares_and_compares_before_it_offers_choices(visit: Visit) -> None:
    page = visit(f"{FRENCH}&view=compare&with=en-fr-dot", **DEVICES["phone"])
    expect(page.locator(".card .plot-frame").first).to_be_visible()
    whole_on_first_screen(page, "phone", ".card .plot-frame")
    expect(page.locator("#with")).to_be_hidden()
    page.get_by_text("Models, order and differences").click()
    expect(page.locator("#with")).to_be_visible()
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Present").click()
    expect(page.locator(".present-bar")).to_be_visible()


LONG = {
    "text": "/?model=en-fr-additive&step=5&text="
    + "A man in a green shirt stands in front of the house. " * 2,
    "graph": "/graph?view=map&step=5",
    "patches": "/see?view=map&step=5",
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_map_is_whole_or_scrolls(visit: Visit, name: str) -> None:
    page = visit(LONG[name], viewport={"width": 1280, "height": 720})
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
