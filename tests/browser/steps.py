"""The parts of a step, of which one is open."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


def open_part(page: Page, name: str) -> Locator:
    """Open a part that has been computed, if it is folded."""
    part = page.locator(f'#chain .part[data-name="{name}"]')
    if part.get_attribute("data-open") is None:
        part.locator(".part-line").click()
    return part
