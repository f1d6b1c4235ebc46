"""The form of a page, which is folded to one line until it is used."""

from __future__ import annotations

from playwright.sync_api import Page


def open_form(page: Page) -> None:
    """Show the examples and the options."""
    if page.locator("#change").get_attribute("aria-expanded") == "false":
        page.locator("#change").click()
