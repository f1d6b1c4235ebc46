"""Views of the page's modules."""

from __future__ import annotations

import re

from heed.app.pages.assets import STATIC
from heed.app.pages.modules import VIEWS, view_titles


def test_the_titles_are_those_of_the_views_of_texts_in_their_order() -> None:
    sources = {
        path.relative_to(STATIC).as_posix(): path.read_text("utf-8")
        for path in (STATIC / "js" / "core").rglob("*.js")
    }
    titles = view_titles(sources)
    assert titles["map"] == "Map"
    assert "photo" not in titles
    order = re.compile(r"^(  \{\n    name: \"map\".*?^  \},\n)(  \{\n.*?^  \},\n)", re.M | re.S)
    swapped = {VIEWS: order.sub(r"\2\1", sources[VIEWS])}
    assert [*view_titles(swapped)][:2] == [*titles][1::-1]
