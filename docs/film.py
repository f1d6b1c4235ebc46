"""The silent film of the README: a step of a translation, part by part, and an edit of it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page

SENTENCE = "The white house on the hill is old."
SIZE = {"width": 1180, "height": 800}
WIDTH = 960
"""Of the film; the window is larger, so that a whole step fits."""
HIDDEN = "form,panels"
SETTLED_MS = 600
"""Enough for a part of a step, or for an answer that follows an edit."""
BRIEF, LONG, LAST = 450, 1100, 2600
"""Milliseconds that a frame stands."""
PARTS = 11
"""Presses of the button that shows the next part: two words."""
TO = "hill"
"""The word that the second one of the output looks at in the end."""
DRAG = (0, 30, 60, 90, 120)
"""Pixels above the cell, from which its weight grows."""

Frame = tuple[Image.Image, int]


def film(browser: Browser, address: str, path: Path) -> None:
    """Take the film and write it as an animated WebP."""
    page = browser.new_page(viewport=SIZE, reduced_motion="reduce", color_scheme="light")
    frames = [*_step(page, address), *_edit(page, address)]
    page.close()
    first, *others = [image for image, _ in frames]
    durations = [duration for _, duration in frames]
    first.save(
        path, save_all=True, append_images=others, duration=durations, loop=0, quality=70, method=6
    )


def _open(page: Page, address: str, **settings: str) -> None:
    page.goto(f"{address}/?{urlencode({'text': SENTENCE, 'hide': HIDDEN, **settings})}")
    page.wait_for_selector("#stage[data-state=ready]")
    page.wait_for_timeout(3 * SETTLED_MS)


def _step(page: Page, address: str) -> Iterator[Frame]:
    """Write two words, part by part."""
    _open(page, address, view="step", step="2", part="1")
    yield _frame(page), LONG
    for _ in range(PARTS):
        page.locator("#forth").click()
        yield _frame(page), LONG


def _edit(page: Page, address: str) -> Iterator[Frame]:
    """Drag the weight of another word up, and let the model go on from there."""
    _open(page, address, editing="1", step="2")
    yield _frame(page), LONG
    columns = page.locator("#column-heads > *").all_inner_texts()
    rows = page.locator("#row-heads > *").count()
    box = page.locator("#edit-cells").evaluate("(cells) => cells.getBoundingClientRect().toJSON()")
    column = next(at for at, text in enumerate(columns) if TO in text)
    x = box["x"] + box["width"] * (column + 0.5) / len(columns)
    y = box["y"] + box["height"] * 1.5 / rows
    page.mouse.move(x, y)
    yield _frame(page, (x, y)), BRIEF
    page.mouse.down()
    for up in DRAG:
        page.mouse.move(x, y - up)
        yield _frame(page, (x, y - up)), BRIEF
    page.mouse.up()
    yield _frame(page, (x, y - DRAG[-1])), LAST


def _frame(page: Page, pointer: tuple[float, float] | None = None) -> Image.Image:
    """Return the window once it has settled, with the pointer drawn on it."""
    page.wait_for_timeout(SETTLED_MS)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    if pointer:
        x, y = pointer
        shape = [(x, y), (x, y + 17), (x + 4, y + 13), (x + 11, y + 13)]
        ImageDraw.Draw(image).polygon(shape, fill="black", outline="white")
    return image.resize((WIDTH, WIDTH * image.height // image.width), Image.Resampling.LANCZOS)
