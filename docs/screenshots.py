"""`make screenshots`: take the screenshots of the documentation.

Starts a server and opens its pages in the Chromium of the tests.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import ADVICE, FLAGS, find
from tests.browser.server import serving

IMAGES = Path(__file__).parent / "images"
SETTLED_MS = 1500
"""Enough for fonts, transitions and Plotly."""

HOUSE = "The white house on the hill belongs to my old friend."
GIRL = "A little girl in a red dress is playing with a big black dog."
PLAY = "We watched a play while the children play."


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot: the address of the page, and the part of it to take."""

    name: str
    settings: dict[str, str]
    width: int = 1280
    height: int = 900
    part: str | None = None  # selector; without one, the window
    dark: bool = False
    path: str = "/"


SHOTS = [
    Shot("page", {"text": HOUSE, "step": "2"}, height=800),
    Shot("ribbons", {"text": HOUSE, "view": "ribbons", "step": "3"}, part=".picture"),
    Shot("step", {"text": PLAY, "view": "step", "step": "4"}, width=1180, part=".picture"),
    Shot(
        "compare",
        {"text": GIRL, "view": "compare", "with": "en-fr-general", "step": "5"},
        part=".picture",
    ),
    Shot("heads", {"text": HOUSE, "model": "en-fr-transformer", "view": "heads"}, part=".picture"),
    Shot(
        "head",
        {"text": PLAY, "model": "en-fr-transformer", "view": "step", "step": "8"},
        width=1180,
        part=".picture",
    ),
    Shot("held", {"text": HOUSE, "columns": "2 3", "rows": "2", "step": "2"}, part=".picture"),
    Shot("picture", {"view": "sheet", "step": "2"}, height=1180, path="/picture"),
    Shot("phone", {"text": PLAY, "step": "8"}, width=390, height=844, dark=True),
]


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
    """Take all screenshots, or the named ones."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return 1
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        for shot in SHOTS:
            if not names or shot.name in names:
                print(take(browser, address, shot))
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
