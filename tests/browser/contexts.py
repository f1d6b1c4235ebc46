"""Contexts of the browser, kept from test to test so that scripts are compiled once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

FLAGS = ("--process-per-site",)
"""All pages of a context share a process, and with it the compiled scripts."""
KEPT = 3
"""Contexts that are kept, each with a process of its own."""
SIZE = {"width": 1280, "height": 900}
OF_A_PAGE = ("color_scheme", "reduced_motion", "forced_colors")
"""Options that a page of any context can be given."""


class Contexts:
    """Opens pages in contexts where nothing is stored, one for each server and set of options."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kept: dict[str, tuple[BrowserContext, Page]] = {}

    @contextmanager
    def page(self, start: str, *, fresh: bool = False, **options: Any) -> Iterator[Page]:
        """Open a page; at the end of the block, delete what it has stored.

        The start is an address of the server without a script. A fresh context also has empty
        caches and a process of its own.
        """
        size = options.pop("viewport", SIZE)
        media = {name: options.pop(name) for name in OF_A_PAGE if name in options}
        # A phone has its size from the start: it lays a page out by it.
        options |= {"base_url": start, "viewport": size if options.get("is_mobile") else SIZE}
        if fresh:
            self.close()
        context, keeper = self._context(options)
        page = context.new_page()
        page.set_viewport_size(size)
        page.emulate_media(**media)
        try:
            yield page
        finally:
            for opened in context.pages:
                if opened is not keeper:
                    opened.close()
            context.clear_cookies()
            keeper.evaluate("localStorage.clear()")

    def close(self) -> None:
        """Close all contexts."""
        for context, _ in self._kept.values():
            context.close()
        self._kept.clear()

    def _context(self, options: dict[str, Any]) -> tuple[BrowserContext, Page]:
        key = repr(sorted(options.items()))
        kept = self._kept.pop(key, None) or self._open(options)
        self._kept[key] = kept  # behind those that were used before it
        if len(self._kept) > KEPT:
            self._kept.pop(next(iter(self._kept)))[0].close()
        return kept

    def _open(self, options: dict[str, Any]) -> tuple[BrowserContext, Page]:
        context = self._browser.new_context(**options)
        keeper = context.new_page()  # while it is open, the process does not end
        keeper.goto(options["base_url"])
        return context, keeper
