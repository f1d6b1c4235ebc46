"""Obstacles on a page, as far as axe and the tree of accessibility know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from tests.browser.canned import trace
from tests.browser.visits import Visit

NO_STOPS = ("RootWebArea", "main")
"""Elements that scripts and links can focus, and the keyboard does not stop at."""
ALIKE = ("tbody tr:nth-child(n+4)", ".heads-grid .head-map:nth-child(n+20)")
"""Rows and heads like those before them: the contrast of every one takes axe minutes."""


RUN = """async ([parts, options]) => {
  // A page follows another theme in the next frame, and links of Swagger UI fade to its colours.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  const { violations } = await axe.run(parts, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}"""
OF_SWAGGER = ("heading-order", "landmark-", "nested-interactive")
"""Findings in the markup of Swagger UI, which draws `/docs`."""


def faults(page: Page, *rules: str, within: str | None = None) -> list[str]:
    """Return the findings of axe, by all of its rules or by some, in a line each."""
    parts: dict[str, Any] = {"exclude": [[selector] for selector in ALIKE]}
    if within:
        parts["include"] = [[within]]
    # Style sheets are fetched again for a rule about the orientation of a screen alone.
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[str] = page.evaluate(RUN, [parts, options])
    return found


@pytest.mark.parametrize("path", ["/other", "/docs", "/learn", "/learn/attention/3"])
def test_no_page_without_a_stage_keeps_anybody_out(visit: Visit, path: str) -> None:
    page = visit.blank()
    page.goto(path)
    page.wait_for_load_state("networkidle")
    found = faults(page)
    assert [fault for fault in found if path != "/docs" or not fault.startswith(OF_SWAGGER)] == []
    assert nameless(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults(page, "color-contrast") == []


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
