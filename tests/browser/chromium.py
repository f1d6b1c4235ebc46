"""Which Chromium the page is tested in; as a program, says which, or how to have one."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SHELL = "chromium-headless-shell"
"""Chromium without windows: a page takes a fifth less processor time in it."""
NAMES = ("chromium", "chromium-browser", "google-chrome", SHELL)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Chromium's own surfaces, which each new window would load beside the page.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,"
    "Translate,MediaRouter,OptimizationHints,PaintHolding",
)
ADVICE = (
    f"no Chromium for the tests of the page: install one (apt-get install {SHELL}, or "
    ".venv/bin/playwright install chromium), or name one with HEED_CHROMIUM=/path/to/it"
)
NAMED = os.environ.get("HEED_CHROMIUM")


def find(preferred: str = NAMES[0]) -> str | None:
    """The path of a Chromium that can be started."""
    if NAMED:
        return shutil.which(NAMED)
    found = next(filter(None, map(shutil.which, (preferred, *NAMES))), None)
    if found:
        return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


if __name__ == "__main__":
    path = find(SHELL)
    print(f"the page is tested in {path}" if path else ADVICE)
    sys.exit(0 if path else 1)
