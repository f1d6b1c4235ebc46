"""`make screenshots`: the pictures of the documentation, taken from the page as it is now.

Starts a server of its own, and looks at it with the Chromium that the tests use.
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
"""Fonts, transitions and Plotly have come to rest by then."""

HOUSE = "The white house on the hill belongs to my old friend."
GIRL = "A little girl in a red dress is playing with a big black dog."
PLAY = "We watched a play while the children play."


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what is asked of the page, and how much of it is taken."""

    name: str
    settings: dict[str, str]
    width: int = 1280
    height: int = 900
    part: str | None = None  # selector of what is taken; the window without one
    dark: bool = False
    path: str = "/"


SHOTS = [
    Shot("page", {"text": HOUSE, "step": "2"}, height=1040),
    Shot("lines", {"text": HOUSE, "view": "lines", "step": "3"}, part=".picture"),
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
    """Take one picture."""
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
    """Take all pictures, or those that are named."""
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
