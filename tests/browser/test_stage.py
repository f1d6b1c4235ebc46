"""The stage: the whole picture of a view is on the first screen, with its player."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import FilePayload, expect

from tests.browser.screens import DEVICES, choose_view, whole_on_first_screen
from tests.browser.visits import Visit

FRENCH = "/?model=en-fr-additive&text=I do not know where she lives."
RIVER = "The old man with the white hat walks slowly along the river"
TEXTS = [f"{RIVER}.", f"{RIVER} and his dog runs before him to the bridge.", f"{RIVER}. " * 6]
"""Texts of 13, 22 and 78 words."""
STORY = "Mary went to the kitchen.%0AJohn went to the garden.%0A" * 7
PICTURES = {
    FRENCH: {
        "map": "#plot-frame",
        "ribbons": "#ribbons svg",
        "network": ".network svg",
    },
    f"{FRENCH}&editing=1": {
        "map": "#plot-frame",
        "ribbons": "#ribbons svg",
        "step": "#chain",
        "audit": ".audit-maps figure",
    },
    **{
        f"/?model={model}&text={text}": {
            "map": "#map-grid",
            "ribbons": "#ribbons svg",
            **({} if text is TEXTS[-1] else {"audit": ".audit-maps figure"}),
            "compare": ".card .plot-frame",
        }
        for text in TEXTS
        for model in ("en-fr-additive", "en-fr-transformer")
    },
    **{f"/read?text={text}": {"arcs": ".arcs-drawing svg", "map": "#map-grid"} for text in TEXTS},
    FRENCH.replace("additive", "transformer"): {"heads": ".heads-grid", "network": ".network svg"},
    f"{FRENCH.replace('additive', 'transformer')}&map=encoder-self": {"arcs": ".arcs-drawing svg"},
    "/picture": {
        "photo": "#photo",
        "network": ".network svg",
        "sheet": "#sheet",
        "audit": ".audit-maps figure",
    },
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
    f"/story?story={STORY}&question=Where is Mary?": {"map": "#story-lines"},
}
"""The picture of each view that is shown whole; of an audit on a phone, the first map."""


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


@pytest.mark.parametrize("path", [FRENCH, f"{FRENCH}&editing=1", "/picture?model=caption-soft"])
def test_the_maps_of_an_audit_stand_in_one_line_on_a_desktop(visit: Visit, path: str) -> None:
    page = visit(f"{path}{'&' if '?' in path else '?'}view=audit")
    expect(page.locator(".audit-maps figure")).to_have_count(4, timeout=60_000)
    whole_on_first_screen(page, "desktop", ".audit-maps", "#play")
    tops = "all => new Set(all.map((each) => each.getBoundingClientRect().top)).size"
    assert page.locator(".audit-maps figure").evaluate_all(tops) == 1


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("size", [(300, 1500), (3000, 300)], ids=["tall", "wide"])
def test_all_words_are_whole_over_a_tall_and_a_wide_photo(
    visit: Visit, size: tuple[int, int], device: str
) -> None:
    page = visit("/picture?view=sheet", **DEVICES[device])
    photo = BytesIO()
    Image.linear_gradient("L").resize(size).save(photo, "PNG")
    file = FilePayload(name="photo.png", mimeType="image/png", buffer=photo.getvalue())
    with page.expect_response("**/api/v1/caption"):
        page.locator("#file").set_input_files(file)
    shape = re.compile(r"--aspect: (0\.3|4);")
    expect(page.locator("#sheet")).to_have_attribute("style", shape)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    whole_on_first_screen(page, device, "#sheet", "#sheet > :last-child", "#play")


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
