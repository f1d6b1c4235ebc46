"""Shells: the pages in one file, before they are filled with a trace."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from heed.app.pages.assets import STATIC, Assets, shell_at
from heed.app.tasks import pages
from heed.output.page import standalone
from heed.output.page.standalone import CONTENTS, TITLE, filled, script_of, shell
from tests.app.pages.test_bundles import shipped
from tests.app.pages.test_packing import packed_bytes
from tests.conftest import Running

PAGES = {page.name: page for page in pages()}
EVERY = pytest.mark.parametrize("name", PAGES)


def parts(text: str) -> Mapping[str, str]:
    """The script, the styles and the body that a shell holds."""
    found = re.search(r'id="packed" data-size="(\d+)">([^<]+)</script>', text)
    assert found is not None
    content = gzip.decompress(packed_bytes(found[2], int(found[1])))
    held: Mapping[str, str] = json.loads(content.partition(b"\n")[0])
    return held


def defined(script: str) -> set[str]:
    return set(re.findall(r'^\$define\("([^"]+)"', script, re.MULTILINE))


def needed(script: str) -> set[str]:
    return set(re.findall(r'\$need\("([^"]+)"\)', script))


@EVERY
def test_a_shell_has_the_modules_that_it_needs_and_no_others(name: str) -> None:
    script = parts(shell(name))["script"]
    assert defined(script) == needed(script)
    assert f"js/pages/{name}/standalone_app.js" in defined(script)
    views = {path.split("/")[2] for path in defined(script) if path.startswith("js/views/")}
    assert ("glimpse_step.js" in script) == (name == "glimpse")
    assert ("graph" in views) == (name == "graph")
    assert "js/views/compare/view.js" not in defined(script)
    assert not {path for path in defined(script) if path.endswith(("/app.js", "/form.js"))}
    assert not {"js/core/linked_maps.js", "js/draw/no_plotly.js"} & defined(script)


@pytest.mark.parametrize(("name", "view"), [("text", "view.js"), ("picture", "grid_view.js")])
def test_a_shell_for_several_models_has_their_views_too(name: str, view: str) -> None:
    alone, compared = (parts(shell(name, compared=each))["script"] for each in (False, True))
    more = defined(compared) - defined(alone)
    assert f"js/views/compare/{view}" in more
    assert defined(compared) == needed(compared)


def test_a_made_up_view_is_in_the_file() -> None:
    sources = dict(shipped())
    loaders = sources[standalone.LOADERS]
    entry = 'totals: { dom: { tokens: () => import("./totals/view.js") } },'
    sources[standalone.LOADERS] = loaders.replace("LOADERS = {", f"LOADERS = {{\n{entry}")
    sources["js/views/totals/view.js"] = "export class View {}\n"
    for name in ("text", "story"):
        found = defined(script_of(name, sources, compared=False))
        assert ("js/views/totals/view.js" in found) == (name == "text")


@EVERY
def test_a_shell_has_nothing_of_a_server(name: str) -> None:
    text, body = shell(name), parts(shell(name))["body"]
    assert text.count(TITLE) == text.count(CONTENTS) == 1
    assert "Content-Security-Policy" in text
    for part in (
        "<form",
        'id="ask"',
        'id="bring"',
        'id="keep"',
        'id="present"',
        "<script",
        'src="/',
    ):
        assert part not in body
    assert not re.findall(r'(?:href|src)="(?!data:)', text + body.replace('href="#main"', ""))
    assert '<section id="stage"' in body
    assert not re.search(r'<section id="stage"[^>]*\shidden', body)


def test_a_shell_is_filled_with_any_title_and_contents() -> None:
    page = filled(shell("text"), "</title> & · Heed", {"trace": {"text": "a"}})
    assert "<title>&lt;/title&gt; &amp; · Heed</title>" in page
    found = re.search(r'id="contents" data-size="(\d+)">([^<]+)</script>', page)
    assert found is not None
    content: Any = json.loads(
        gzip.decompress(packed_bytes(found[2], int(found[1]))).split(b"\n")[0]
    )
    assert content == {"trace": {"text": "a"}}


@pytest.mark.parametrize(
    "path",
    [
        "shells/nothing.html",
        "shells/text.js",
        "shells/text",
        "shells/",
        "text.html",
        "shells/a/text.html",
    ],
)
def test_other_paths_are_no_shells(path: str) -> None:
    assert shell_at(path) is None


def test_the_server_sends_the_shell_that_python_fills(
    client: httpx.Client, server: Running
) -> None:
    assets = server.app.state.service.assets
    answer = client.get(assets.url("shells/text.html"))
    assert answer.text == shell("text")
    assert answer.headers["content-type"].startswith("text/plain")
    assert client.get(assets.url("shells/nothing.html")).status_code == 404


def test_the_address_of_a_shell_depends_on_the_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heed.app.pages import assets

    copy = tmp_path / "templates"
    shutil.copytree(assets.TEMPLATES, copy)
    monkeypatch.setattr(assets, "TEMPLATES", copy)
    before = Assets(STATIC).digest
    (copy / "index.html").write_text("changed")
    assert Assets(STATIC).digest != before
