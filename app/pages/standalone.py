"""A trace as one HTML file that needs no server: the page, its style sheets and its modules.

What the page itself exports (static/js/export/html), assembled without a browser: the same
template, the same modules in an import map, the same contents, and the same policy. Modules and
contents, the style sheets and the body are compressed together; a short script unpacks them
(decision 16).
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from heed import __version__
from heed.app.pages import modules
from heed.app.pages.comments import style_without_comments, without_comments
from heed.app.pages.environment import page_environment
from heed.app.pages.glossary import Glossary
from heed.app.pages.modules import AxisKind, resolved
from heed.app.pages.packing import Packer

STATIC = Path(__file__).parents[2] / "static"
NAME = "heed/"
PLOTLY = "js/draw/plotly.js"
LOADERS = "js/views/loaders.js"
UNPACK = "js/shell/unpack.js"
WITHOUT = "js/export/html/html_export.js"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
NO_SCRIPT = "This file draws its figures with JavaScript, which is turned off in this browser."
TITLE = "\ue000"
"""Stands for the title of a page until there is a trace."""
VOID = frozenset(("br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
REMOVED_IDS = frozenset(("ask", "bring"))

# As in static/js/export/html/modules.js.
_STATIC = re.compile(r'^((?:import|export)\s(?:[^"\';]*\sfrom\s)?")(\.{1,2}/[^"]+\.js)(")', re.M)
_LATER = re.compile(r'(\bimport\(\s*")(\.{1,2}/[^"]+\.js)("\s*\))(?!\.)')

_BLANK = re.compile(r"\s*\n\s*")
_LOADER = re.compile(r'\b(\w+): \(\) => import\("[^"]+"\)')

Attributes = Mapping[str, str | None]


class _Page(NamedTuple):
    """The page of a kind of axis."""

    template: str
    entry: str
    stand_in: str


PAGES: Mapping[AxisKind, _Page] = {
    "tokens": _Page("index.html", "js/pages/text/standalone_app.js", "js/draw/canvas_heatmap.js"),
    "grid": _Page("picture.html", "js/pages/picture/standalone_app.js", "js/draw/no_plotly.js"),
    "patches": _Page("see.html", "js/pages/see/standalone_app.js", "js/draw/canvas_heatmap.js"),
}


def standalone_page(
    kind: AxisKind, trace: Mapping[str, object], model: Mapping[str, object], title: str
) -> str:
    """Return the file of a trace of `trace_out`, and of the model that it was made with."""
    return _page(kind, title, {"query": "", "trace": trace, "models": [model], "answers": []})


@cache
def framed_page(kind: AxisKind) -> str:
    """Return the page of a frame in a notebook, which waits for its contents in a message."""
    return _page(kind, "Heed", None)


def in_frame(page: str, height: int) -> str:
    """Return a page as a frame of fixed height within another page."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")  # the packed text has neither
    return (
        f'<iframe title="Attention" sandbox="allow-scripts allow-downloads allow-popups" '
        f'style="width: 100%; height: {height}px; border: 0" srcdoc="{quoted}"></iframe>'
    )


def _page(kind: AxisKind, title: str, contents: Mapping[str, object] | None) -> str:
    scripts = _scripts()
    template = _template(PAGES[kind].template)
    text, size = _packer(kind).packed({"contents": contents})
    framed = " data-framed" if contents is None else ""
    return (
        f"{template.head.replace(TITLE, escape(title, quote=False))}"
        f"<script>{without_comments(scripts['js/shell/early_theme.js'])}</script></head>"
        f"<body{framed}><noscript><p>{NO_SCRIPT}</p></noscript>"
        f'<script type="text/plain" id="packed" data-size="{size}">{text}</script>'
        f"<script>{without_comments(scripts[UNPACK])}</script></body></html>\n"
    )


