"""The parts of a step, of which one is open."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

LINES_FILLED = """async () => {
  const lines = document.querySelectorAll("#chain .keys tbody tr").length;
  for (let filled = 0; filled < lines; filled += 12)
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
"""Wait as many frames as the page takes to fill the lines that are out of sight."""


def key_lines(page: Page) -> list[Locator]:
    """Return the lines of the table of keys, once all of them have the numbers of the step."""
    page.evaluate(LINES_FILLED)
    return page.locator("#chain .keys tbody tr").all()


def open_part(page: Page, name: str) -> Locator:
    """Open a part that has been computed, if it is folded."""
    part = page.locator(f'#chain .part[data-name="{name}"]')
    if part.get_attribute("data-open") is None:
        part.locator(".part-line").click()
    return part
