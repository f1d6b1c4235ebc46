"""What a person finds when the page opens."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.canned import trace
from tests.browser.canned_pictures import trace as picture_trace
from tests.browser.forms import open_form
from tests.browser.shifts import SHIFTS
from tests.browser.visits import Visit

DESKTOP, PHONE = (1280, 900), (360, 740)
LINK = "/?text=3+June+1999&wait=1"  # so that its answer comes on the slowest machine, too
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length"


def test_it_opens_on_a_finished_example(page: Page, address: str) -> None:
    models = httpx.get(f"{address}/api/v1/models").json()["models"]
    default = next(model for model in models if model["default"])
    expect(page.locator("#text")).to_have_value(default["examples"][0])
    expect(page.locator("#model")).to_have_value(default["id"])
    expect(page.locator("#wrote [data-row]").first).to_be_visible()
    expect(page.locator("#sentence")).to_have_text(re.compile(r"^Step 1 of \d+: wrote “.+”"))
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    expect(page.locator("#plot .heatmaplayer image")).to_have_count(1)


def test_opening_logs_nothing_and_asks_no_other_host(visit: Visit) -> None:
    page = visit.blank()
    heard: list[str] = []
    hosts: set[str] = set()
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    page.goto("/")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.wait_for_load_state("networkidle")
    assert heard == []
    assert len(hosts) == 1


def test_every_model_can_be_chosen(page: Page, address: str) -> None:
    every = httpx.get(f"{address}/api/v1/models").json()["models"]
    models = [model for model in every if model["task"] in ("dates", "translate")]
    options = page.locator("#model option")
    assert options.all_text_contents() == [model["name"] for model in models]
    pairs = {(model["source"]["name"], model["target"]["name"]) for model in models}
    assert page.locator("#model optgroup").count() == len(pairs)


def test_it_can_be_read_aloud(page: Page) -> None:
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page.locator("#answered")).to_have_role("status")
    expect(page.locator("#plot-frame")).to_have_attribute("aria-label", re.compile("heatmap"))
    expect(page.get_by_role("slider", name="Step")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.get_by_label("Sentence", exact=True)).to_be_visible()
    open_form(page)
    expect(page.get_by_label("Model", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Attention", exact=True)).to_be_visible()


def test_its_example_is_there_before_any_module(visit: Visit) -> None:
    page = visit.blank()
    page.route("**/bundles/text_page.js", lambda route: None)  # it is still on its way
    page.goto("/", wait_until="commit")
    page.wait_for_function(PAINTED)
    table = page.locator("#served")
    expect(table).to_be_visible()
    shades = table.locator("tbody td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(shades)) > 4
    expect(page.locator("#read")).to_contain_text(page.locator("#text").input_value())
    expect(page.locator("#change")).to_be_visible()
    expect(page.locator("#fold")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
def test_the_map_stands_where_the_table_stood(visit: Visit, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    first = visit.blank(viewport=viewport)
    first.route("**/bundles/text_page.js", lambda route: None)
    first.goto("/", wait_until="commit")
    first.wait_for_function(PAINTED)
    cells = first.locator("#served tbody td")
    before = cells.first.bounding_box()
    rows = first.locator("#served tbody tr").count()
    page = visit("/", viewport=viewport)
    after = page.locator("#plot-frame").bounding_box()
    assert before is not None
    assert after is not None
    assert page.locator("#served").count() == 0
    columns = cells.count() / rows
    scrolled = page.locator("#map").evaluate("map => map.scrollLeft")
    assert abs(before["x"] - after["x"] - scrolled) <= 2
    assert abs(before["y"] - after["y"]) <= 2
    assert abs(before["width"] * columns - after["width"]) <= columns
    assert abs(before["height"] * rows - after["height"]) <= 2


def test_what_came_with_the_page_is_not_asked_for_again(visit: Visit) -> None:
    page = visit.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for address in ("/", LINK, f"{LINK}&view=ribbons&step=3"):
        page.goto(address)
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        expect(page.locator("#wrote")).to_contain_text("1" if address == "/" else "1999-06-03")
    assert not [url for url in asked if "/api/" in url]
    page.locator("#text").fill("4 June 1999")
    page.get_by_role("button", name="Translate").click()
    expect(page.locator("#wrote")).to_contain_text("1999-06-04")
    assert [url for url in asked if url.endswith("/translate")]


def test_a_link_that_asks_for_something_else_is_not_given_what_came(visit: Visit) -> None:
    page = visit(f"{LINK}&beam=0x3&search=beam")  # which the script alone can read
    expect(page.locator("#hypotheses-list label")).to_have_count(3)


@pytest.mark.parametrize(
    ("looks", "size"),
    [
        ("", DESKTOP),
        ("", PHONE),
        ("&view=ribbons", DESKTOP),  # on a phone the tools are below a map, above other views
        ("&scale=row&step=4", DESKTOP),
        ("&scale=row&step=4", PHONE),
        ("&show=table", DESKTOP),
        ("&show=table", PHONE),
    ],
)
def test_nothing_jumps_when_the_script_takes_over(
    visit: Visit, size: tuple[int, int], looks: str
) -> None:
    page = visit.blank(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(f"{LINK}{looks}")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert page.evaluate("() => shifts") <= 0.01


@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
@pytest.mark.parametrize("query", ["", "?view=step&step=2"])
def test_a_saved_trace_moves_nothing_and_is_not_requested_again(
    visit: Visit, address: str, size: tuple[int, int], query: str
) -> None:
    given = trace([["some"], ["words"]], [["other"], ["words"]])
    saved = httpx.post(f"{address}/api/v1/traces", json=given).json()
    page = visit.blank(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(f"({SHIFTS})()")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(saved["url"] + query)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.get_by_text("This is a saved result.")).to_be_visible()
    assert page.evaluate("() => shifts") <= 0.01
    assert not [url for url in asked if "/api/" in url]


def test_a_saved_picture_comes_with_its_trace(visit: Visit, address: str) -> None:
    saved = httpx.post(f"{address}/api/v1/traces", json=picture_trace()).json()
    page = visit.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(saved["url"])
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert not [url for url in asked if "/api/" in url]


def test_without_javascript_a_saved_picture_is_a_table_of_its_strongest_cells(
    visit: Visit, address: str
) -> None:
    saved = httpx.post(f"{address}/api/v1/traces", json=picture_trace()).json()
    page = visit.blank(java_script_enabled=False)
    page.goto(saved["url"])
    row = page.get_by_role("row").filter(has_text="woman")
    expect(row).to_contain_text(re.compile(r"0\.\d\d\s+row \d+, column \d+: 0\.\d\d; row"))


def test_without_javascript_a_refused_question_says_why_beside_the_form(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto("/?text=+&wait=1")
    expect(page.get_by_role("alert").filter(has_text="Write a sentence first")).to_be_visible()
    page.get_by_label("Sentence", exact=True).fill("5 July 2003")
    page.get_by_role("button", name="Translate").click()
    expect(page.locator("#wrote")).to_contain_text("2003-07-05")
    expect(page.get_by_role("alert").filter(has_text="Write a sentence first")).to_have_count(0)


def test_without_javascript_its_example_is_a_table_with_numbers(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto("/")
    expect(page.get_by_text("With JavaScript you can")).to_be_visible()
    shows_a_table(page)


def test_without_javascript_a_link_is_a_table_and_the_form_asks_for_another(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto(f"{LINK}&view=ribbons")
    expect(page.locator("#read")).to_contain_text("3 June 1999")
    shows_a_table(page)
    page.get_by_label("Sentence", exact=True).fill("5 July 2003")
    page.get_by_label("Model", exact=True).select_option("dates-dot")
    page.get_by_text("Decoding: greedy").click()
    page.get_by_label("Beam keeps the best hypotheses").check()
    page.get_by_role("button", name="Translate").click()
    expect(page.locator("#read")).to_contain_text("5 July 2003")
    expect(page.locator("#wrote")).to_contain_text("2003-07-05")
    expect(page.get_by_label("Model", exact=True)).to_have_value("dates-dot")
    expect(page.get_by_text("Decoding: beam search, width 4")).to_be_visible()
    shows_a_table(page)


def shows_a_table(page: Page) -> None:
    """The weights can be read, and nothing is there that only a script could move."""
    expect(page.locator("#served tbody th").first).to_be_visible()
    number = page.locator("#served tbody td").first
    expect(number).to_have_text(re.compile(r"^\d\.\d\d$"))
    assert number.evaluate("cell => getComputedStyle(cell).color") != "rgba(0, 0, 0, 0)"
    for hidden in ("#theme", "#examples", ".player", ".picture-head", "#numbers", "#bring"):
        expect(page.locator(hidden)).to_be_hidden()


@pytest.mark.parametrize("path", ["/picture", "/docs"])
def test_without_javascript_a_page_that_needs_it_says_so_and_no_more(
    visit: Visit, path: str
) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto(path)
    expect(page.locator(".noscript")).to_contain_text("JavaScript")
    assert page.locator("main :is(p, button, input, img, canvas):visible").count() == 0
    expect(page.locator("#theme")).to_be_hidden()


def test_an_address_that_is_none_is_a_page_that_leads_back(visit: Visit) -> None:
    page = visit.blank()
    answered = page.goto("/nothing-here")
    assert answered is not None
    assert answered.status == 404
    page.get_by_role("link", name="Open Heed").click()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
