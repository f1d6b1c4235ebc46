"""Bundles of the page's modules."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from heed.app.pages.assets import PAGES, STATIC
from heed.output.page.bundles import (
    NOTEBOOK,
    Bundler,
    page_bundle,
    part_bundle,
)
from heed.output.page.comments import without_comments
from heed.output.page.modules import ModuleError, Modules
from tests.conftest import Running, node

LARGEST = {"text_page": 52_000, "picture_page": 52_000}
"""The bytes of the script of a page, compressed: visitors on slow networks wait for it."""

MODULES = {
    "js/views/map/view.js": (
        'import { count } from "../../core/count.js";\n\nexport const draw = count;\n'
    ),
    "js/core/count.js": (
        'import { log } from "./log.js";\n\nlog.push("count");\nlet counted = 0;\n'
        "/** Counts. */\nexport const count = () => (counted += 1);\n"
    ),
    "js/core/log.js": "/** @type {string[]} */\nexport const log = [];\n",
    "js/core/shared.js": (
        'import { log } from "./log.js";\n\nlog.push("shared");\nexport const shared = {};\n'
    ),
    "js/pages/text/app.js": (
        'import { count as next } from "../../core/count.js";\n'
        'import { log } from "../../core/log.js";\n\n'
        "export async function start() {\n"
        '  const { one } = await import("./one.js");\n'
        '  const { two, address } = await import("./two.js");\n'
        '  const { draw } = await import("../../views/map/view.js");\n'
        "  return { counts: [next(), draw(), one()], same: two(), log, address };\n"
        "}\n"
        "globalThis.started = start();\n"
    ),
    "js/pages/text/one.js": (
        'import { count } from "../../core/count.js";\n'
        'import { shared } from "../../core/shared.js";\n\n'
        "export function one() {\n  shared.seen = true;\n  return count();\n}\n"
    ),
    "js/pages/text/two.js": (
        'import { shared } from "../../core/shared.js";\n\n'
        'export const address = new URL("../../../css/a.css", import.meta.url).href;\n'
        "export const two = () => shared.seen;\n"
    ),
    "js/pages/picture/app.js": "export const x = 1;\n",
    "js/views/photo/view.js": "export const y = 1;\n",
}


def shipped() -> Mapping[str, str]:
    return {
        path.relative_to(STATIC).as_posix(): path.read_text("utf-8")
        for path in STATIC.rglob("*.js")
    }


def test_a_bundle_runs_as_its_modules_would(tmp_path: Path) -> None:
    """Each module runs once, behind its imports, whichever part needs it first."""
    bundler = Bundler(MODULES, PAGES)
    paths = [
        page_bundle("text_page"),
        part_bundle("text_page", "js/pages/text/one.js"),
        part_bundle("text_page", "js/pages/text/two.js"),
    ]
    for path in paths:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(bundler.bundle(path) or "")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run = f'await import("./{paths[0]}"); console.log(JSON.stringify(await globalThis.started));'
    command = [node(), "--input-type=module", "--eval", run]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert found.pop("address") == (tmp_path / "css/a.css").resolve().as_uri()
    assert found == {"counts": [1, 2, 3], "same": True, "log": ["count", "shared"]}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('import x from "./log.js";\n', "cannot express 'import x from"),
        ('export * from "./log.js";\n', "cannot express 'export \\* from"),
        ("export let changing = 1;\n", "cannot express 'export let"),
        ("export default 1;\n", "cannot express 'export default"),
        ('void import("./log.js").then(draw);\n', r"cannot express 'import\(\"./log.js\"\).then"),
        ('void import("./log.js")\n  .catch(draw);\n', r"cannot express 'import\(\"./log.js\"\)"),
        ('import { start } from "../pages/text/app.js";\n', "in a circle"),
        ('import { nothing } from "./nothing.js";\n', "no module is at js/core/nothing.js"),
    ],
)
def test_an_unknown_form_is_refused(source: str, message: str) -> None:
    bundler = Bundler(MODULES | {"js/core/count.js": source}, PAGES)
    with pytest.raises(ModuleError, match=message):
        bundler.bundle(page_bundle("text_page"))


@pytest.mark.parametrize("page", PAGES)
def test_every_bundle_that_a_page_loads_can_be_made(page: str) -> None:
    sources = shipped()
    bundler, modules = Bundler(sources, PAGES), Modules(sources)
    main = bundler.bundle(page_bundle(page))
    assert main
    defined = re.findall(r'^\$define\("([^"]+)"', main, re.MULTILINE)
    assert len(defined) == len(set(defined))
    for entry in PAGES[page]:
        assert entry in defined
    reached = modules.reached(PAGES[page][-1], lambda *_: True)
    for path in {later.path for each in reached for later in modules.later(each)}:
        part = bundler.bundle(part_bundle(page, path))
        assert (part is None) == (path in defined)


@pytest.mark.parametrize(
    "path",
    [
        *("nothing.js", "text_page", "text_page.jsx", "x/js/a.js", "text_page/js/nothing.js", ""),
        f"text_page/{NOTEBOOK}widget.js",
    ],
)
def test_other_paths_are_no_bundles(path: str) -> None:
    assert Bundler(shipped(), PAGES).bundle(f"bundles/{path}") is None


def test_a_page_has_one_script_of_modules(client: httpx.Client, server: Running) -> None:
    assets = server.app.state.service.assets
    for path, page in (("/", "text_page"), ("/picture", "picture_page")):
        text = client.get(path).text
        (script,) = re.findall(r'<script type="module" src="([^"]+)"', text)
        assert script == assets.bundle_url(page)
        response = client.get(script)
        assert response.headers["content-type"].startswith("text/javascript")
        assert "immutable" in response.headers["cache-control"]
        bundle = Bundler(shipped(), PAGES).bundle(page_bundle(page))
        assert response.text == without_comments(bundle or "")
        assert len(gzip.compress(response.content, 9)) < LARGEST[page]
    assert client.get(assets.url("bundles/nothing.js")).status_code == 404
