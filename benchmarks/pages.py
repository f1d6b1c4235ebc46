"""The document that figures are written into: between marks, the words around them untouched."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"
PLOT = Path(__file__).parents[1] / "docs" / "images" / "performance.svg"
BEGIN, END = "<!-- measured: {name} -->", "<!-- end -->"


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """The text with each block in its place, instead of what was measured before."""
    for name, block in blocks.items():
        begin = BEGIN.format(name=name)
        pattern = re.compile(f"({re.escape(begin)}\n).*?({re.escape(END)})", re.DOTALL)
        place = pattern.search(text)
        if place is None:
            raise ValueError(f"there is no place for {name!r}: {begin}")
        head, tail = text[: place.end(1)], text[place.start(2) :]
        text = f"{head}{block}\n{tail}"
    return text


def write(blocks: Mapping[str, str], plot: str | None) -> None:
    """Fill the document, and draw its plot."""
    DOCUMENT.write_text(filled(DOCUMENT.read_text("utf-8"), blocks), "utf-8")
    if plot is not None:
        PLOT.write_text(plot, "utf-8")
