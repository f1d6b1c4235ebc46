"""A trace as one HTML file that needs no server: the page, its style sheets and its modules.

What the page itself exports (static/js/export/html), assembled without a browser: the same
template, the same modules in an import map, the same contents, and the same policy.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import orjson

from heed import __version__
from heed.app.pages import modules
from heed.app.pages.environment import page_environment
from heed.app.pages.glossary import Glossary
from heed.app.pages.modules import AxisKind, resolved

STATIC = Path(__file__).parents[2] / "static"
NAME = "heed/"
PLOTLY = "js/shell/plotly.js"
WITHOUT = "js/export/html/html_export.js"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
NO_SCRIPT = "This file draws its figures with JavaScript, which is turned off in this browser."
VOID = frozenset(("br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
REMOVED_IDS = frozenset(("ask", "bring"))

# As in static/js/export/html/modules.js.
_STATIC = re.compile(r'^((?:import|export)\s(?:[^"\';]*\sfrom\s)?")(\.{1,2}/[^"]+\.js)(")', re.M)
_LATER = re.compile(r'(\bimport\(\s*")(\.{1,2}/[^"]+\.js)("\s*\))(?!\.)')

Attributes = Mapping[str, str | None]


class _Page(NamedTuple):
    """The page of a kind of axis."""

    template: str
    entry: str
    stand_in: str


PAGES: Mapping[AxisKind, _Page] = {
    "tokens": _Page("index.html", "js/text_page/standalone_app.js", "js/shell/canvas_heatmap.js"),
    "grid": _Page(
        "picture.html", "js/picture_page/standalone_app.js", "js/picture_page/no_plotly.js"
    ),
}


def standalone_page(
    kind: AxisKind, trace: Mapping[str, object], model: Mapping[str, object], title: str
) -> str:
    """Return the file of a trace of `trace_out`, and of the model that it was made with."""
    page = PAGES[kind]
    contents = {"query": "", "trace": trace, "models": [model], "answers": []}
    files = {
        f"js/{path.relative_to(STATIC / 'js').as_posix()}": path.read_text("utf-8")
        for path in (STATIC / "js").rglob("*.js")
    }
    environment = page_environment(
        asset=str,
        bundle=str,
        view_titles=modules.view_titles(files),
        glossary=Glossary(),
        saves=False,
    )
    scripts = import_map(gathered(page.entry, page.stand_in, kind, files))
    writer = _Writer(
        title,
        head=f"<script>{files['js/shell/early_theme.js']}</script>"
        f'<script type="importmap">{in_script(scripts)}</script>',
        end=f'<script type="application/json" id="taken">{in_script(contents)}</script>'
        f'<script type="module">import "{NAME}{page.entry}";</script>',
    )
    writer.feed(environment.get_template(page.template).render())
    writer.close()
    return writer.text


def gathered(entry: str, stand_in: str, kind: AxisKind, files: Mapping[str, str]) -> dict[str, str]:
    """Return a module and all that it imports, without those of views for another kind of axis."""
    found: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        path = wanted.pop()
        if path in found or _left_out(path, kind, files):
            continue
        found[path] = files[stand_in if path == PLOTLY else path]
        wanted += [
            resolved(path, address)
            for pattern in (_STATIC, _LATER)
            for _, address, _ in pattern.findall(found[path])
        ]
    return found


def _left_out(path: str, kind: AxisKind, files: Mapping[str, str]) -> bool:
    """Return true for the export of such a file, and the code of views that fit no such trace."""
    folder = re.match(r"js/views/(\w+)/", path)
    if folder is None or path.endswith("/index.js"):
        return path == WITHOUT
    return not modules.draws(files[f"{folder[0]}index.js"], kind)


def import_map(sources: Mapping[str, str]) -> dict[str, object]:
    """Return an import map of bare names to the texts of modules."""

    def renamed(path: str) -> Callable[[re.Match[str]], str]:
        return lambda found: f"{found[1]}{NAME}{resolved(path, found[2])}{found[3]}"

    addresses = {}
    for path, source in sources.items():
        text = _LATER.sub(renamed(path), _STATIC.sub(renamed(path), source))
        addresses[NAME + path] = _data_uri("text/javascript", text)
    return {"imports": addresses}


def in_script(value: object) -> str:
    """Return JSON in which no text can end a `<script>`."""
    return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode().replace("<", "\\u003c")


def _data_uri(media: str, text: str) -> str:
    return f"data:{media};base64,{base64.b64encode(text.encode()).decode()}"


class _Writer(HTMLParser):
    """Copies a page without what needs a server, with style sheets and images inside it."""

    def __init__(self, title: str, *, head: str, end: str) -> None:
        super().__init__(convert_charrefs=False)
        self._parts: list[str] = []
        self._open: list[str] = []
        self._skipped: int | None = None  # the depth of an element that is left out
        self._replaced: int | None = None  # the depth of an element whose content was replaced
        self._title, self._head, self._end = title, head, end

    @property
    def text(self) -> str:
        """The page."""
        return "".join(self._parts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Copy a tag, change it, or leave out its element."""
        found = dict(attrs)
        void = tag in VOID
        if self._silent or self._removed(tag, found):
            if not void:
                if not self._silent:
                    self._skipped = len(self._open)
                self._open.append(tag)
            return
        if tag == "link" and found.get("rel") == "stylesheet":
            self._parts.append(f"<style>{(STATIC / str(found['href'])).read_text('utf-8')}</style>")
            return
        self._parts.append(_tag(tag, self._changed(tag, found)))
        if tag == "meta" and "charset" in found:
            policy = {"http-equiv": "Content-Security-Policy", "content": POLICY}
            self._parts.append(_tag("meta", policy))
        if not void:
            self._open.append(tag)
            self._replace(tag, found)

    def handle_endtag(self, tag: str) -> None:
        """Copy an end tag."""
        if tag in VOID or tag not in self._open:
            return
        while self._open:
            closed = self._open.pop()
            depth = len(self._open)
            if self._skipped is not None:
                self._skipped = None if depth == self._skipped else self._skipped
            else:
                if depth == self._replaced:
                    self._replaced = None
                if self._replaced is None:
                    before = {"head": self._head, "body": self._end}.get(closed, "")
                    self._parts.append(f"{before}</{closed}>")
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        """Copy a text."""
        if not self._silent:
            self._parts.append(data)

    def handle_entityref(self, name: str) -> None:
        """Copy a character reference."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Copy a numeric character reference."""
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Copy the document type."""
        self._parts.append(f"<!{decl}>")

    @property
    def _silent(self) -> bool:
        return self._skipped is not None or self._replaced is not None

    def _removed(self, tag: str, found: Attributes) -> bool:
        """Return true for an element that needs a server, or has no meaning without one."""
        rel = (found.get("rel") or "").split()
        return (
            found.get("id") in REMOVED_IDS
            or "data-served" in found
            or found.get("class") == "empty"
            or tag == "script"
            or (tag == "a" and "nav" in self._open)
            or (tag == "link" and bool({"preload", "modulepreload"} & set(rel)))
            or (tag == "meta" and found.get("name") == "description")
        )

    def _changed(self, tag: str, found: Attributes) -> Attributes:
        """Return the attributes of an element in the file."""
        changed = dict(found)
        for name in ("src", "href"):
            value = found.get(name)
            if value and (tag == "img" or (tag == "link" and found.get("rel") == "icon")):
                image = (STATIC / value).read_text("utf-8")
                changed[name] = _data_uri("image/svg+xml", image)
        if tag == "body":
            changed.pop("data-plotly", None)
        if found.get("id") == "stage":
            changed.pop("hidden", None)
        if tag == "a" and "name" in (found.get("class") or "").split():
            changed.pop("href", None)
        return changed

    def _replace(self, tag: str, found: Attributes) -> None:
        """Write other content into an element that speaks of the server."""
        content = None
        if tag == "title" and "head" in self._open:
            content = self._title
        elif "noscript" in (found.get("class") or "").split():
            content = NO_SCRIPT
        elif tag == "p" and "footer" in self._open and not found:
            content = (
                f"Saved from Heed {__version__}. "
                "This file contains everything it shows and makes no requests."
            )
        if content is not None:
            self._parts.append(escape(content, quote=False))
            self._replaced = len(self._open) - 1


def _tag(tag: str, attributes: Attributes) -> str:
    pairs = "".join(
        f" {name}" if value is None else f' {name}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{pairs}>"
