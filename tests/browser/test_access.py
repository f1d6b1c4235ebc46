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
READY = {
    "map": "#map[data-painted]",
    "ribbons": "#ribbons svg",
    "step": "#chain .part",
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


def test_many_heads_keep_nobody_out(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank()
    answer(page, trace([["a"], ["b"]], [["c"]], layers=2, heads=2, self_attention=True))
    page.goto("/?view=heads")
    expect(page.locator("#heads canvas")).to_have_count(4)
    assert faults(page) == []
