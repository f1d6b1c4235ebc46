"""Imports and views of the page's modules."""

from __future__ import annotations

import re

import httpx

from heed.app.pages.assets import STATIC
from heed.app.pages.modules import all_imports, imports, view_titles
from tests.conftest import Running

SOURCE = """/** A module. */

/** @import {Trace} from "./types" */
/**
 * @import {Scene} from "./scene.js"
 */

import { visible } from "../core/text.js";
import {
  first,
  second,
} from "./parts/two.js";
import "./effects.js";
export { third } from "./third.js";

const later = () => import("./later.js");
"""


def test_static_imports_are_found_and_no_others() -> None:
    found = ["js/core/text.js", "js/shell/parts/two.js", "js/shell/effects.js", "js/shell/third.js"]
    assert imports("js/shell/stage.js", SOURCE) == found


def test_indirect_imports_are_found_once_even_in_a_circle() -> None:
    graph = {"a": ["b", "c"], "b": ["c", "d"], "c": ["a"], "d": [], "e": ["d"]}
    assert all_imports(["a", "e"], graph) == ["a", "e", "b", "c", "d"]


def test_a_page_preloads_its_script_and_its_first_view(
    client: httpx.Client, server: Running
) -> None:
    assets = server.app.state.service.assets
    for path, script, view in (("/", "text_page", "map"), ("/picture", "picture_page", "photo")):
        page = client.get(path).text
        preloads = re.findall(r'<link rel="modulepreload" href="([^"]+)"', page)
        assert preloads[:2] == [
            assets.url(f"js/{script}/app.js"),
            assets.url(f"js/views/{view}/view.js"),
        ]
        assert assets.url("js/core/text.js") in preloads
        assert len(preloads) == len(set(preloads))


def test_the_titles_are_those_of_the_views_of_texts_in_their_order() -> None:
    sources = {
        path.relative_to(STATIC).as_posix(): path.read_text("utf-8")
        for path in (STATIC / "js" / "views").rglob("*.js")
    }
    titles = view_titles(sources)
    assert titles["map"] == "Map"
    assert "photo" not in titles
    registry = "js/views/registry.js"
    order = re.compile(r"(?<=VIEWS = \[)map, ribbons")
    swapped = {**sources, registry: order.sub("ribbons, map", sources[registry])}
    assert [*view_titles(swapped)][:2] == [*titles][1::-1]
