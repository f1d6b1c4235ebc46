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
        if not pattern.search(text):
            raise ValueError(f"there is no place for {name!r}: {begin}")
        text = pattern.sub(lambda found, block=block: f"{found[1]}{block}\n{found[2]}", text)
    return text


def write(blocks: Mapping[str, str], plot: str | None) -> None:
    """Fill the document, and draw its plot."""
    DOCUMENT.write_text(filled(DOCUMENT.read_text("utf-8"), blocks), "utf-8")
    if plot is not None:
        PLOT.write_text(plot, "utf-8")
