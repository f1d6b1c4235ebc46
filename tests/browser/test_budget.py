"""What opening the page may cost: bytes, requests, and nothing that jumps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.visits import Visit

OURS = 130_000
"""Bytes over the wire for everything but Plotly: page, styles, modules, the first trace."""
PLOTLY = 450_000
REQUESTS = 15

MOVED = """;
  window.moved = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
"""


def test_opening_it_stays_within_its_budget(visit: Visit) -> None:
    page = visit.blank(fresh=True)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}

    def asked(event: Mapping[str, Any]) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    def loaded(event: Mapping[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", loaded)
    page.goto("/")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.wait_for_load_state("networkidle")
    plotly = sum(size for id, size in sizes.items() if urls[id].endswith("plotly.min.js"))
    ours = sum(sizes.values()) - plotly
    assert 0 < plotly < PLOTLY
    assert 0 < ours < OURS, ours
    assert len(urls) < REQUESTS


def test_a_second_visit_fetches_no_file_again(visit: Visit) -> None:
    page = visit("/")
    page.wait_for_load_state("networkidle")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    asked: dict[str, str] = {}
    kept: set[str] = set()

    def answered(event: Mapping[str, Any]) -> None:
        asked[event["requestId"]] = event["response"]["url"]
        if event["response"]["fromDiskCache"] or event["response"].get("fromPrefetchCache"):
            kept.add(event["requestId"])

    session.on("Network.responseReceived", answered)
    session.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))
    page.goto("/?scale=row")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.wait_for_load_state("networkidle")
    assert any("/static/" in url for url in asked.values())
    assert not [url for id, url in asked.items() if "/static/" in url and id not in kept]


ASKED_LATELY = """localStorage.setItem("heed-recent", '["my own words"]')"""


@pytest.mark.parametrize("size", [(1280, 900), (360, 740)])
@pytest.mark.parametrize("before", ["", ASKED_LATELY])
def test_nothing_jumps_while_it_opens(visit: Visit, size: tuple[int, int], before: str) -> None:
    page = visit.blank(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(before + MOVED)
    page.goto("/")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") < 0.01


@pytest.mark.parametrize("size", [(1280, 900), (1440, 900), (390, 844)])
@pytest.mark.parametrize(
    "path", ["/", "/?model=en-fr-additive&text=Two+women+talk.&wait=1", "/picture"]
)
def test_what_the_script_fills_in_has_its_room_from_the_start(
    visit: Visit, path: str, size: tuple[int, int]
) -> None:
    page = visit.blank(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(MOVED)
    page.goto(path)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") < 0.01


def test_the_modules_of_the_start_come_in_one_bundle(visit: Visit) -> None:
    page = visit.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    bundle = page.locator("script[type=module]").get_attribute("src") or ""
    # The explanations and what takes files are loaded once the page is there.
    others = ("/shell/explanations.js", "/shell/file_drop.js")
    bundles = [url for url in asked if "/bundles/" in url and not url.endswith(others)]
    assert [url.removeprefix(page.url.rstrip("/")) for url in bundles] == [bundle]


def test_the_tabs_of_the_views_have_their_room_from_the_start(visit: Visit) -> None:
    titles = visit("/").locator("#view label:visible").all_text_contents()
    assert "Map" in titles
    page = visit.blank()
    page.route("**/bundles/text_page.js", lambda route: None)  # it is still on its way
    page.goto("/", wait_until="commit")
    expect(page.locator("#view label")).to_have_text(titles)
