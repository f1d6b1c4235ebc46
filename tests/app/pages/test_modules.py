"""Views of the page's modules."""

from __future__ import annotations

import re

from heed.app.pages.assets import STATIC
from heed.app.pages.modules import view_titles


def test_the_titles_are_those_of_the_views_of_texts_in_their_order() -> None:
    sources = {
        path.relative_to(STATIC).as_posix(): path.read_text("utf-8")
        for path in (STATIC / "js" / "views").rglob("*.js")
    }
    titles = view_titles(sources)
    assert titles["map"] == "Map"
    assert "photo" not in titles
    registry = "js/views/registry.js"
    order = re.compile(r"\bmap,(\s+)ribbons\b")
    swapped = {**sources, registry: order.sub(r"ribbons,\1map", sources[registry])}
    assert [*view_titles(swapped)][:2] == [*titles][1::-1]