@cache
def _packer(kind: AxisKind) -> Packer:
    """Return what packs contents together with the files of a page."""
    page = PAGES[kind]
    template = _template(page.template)
    return Packer(
        {
            "entry": NAME + page.entry,
            "modules": _modules(kind),
            "styles": template.styles,
            "body": template.body,
        }
    )


class _Template(NamedTuple):
    """A page without anything that needs a server."""

    head: str
    styles: str
    body: str


@cache
def _template(name: str) -> _Template:
    """Return the parts of a page, with a placeholder as its title."""
    writer = _Writer()
    writer.feed(_rendered(name))
    writer.close()
    head, _, rest = writer.text.partition("</head>")
    _, _, body = rest.partition("<body")
    _, _, body = body.partition(">")
    body, _, _ = body.rpartition("</body>")
    return _Template(head, writer.styles, _BLANK.sub("\n", body))


@cache
def _scripts() -> Mapping[str, str]:
    """Return the modules of all pages."""
    return {
        f"js/{path.relative_to(STATIC / 'js').as_posix()}": path.read_text("utf-8")
        for path in (STATIC / "js").rglob("*.js")
    }


@cache
def _rendered(template: str) -> str:
    """Return a page as the template has it, before anything is shown."""
    environment = page_environment(
        asset=str,
        bundle=str,
        view_titles=modules.view_titles(_scripts()),
        glossary=Glossary(),
        saves=False,
    )
    return environment.get_template(template).render()


@cache
def _modules(kind: AxisKind) -> Mapping[str, str]:
    """Return the modules of a page, by the names under which they import each other."""
    page = PAGES[kind]
    found = renamed(gathered(page.entry, page.stand_in, kind, _scripts()))
    return {name: without_comments(source) for name, source in found.items()}


def gathered(entry: str, stand_in: str, kind: AxisKind, files: Mapping[str, str]) -> dict[str, str]:
    """Return a module and all that it imports, without what draws other kinds of axes.

    A view of several models draws nothing here: such a file has one.
    """
    others = tuple(
        f"js/views/{view.name}/"
        for view in modules.views(files)
        if kind not in view.kinds or view.several_models
    )
    found: dict[str, str] = {}
    wanted = [entry]
    while wanted:
        path = wanted.pop()
        if path in found:
            continue
        source = found[path] = files[stand_in if path == PLOTLY else path]
        if path == LOADERS:
            source = _LOADER.sub(lambda loader: loader[0] if loader[1] == kind else "", source)
        wanted += [resolved(path, address) for _, address, _ in _STATIC.findall(source)]
        later = [resolved(path, address) for _, address, _ in _LATER.findall(source)]
        wanted += [each for each in later if each != WITHOUT and not each.startswith(others)]
    return found


def renamed(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of modules by bare names, which their imports then use."""

    def bare(path: str) -> Callable[[re.Match[str]], str]:
        return lambda found: f"{found[1]}{NAME}{resolved(path, found[2])}{found[3]}"

    return {
        NAME + path: _LATER.sub(bare(path), _STATIC.sub(bare(path), source))
        for path, source in sources.items()
    }


def _data_uri(media: str, text: str) -> str:
    return f"data:{media};base64,{base64.b64encode(text.encode()).decode()}"


class _Writer(HTMLParser):
    """Copies a page without what needs a server, with style sheets and images inside it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self._parts: list[str] = []
        self._open: list[str] = []
        self._skipped: int | None = None  # the depth of an element that is left out
        self._replaced: int | None = None  # the depth of an element whose content was replaced
        self._styles: list[str] = []

    @property
    def text(self) -> str:
        """The page."""
        return "".join(self._parts)

    @property
    def styles(self) -> str:
        """The style sheets of the page."""
        return "".join(self._styles)

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
            sheet = (STATIC / str(found["href"])).read_text("utf-8")
            self._styles.append(style_without_comments(sheet))
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
                    self._parts.append(f"</{closed}>")
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
            content = TITLE
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
