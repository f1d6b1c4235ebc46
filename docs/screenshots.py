"""`make screenshots`: take the screenshots and the film of the documentation.

Starts a server and opens its pages in the Chromium of the tests.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

from docs.film import film
from docs.shots import SHOTS, Shot
from tests.browser.chromium import ADVICE, FLAGS, find
from tests.browser.server import serving

IMAGES = Path(__file__).parent / "images"
FILM = IMAGES / "film.webp"
SETTLED_MS = 1500
"""Enough for fonts, transitions and Plotly."""


def take(browser: Browser, address: str, shot: Shot) -> Path:
    """Take a screenshot."""
    page = browser.new_page(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
    )
    page.goto(f"{address}{shot.path}?{urlencode(shot.settings)}")
    page.wait_for_selector("#stage[data-state=ready]")
    page.wait_for_timeout(SETTLED_MS)
    path = IMAGES / f"{shot.name}.png"
    if shot.part:
        page.locator(shot.part).screenshot(path=path)
    else:
        page.screenshot(path=path)
    page.close()
    return path


def main(names: list[str]) -> int:
    """Take all screenshots and the film, or the named ones."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return 1
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for shot in SHOTS:
            if not names or shot.name in names:
                print(take(browser, address, shot))
        if not names or FILM.stem in names:
            film(browser, address, FILM)
            print(FILM)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
