"""The page of graphs: its drawing, and edits in it."""

from __future__ import annotations

from itertools import pairwise

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(small_models: str) -> str:
    return small_models


@pytest.fixture
def page_of_graphs(visit: Visit) -> Page:
    return visit("/graph")


def test_it_opens_on_an_example_and_a_node_shows_where_it_looks(page_of_graphs: Page) -> None:
    page = page_of_graphs
    expect(page.locator("#graph-title")).to_have_text("Chain")
    expect(page.locator(".graph-node")).to_have_count(4)
    page.locator('[data-node="2"]').click()
    expect(page.locator("#sentence")).to_contain_text("Node “Cid”")
    expect(page.locator(".graph-reads line")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#sentence")).not_to_contain_text("Node “Cid”")


def test_an_edge_is_cut_and_a_node_coloured(page_of_graphs: Page) -> None:
    page = page_of_graphs
    page.locator('[data-node="1"]').click()
    page.get_by_role("button", name="Add or cut an edge").click()
    page.locator('[data-node="2"]').click()
    expect(page.locator(".graph-joins line")).to_have_count(2)
    page.keyboard.press("Escape")
    page.locator('[data-node="1"]').click()
    page.locator(".graph-editor select").first.select_option(label="C")
    expect(page.locator("[data-known]")).to_have_count(3)
    assert "Bob%3A+C" in page.url
    page.go_back()
    expect(page.locator("[data-known]")).to_have_count(2)


def test_a_node_is_dragged_or_moved_with_keys_and_is_saved_there(
    page_of_graphs: Page, address: str
) -> None:
    page = page_of_graphs
    node = page.locator('[data-node="2"]')
    edge = page.locator(".graph-joins line").first
    before, line = node.get_attribute("transform"), edge.get_attribute("x1")
    box = page.locator('[data-node="0"] .graph-target').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 10, steps=4)
    page.mouse.up()
    expect(edge).not_to_have_attribute("x1", line or "")
    expect(node).to_have_attribute("transform", before or "")
    node.click()
    page.keyboard.press("Shift+ArrowLeft")
    expect(node).not_to_have_attribute("transform", before or "")
    expect(node).to_be_focused()
    expect(page.locator("#sentence")).to_contain_text("Node “Cid”")
    with page.expect_response("**/api/v1/traces") as response:
        open_panel(page)
        page.locator("#keep-save").click()
    saved = response.value.json()
    places = httpx.get(f"{address}/api/v1/traces/{saved['id']}").json()["source"]["nodes"]
    given = httpx.post(f"{address}/api/v1/graph", json={"graph": "Chain"}).json()
    moved = [
        one["text"]
        for one, other in zip(places, given["source"]["nodes"], strict=True)
        if (one["x"], one["y"]) != (other["x"], other["y"])
    ]
    assert moved == [places[0]["text"], places[2]["text"]]


def open_panel(page: Page) -> None:
    page.get_by_text("Share and download").click()


def test_a_graph_that_is_too_long_for_an_address_says_so(page_of_graphs: Page) -> None:
    page = page_of_graphs
    before = page.url
    names = [f"{'長' * 30}{place}" for place in range(20)]  # nine letters of an address each
    edges = [f"{one} - {other}" for one, other in pairwise(names)]
    page.get_by_role("button", name="Change").click()
    page.locator("#graph").fill("\n".join([f"{names[0]}: A", *edges]))
    page.get_by_role("button", name="Classify").click()
    expect(page.locator("#form-error")).to_contain_text("too long for an address")
    expect(page.locator(".graph-node")).to_have_count(20)
    assert page.url == before
    open_panel(page)
    page.locator("#copy-link").click()
    expect(page.locator("#share-said")).to_contain_text("too long for an address")


def test_a_bad_graph_is_refused_beside_its_text(page_of_graphs: Page) -> None:
    page = page_of_graphs
    page.get_by_role("button", name="Change").click()
    page.locator("#graph").fill("Ann: A\nAnn - Ann")
    page.get_by_role("button", name="Classify").click()
    expect(page.locator("#graph-error")).to_contain_text("joins a node to itself")
    expect(page.locator("#graph")).to_be_visible()
