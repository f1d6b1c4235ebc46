"""The first screen: the sentence, the player and the whole map together, in their true colours."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.canned import trace
from tests.browser.forms import open_form
from tests.browser.visits import Visit

Answer = Callable[[Page, dict[str, Any]], None]
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = [LAPTOP, PHONE]
DARKEST = (10, 52, 80)
"""The colour of the largest weight in the light theme."""
FRENCH = "/?model=en-fr-additive"
FITTED = "/?model=en-fr-transformer&size=fit&text=" + "+".join(
    ["the", "small", "cat", "sleeps"] * 4
)
LONG = [["the"], ["inter", "nation", "al"], ["organ", "isation"], ["of"], ["words"]] * 6


def place(locator: Locator) -> FloatRect:
    """The rectangle of an element in the window."""
    found = locator.bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("screen", SCREENS, ids=["laptop", "phone"])
@pytest.mark.parametrize("path", ["/", FRENCH])
def test_the_opening_example_needs_no_scrolling(
    visit: Visit, screen: dict[str, Any], path: str
) -> None:
    page = visit(path, **screen)
    for part in ("#text", "#read", "#wrote", "#sentence", "#play", "#map-note", "#plot-frame"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0
    inside = "map => map.scrollHeight <= map.clientHeight && map.scrollWidth <= map.clientWidth"
    assert page.locator("#map").evaluate(inside)


@pytest.mark.parametrize("screen", SCREENS, ids=["laptop", "phone"])
def test_what_the_page_is_for_is_said_on_every_screen(visit: Visit, screen: dict[str, Any]) -> None:
    page = visit("/", **screen)
    expect(page.locator(".tagline")).to_be_in_viewport(ratio=1)
    expect(page.locator(".tagline")).to_contain_text("Attention, made visible")
    expect(page.locator("#map-note")).to_contain_text("Attention is how much the model looks at")


@pytest.mark.parametrize("path", [FRENCH, FITTED], ids=["small", "fitted"])
@pytest.mark.parametrize("screen", SCREENS, ids=["laptop", "phone"])
def test_a_map_is_there_before_the_script_as_it_is_after(
    visit: Visit, screen: dict[str, Any], path: str
) -> None:
    first = visit.blank(**screen)
    first.route("**/bundles/text_page.js", lambda route: None)  # never loaded
    first.goto(f"{path}&wait=1", wait_until="commit")
    expect(first.locator("#served")).to_have_attribute("data-fitted", "")
    before = [place(first.locator("#served tbody td").nth(at)) for at in (0, -1)]
    page = visit(f"{path}&wait=1", **screen)
    frame = place(page.locator("#plot-frame"))
    assert abs(before[0]["x"] - frame["x"]) <= 2
    assert abs(before[0]["y"] - frame["y"]) <= 2
    assert abs(before[1]["x"] + before[1]["width"] - frame["x"] - frame["width"]) <= 2
    assert abs(before[1]["y"] + before[1]["height"] - frame["y"] - frame["height"]) <= 2


def test_the_form_opens_where_it_is_used_and_folds_after_a_translation(page: Page) -> None:
    change = page.locator("#change")
    expect(change).to_have_text("Change")
    expect(page.locator("#model-now")).to_have_text(
        page.locator("#model option:checked").inner_text()
    )
    for hidden in ("#examples", "#model", "#search", "#about"):
        expect(page.locator(hidden)).to_be_hidden()
    page.locator("#text").click()
    expect(page.locator("#examples")).to_be_visible()
    expect(change).to_have_attribute("aria-expanded", "true")
    page.locator("#text").fill("5 june 2001")
    page.get_by_role("button", name="Translate").click()
    expect(page.locator("#read .visually-hidden")).to_have_text("5 june 2001")
    expect(page.locator("#fold")).to_be_hidden()
    expect(change).to_be_focused()


def test_the_form_opens_and_closes_by_keyboard(page: Page) -> None:
    change = page.locator("#change")
    change.focus()
    page.keyboard.press("Enter")
    expect(change).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#model")).to_be_visible()
    page.locator("#examples button").first.focus()
    page.keyboard.press("Escape")
    expect(page.locator("#fold")).to_be_hidden()
    expect(change).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#fold")).to_be_visible()


def test_it_stays_open_while_the_model_and_the_decoding_are_chosen(page: Page) -> None:
    open_form(page)
    page.locator("#model").select_option("dates-dot")
    expect(page).to_have_url(re.compile("model=dates-dot"))
    expect(page.locator("#model")).to_be_visible()
    expect(page.locator("#model-now")).to_have_text(
        page.locator("#model option:checked").inner_text()
    )


def test_an_address_with_its_options_opens_the_form(visit: Visit) -> None:
    page = visit("/?show=search")
    expect(page.locator("#search")).to_be_visible()


def test_the_facts_about_the_model_are_behind_a_summary(page: Page) -> None:
    open_form(page)
    expect(page.locator("#facts")).to_be_hidden()
    page.get_by_text("About this model").click()
    expect(page.locator("#facts")).to_contain_text("parameters")


def test_without_a_script_the_form_is_open(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto("/")
    expect(page.get_by_label("Model", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Translate")).to_be_visible()
    expect(page.locator("#change")).to_be_hidden()
    expect(page.locator("#served td[data-shade]").first).to_be_visible()


def test_a_row_has_its_true_colours_whichever_is_current(page: Page) -> None:
    strongest = """() => {
      const { z } = document.querySelector("#plot").data[0];
      const row = z.findIndex((line) => line.includes(1));
      return [row, z[row].indexOf(1)];
    }"""
    row, column = page.evaluate(strongest)
    frame = place(page.locator("#plot-frame"))
    cell = (
        frame["width"] / page.locator("#column-heads > *").count(),
        frame["height"] / page.locator("#row-heads > *").count(),
    )
    corner = {"x": frame["x"] + column * cell[0] + 3, "y": frame["y"] + row * cell[1] + 3}
    for key in ("Home", "End"):
        page.locator("#slider").press(key)
        shot = page.screenshot(clip={**corner, "width": 2, "height": 2})
        colours = Image.open(BytesIO(shot)).convert("RGB").getcolors()
        assert colours is not None
        [(_, colour)] = colours
        assert colour == pytest.approx(DARKEST, abs=2)


def test_while_it_plays_later_rows_are_hidden_and_written_ones_are_not_tinted(page: Page) -> None:
    hidden = page.locator(".unwritten")
    expect(hidden).to_be_hidden()
    page.get_by_role("button", name="Play").click()
    expect(hidden).to_be_visible()
    style = hidden.evaluate("node => [getComputedStyle(node).opacity, node.offsetTop]")
    assert style[0] == "1"
    page.get_by_role("button", name="Pause").click()
    expect(hidden).to_be_hidden()


def test_the_numbers_in_the_cells_are_those_of_the_trace(visit: Visit, address: str) -> None:
    text = "I do not know where she lives."
    page = visit(f"{FRENCH}&units=subwords&text={text}")
    body = {"model": "en-fr-additive", "text": text}
    answer = httpx.post(f"{address}/api/v1/translate", json=body).json()
    numbers = page.locator("#cell-numbers span").evaluate_all(
        "nodes => nodes.map(node => [node.style.gridArea, node.textContent])"
    )
    shown = {tuple(int(at) for at in area.split("/")[:2]): number for area, number in numbers}
    for row, weights in enumerate(answer["maps"][0]["weights"], 1):
        for column, weight in enumerate(weights, 1):
            number = shown.get((row, column))
            assert weight < 0.005 if number is None else abs(float(number) - weight) <= 0.0051


def test_numbers_are_left_out_where_they_do_not_fit(visit: Visit, answer: Answer) -> None:
    page = visit.blank(viewport={"width": 800, "height": 700})
    answer(page, trace(LONG, LONG))
    page.goto("/?units=subwords")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    expect(page.locator("#cell-numbers span")).to_have_count(0)


def test_the_width_of_the_cells_follows_the_window_without_a_jump(
    visit: Visit, answer: Answer
) -> None:
    page = visit.blank(viewport={"width": 1200, "height": 800})
    words = [["international"], ["house"], ["on"], ["the"], ["hill"], ["of"], ["my"], ["friend"]]
    answer(page, trace(words, words))
    page.goto("/?units=words")
    cell = page.locator("#column-heads > *").first
    widths = []
    for count, width in enumerate(range(1200, 600, -100), 1):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator("#map")).to_have_attribute("data-painted", str(count))
        widths.append(place(cell)["width"])
    steps = [before - after for before, after in itertools.pairwise(widths)]
    assert all(0 <= step <= 20 for step in steps), widths
    assert widths[0] > 1.5 * widths[-1]


@pytest.mark.parametrize("width", [900, 1100, 1107, 1114, 1280])
def test_a_map_that_fits_has_nothing_to_scroll_to(visit: Visit, width: int) -> None:
    page = visit("/?text=I do not know where she lives.", viewport={"width": width, "height": 900})
    assert page.evaluate("map.scrollWidth - map.clientWidth") == 0
    expect(page.locator("#map")).not_to_have_attribute("data-more", "")


def test_texts_are_marked_with_their_language(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto(f"{FRENCH}&wait=1")
    for part, language in {"#read": "en", "#wrote": "fr", "#served tbody": "fr"}.items():
        expect(page.locator(part)).to_have_attribute("lang", language)
    page = visit(FRENCH)
    for part, language in {
        "#text": "en",
        "#read": "en",
        "#wrote": "fr",
        "#column-heads": "en",
        "#row-heads": "fr",
    }.items():
        expect(page.locator(part)).to_have_attribute("lang", language)
    page.goto("/?model=dates-additive")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert page.locator("#wrote").get_attribute("lang") is None


@pytest.mark.parametrize("screen", SCREENS, ids=["laptop", "phone"])
def test_the_player_stays_in_sight_while_the_page_scrolls(
    visit: Visit, screen: dict[str, Any]
) -> None:
    page = visit("/?view=step&show=table", **screen)
    expect(page.locator("#table-body table")).to_be_attached()
    page.evaluate("scrollTo({ top: 500, behavior: 'instant' })")
    expect(page.locator("#play")).to_be_in_viewport(ratio=1)
    assert abs(place(page.locator(".player"))["y"]) < 1


def test_on_paper_is_the_sentence_and_the_map(visit: Visit) -> None:
    page = visit(FRENCH, color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    for hidden in ("#ask", ".player", "#sentence", ".picture-head", "#call", ".lit"):
        expect(page.locator(hidden)).to_be_hidden()
    for shown in ("#read", "#wrote", "#map-note", "#plot-frame"):
        expect(page.locator(shown)).to_be_visible()
    assert place(page.locator("#map-grid"))["width"] <= 680
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"


@pytest.mark.parametrize("path", [f"{FRENCH}&view=step&step=3", "/story?view=step"])
def test_a_step_is_printed_on_one_page(visit: Visit, path: str) -> None:
    page = visit(path)
    expect(page.locator(".part[data-open] .bars li").first).to_be_visible()
    assert len(re.findall(rb"/Type ?/Page\b", page.pdf(format="A4"))) == 1


@pytest.mark.parametrize("screen", SCREENS, ids=["laptop", "phone"])
def test_the_photo_its_caption_and_the_player_need_no_scrolling(
    visit: Visit, screen: dict[str, Any]
) -> None:
    page = visit("/picture", **screen)
    for part in ("#gallery", "#wrote", "#sentence", "#play", "#photo"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator("#model-now")).to_have_text(
        page.locator("#model option:checked").inner_text()
    )
    expect(page.locator("#model")).to_be_hidden()
    page.locator("#change").click()
    expect(page.locator("#model")).to_be_visible()
