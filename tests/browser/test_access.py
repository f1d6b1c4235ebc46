"""Nothing that axe knows of keeps anybody out, in any view and theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.canned import trace
from tests.browser.visits import Visit

DATES = "/?model=dates-additive&text=the%203rd%20of%20May%201979&show=search+numbers+table+call"
NO_STOPS = ("RootWebArea", "main")
"""Elements that scripts and links can focus, and the keyboard does not stop at."""
READY = {
    "map": "#map[data-painted]",
    "ribbons": "#ribbons svg",
    "step": "#chain .part",
    "audit": ".audit-verdict > li",
    "compare": "#compare-cards[data-drawn='2']",
}


def faults(page: Page) -> list[str]:
    """What axe finds, in a line each."""
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", READY)
def test_no_view_keeps_anybody_out(visit: Visit, view: str, theme: str) -> None:
    page = visit(f"{DATES}&view={view}&with=dates-dot", color_scheme=theme)
    expect(page.locator(READY[view])).not_to_have_count(0)
    assert faults(page) == []


PAGES = ["/?model=en-fr-transformer", "/picture", "/read", "/story", "/graph", "/glimpse", "/see"]


@pytest.mark.parametrize("path", PAGES)
def test_no_view_of_any_page_keeps_anybody_out(visit: Visit, path: str) -> None:
    page = visit(path)
    for view in page.locator("#view label:visible input").all():
        view.check(force=True)
        expect(page.locator("#stage")).to_have_attribute("data-view", view.input_value())
        page.wait_for_load_state("networkidle")
        assert faults(page) == [], view.input_value()
        assert nameless(page) == [], view.input_value()


def nameless(page: Page) -> list[str]:
    """Stops of the keyboard without a name: elements whose role takes none, or is empty."""
    session = page.context.new_cdp_session(page)
    found = []
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        properties = {each["name"] for each in node.get("properties", [])}
        role = node.get("role", {}).get("value")
        named = role != "generic" and node.get("name", {}).get("value", "").strip()
        if "focusable" in properties and not (named or node["ignored"] or role in NO_STOPS):
            found.append(f"{role} {node.get('name', {}).get('value')}")
    session.detach()
    return found


def test_many_heads_keep_nobody_out(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank()
    answer(page, trace([["a"], ["b"]], [["c"]], layers=2, heads=2, self_attention=True))
    page.goto("/?view=heads")
    expect(page.locator("#heads canvas")).to_have_count(4)
    assert faults(page) == []
