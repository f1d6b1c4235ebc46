"""How far the parts of a page move while it opens."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visits import Visit

SIZES = [(1280, 900), (360, 740)]
MOST = 0.01
SHIFTS = """() => {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) window.shifts += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


def shifts_of(visit: Visit, path: str, size: tuple[int, int]) -> float:
    """The sum of the layout shifts until the result is drawn."""
    page = visit.blank(viewport={"width": size[0], "height": size[1]})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(path)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    return float(page.evaluate("() => shifts"))
