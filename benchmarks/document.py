"""The documents with the figures, which stand between marks; the words around them stay."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PERFORMANCE, SCALING = DOCS / "performance.md", DOCS / "scaling.md"
PLOT = DOCS / "images" / "performance.svg"
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


def write(
    blocks: Mapping[str, str], plot: str | None = None, document: Path | None = PERFORMANCE
) -> None:
    """Write the figures into a document, if they have one, and the plot beside it."""
    if document is not None:
        document.write_text(filled(document.read_text("utf-8"), blocks), "utf-8")
    if plot is not None:
        PLOT.write_text(plot, "utf-8")
