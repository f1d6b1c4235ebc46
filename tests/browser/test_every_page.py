"""Behaviour that the pages of all tasks share."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE
from tests.browser.shifts import MOST, SIZES, shifts_of
from tests.browser.test_access import faults, nameless
from tests.browser.visits import Visit

PAGES = {
    "text": "/?model=dates-additive&text=the%203rd%20of%20May%201979&with=dates-dot",
    "heads": "/?model=en-fr-transformer",
    "picture": "/picture?step=2",
    "read": "/read",
    "story": "/story",
    "graph": "/graph",
    "glimpse": "/glimpse",
    "see": "/see",
}
OPENED = "show=search+numbers+table+call"
FOLD = "all => all.forEach(panel => { panel.open = false; })"
"""Panels are the same below all views: they are looked at once."""


DRAWN = {
    "arcs": ".arcs-drawing svg",
    "audit": ".audit-verdict > li",
    "compare": "#compare-cards[data-drawn]",
    "graph": ".graph-drawing",
    "heads": "#heads :is(canvas, .head-map)",
    "map": "#map[data-painted]",
    "network": ".network svg [data-part]",
    "path": ".board .path-dot",
    "photo": "#photo[data-painted]",
    "positions": ".positions-all",
    "ribbons": "#ribbons svg",
    "sheet": "#sheet .sheet-panel",
    "step": "#chain .part",
}
"""The first element of each view that is there once it is drawn."""


FILES = ("svg", "json", "csv", "npz", "html")
EXPORTS = ", ".join(f"[id^=save-][id$={kind}]:visible" for kind in FILES)


def every_view(page: Page, path: str) -> list[str]:
    """Open a page with all that can be folded out; return the names of its views."""
    page.goto(f"{path}{'&' if '?' in path else '?'}{OPENED}")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    views = page.locator("#view label:visible input")
    return [view.input_value() for view in views.all()]


def show(page: Page, view: str) -> None:
    page.locator(f'#view input[value="{view}"]').check(force=True)
    expect(page.locator("#stage")).to_have_attribute("data-view", view)
    expect(page.locator(DRAWN[view]).first).to_be_attached()


@pytest.mark.parametrize("name", PAGES)
def test_no_view_in_any_theme_keeps_anybody_out(visit: Visit, name: str) -> None:
    page = visit.blank(reduced_motion="reduce")
    for place, view in enumerate(every_view(page, PAGES[name])):
        within = "#stage" if place else None  # the rest of the page is that of the first view
        page.emulate_media(color_scheme="light")
        show(page, view)
        assert faults(page, within=within) == [], view
        assert nameless(page) == [], view
        page.emulate_media(color_scheme="dark")
        assert faults(page, "color-contrast", within=within) == [], view
        page.locator("#stage ~ details[open], #stage details[open]").evaluate_all(FOLD)


@pytest.mark.parametrize("name", PAGES)
def test_no_view_is_wider_than_a_phone(visit: Visit, name: str) -> None:
    page = visit.blank(**PHONE)
    for view in every_view(page, PAGES[name]):
        show(page, view)
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", PAGES)
def test_an_answer_is_exported_and_saved_and_opens_again(visit: Visit, name: str) -> None:
    page = visit.blank()
    (view, *_) = every_view(page, PAGES[name])
    expect(page.locator(DRAWN[view]).first).to_be_attached()
    expect(page.locator("#curl")).not_to_be_empty()  # the buttons are ready by then
    exported: set[str] = set()
    for button in page.locator(EXPORTS).all():
        with page.expect_download() as waiting:
            button.click()
        kind = (button.get_attribute("id") or "").rpartition("-")[2]
        assert waiting.value.suggested_filename.endswith(f".{kind}")
        assert waiting.value.path().stat().st_size > 100
        exported.add(kind)
    assert exported == ({"svg", "json", "html"} if name == "picture" else set(FILES))
    page.locator("#keep-save").click()
    expect(page.locator("#keep-link")).to_have_value(re.compile("/t/"))
    page.goto(page.locator("#keep-link").input_value())
    expect(page.locator("#form-error")).to_contain_text("This is a saved result")
    expect(page.locator(DRAWN[view]).first).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("task", "question"),
    [
        ("read", {"text": "The zyzzyvas near the qwertz are here."}),
        ("story", {"story": "Mary went to the kitchen.", "question": "Where is Zoe?"}),
        ("graph", {"graph": "Chain"}),
    ],
)
def test_nothing_moves_while_an_example_or_a_saved_trace_opens(
    visit: Visit, address: str, task: str, question: dict[str, str], size: tuple[int, int]
) -> None:
    trace = httpx.post(f"{address}/api/v1/{task}", json=question).json()
    saved = httpx.post(f"{address}/api/v1/traces", json=trace).json()
    for path in (f"/{task}?wait=1", saved["url"], saved["embed"]):
        assert shifts_of(visit, path, size) <= MOST, path


def test_the_gallery_leads_to_the_page_of_a_task(visit: Visit) -> None:
    page = visit.blank()
    for name in ("A Vision Transformer sees a photo", "A memory network reads a story"):
        page.goto("/other")
        page.get_by_role("link", name=name).click()
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
