"""What the page hands over."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def saved(page: Page, kind: str) -> tuple[str, bytes]:
    """The name and the content of what the button hands over."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Save {kind}").click()
    expect(page.locator("#share-said")).to_contain_text(f"Saved {waiting.value.suggested_filename}")
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()
