"""The modules of the pages."""

from __future__ import annotations

import re

from heed.app.pages.assets import STATIC
from heed.output.page.modules import VIEWS, Modules, view_titles

SOURCE = """/** A module. */

/** @import {Trace} from "./types" */
/**
 * @import {Scene} from "./scene.js"
 */

import { visible } from "../core/text.js";
import {
  first,
  second as other,
} from "./parts/two.js";

/** @type {import("./three.js").Three} */
export const three = 3;
export const { four, five } = visible;
export async function load() {
  return import("./later.js");
}
export const LOADERS = {
  four: () => import("./four.js"),
  five: () =>
    import("./five.js"),
};
export class Box {}
"""


def test_imports_and_exports_of_a_module_are_found_and_no_others() -> None:
    path = "js/shell/stage.js"
    modules = Modules({path: SOURCE})
    assert modules.imports(path) == ["js/core/text.js", "js/shell/parts/two.js"]
    assert modules.later(path) == [
        ("js/shell/later.js", None),
        ("js/shell/four.js", "four"),
        ("js/shell/five.js", "five"),
    ]
    assert modules.exports(path) == ["three", "load", "LOADERS", "Box", "four", "five"]


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
