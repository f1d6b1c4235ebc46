"""Pages that are watched: whatever goes wrong on any of them fails the test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.contexts import Contexts

REFUSED = "Failed to load resource"
"""What Chromium itself logs of every answer that is an error."""


@dataclass
class Visit:
    """Opens pages at an address, and remembers what went wrong on them."""

    contexts: Contexts
    address: str
    pages: ExitStack
    problems: list[str] = field(default_factory=list)

    def blank(self, **options: Any) -> Page:
        """A page that has not gone anywhere yet."""
        page = self.pages.enter_context(self.contexts.page(f"{self.address}/healthz", **options))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error.stack or error}"))
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("request", lambda request: self._asked(request.url))
        return page

    def __call__(self, path: str = "/", **options: Any) -> Page:
        """A page at this address, once its first result is drawn, with its map if it has one."""
        page = self.blank(**options)
        page.goto(path)
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        if page.locator("#map").is_visible():
            expect(page.locator("#map")).to_have_attribute("data-painted", re.compile(r"\d"))
        return page

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not text.startswith(REFUSED):
            self.problems.append(f"{kind}: {text}")

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.problems.append(f"asked another host: {url}")


@contextmanager
def visiting(contexts: Contexts, address: str) -> Iterator[Visit]:
    """Open pages of a server until the end of the block; nothing may have gone wrong on them."""
    with ExitStack() as pages:
        visit = Visit(contexts, address, pages)
        yield visit
    assert visit.problems == [], visit.problems
