"""The document with the figures, which stand between marks; the words around them stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

DOCUMENT = Path(__file__).parents[1] / "docs" / "performance.md"
SCALING = DOCUMENT.with_name("scaling.md")
PLOT = Path(__file__).parents[1] / "docs" / "images" / "performance.svg"
BEGIN, END = "<!-- measured: {name} -->", "<!-- end -->"


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """Replace the figures between the marks of each block."""
    for name, block in blocks.items():
        begin = BEGIN.format(name=name)
        pattern = re.compile(f"({re.escape(begin)}\n).*?({re.escape(END)})", re.DOTALL)
        place = pattern.search(text)
        if place is None:
            raise ValueError(f"no place for {name!r}: {begin}")
        head, tail = text[: place.end(1)], text[place.start(2) :]
        text = f"{head}{block}\n{tail}"
    return text


def write(blocks: Mapping[str, str], plot: str | None = None, document: Path = DOCUMENT) -> None:
    """Write the figures into a document, and the plot of this one beside it."""
    document.write_text(filled(document.read_text("utf-8"), blocks), "utf-8")
    if plot is not None:
        PLOT.write_text(plot, "utf-8")
