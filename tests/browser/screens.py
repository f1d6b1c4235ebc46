"""Screens of visitors, and what is on the first of them."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, TimeoutError, expect

DESKTOPS = ((1280, 720), (1920, 1080))
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
DEVICES: dict[str, dict[str, Any]] = {"desktop": {}, "phone": PHONE}
OUTSIDE = """(selectors) => selectors.flatMap((selector) => {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  if (!box?.height) return [`${selector} is not shown`];
  const right = box.right - document.documentElement.clientWidth;
  const beyond = { left: -box.left, top: -box.top, right, bottom: box.bottom - innerHeight };
  return Object.entries(beyond)
    .filter(([, pixels]) => pixels > 1)
    .map(([side, pixels]) => `${selector}: ${pixels} beyond the ${side}`);
})"""


def whole_on_first_screen(page: Page, device: str, *selectors: str) -> None:
    """Wait until these elements are whole on the first screen, on each desktop or on the phone."""
    for width, height in DESKTOPS if device == "desktop" else ((390, 844),):
        page.set_viewport_size({"width": width, "height": height})
        try:
            page.wait_for_function(
                f"(all) => ({OUTSIDE})(all).length === 0", arg=list(selectors), timeout=15_000
            )
        except TimeoutError:
            beyond = page.evaluate(OUTSIDE, list(selectors))
            raise AssertionError(f"{width} × {height}: {beyond}") from None


def choose_view(page: Page, view: str) -> None:
    """Show another view of a page."""
    page.locator(f'#view input[value="{view}"]').check(force=True)
    expect(page.locator("#stage")).to_have_attribute("data-view", view)
