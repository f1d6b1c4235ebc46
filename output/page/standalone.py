"""A trace as one HTML file that needs no server: a shell, filled with the contents.

The shell of a page is the file without a trace: its template, style sheets and modules, compressed
together, and a short script that unpacks them (decision 16). The server sends it to the page,
which fills it for an export (static/js/export/html) as `standalone_page` does here. A shell
without contents stands in the frame of a notebook, and waits for them in a message.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from posixpath import dirname

from markupsafe import Markup

from heed.output.page.bundles import Bundler
from heed.output.page.comments import style_without_comments, without_comments
from heed.output.page.environment import page_environment, template_of
from heed.output.page.glossary import Glossary
from heed.output.page.modules import Later, kind_of, view_titles, views
from heed.output.page.packing import packed

STATIC = Path(__file__).parents[2] / "static"
PLOTLY = "js/draw/plotly.js"
STAND_IN = "js/draw/canvas_heatmap.js"
NO_PLOTLY = "js/draw/no_plotly.js"
"""The stand-ins of Plotly, which is megabytes: of a page with a map, and of one without."""
LESSON = "js/pages/learn/lesson_file.js"
TOOL = "js/pages/learn/standalone_app.js"
"""Starts the tools of lessons, of which a shell has one."""
GROWN = "js/pages/grow/views.js"
"""Shows a grown network in the views of a text, from within a file."""
MAP = "js/views/map"
LOADERS = "js/views/loaders.js"
SERVED = "js/core/linked_maps.js"
"""Loads the maps of large traces from the server; a file has all of its own."""
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)
GROW_POLICY = (
    POLICY.replace("'unsafe-inline'", "'unsafe-inline' 'wasm-unsafe-eval' blob:", 1)
    + "; worker-src blob:"
)
"""Its worker is a part of the file, and makes its arithmetic as WebAssembly."""
NO_SCRIPT = "This file draws its figures with JavaScript, which is turned off in this browser."
TITLE = "<title>Heed</title>"
CONTENTS = '<script type="text/plain" id="contents"></script>'
"""The places of a shell that are filled. As in static/js/export/html/html_export.js."""

_BLANK = re.compile(r"\s*\n\s*")


def standalone_page(
    page: str, trace: Mapping[str, object], model: Mapping[str, object], title: str
) -> str:
    """Return the file of a trace of `trace_out`, and of the model that it was made with."""
    contents = {"query": "", "trace": trace, "models": [model], "answers": []}
    return filled(shell(page), title, contents)


def filled(shell: str, title: str, contents: Mapping[str, object]) -> str:
    """Return the shell with a title and contents."""
    head, _, rest = shell.partition(TITLE)
    body, _, end = rest.partition(CONTENTS)
    held = _held("contents", contents)
    return f"{head}<title>{escape(title, quote=False)}</title>{body}{held}{end}"


def in_frame(page: str, height: int) -> str:
    """Return a page as a frame of fixed height within another page."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")  # the packed text has neither
    return (
        f'<iframe title="Attention" sandbox="allow-scripts allow-downloads allow-popups" '
        f'style="width: 100%; height: {height}px; border: 0" srcdoc="{quoted}"></iframe>'
    )


@cache
def shell(name: str, *, compared: bool = False) -> str:
    """Return the file of a page without contents; `compared` adds the views of several models."""
    scripts = _scripts()
    script = without_comments(script_of(name, scripts, compared=compared))
    return _one_file(template_of(name), script, scripts)


def lesson_shell(lesson: object, *, shown: Sequence[bool], grows: bool) -> str:
    """Return the file of a lesson without contents.

    `shown`: for each step, true if the file has its page; `grows`: true if a network grows in it.
    """
    policy = GROW_POLICY if grows else POLICY  # which holds in the frame, too
    context = {"lesson": lesson, "shown": shown, "policy": policy}
    return _one_file("lesson_file.html", _script(LESSON), _scripts(), **context)


def tool_shell(name: str, *, grows: bool, **context: object) -> str:
    """Return the file of a tool of lessons, which waits for its parameters in a message."""
    policy = GROW_POLICY if grows else POLICY
    script = _script(TOOL, name)
    return _one_file(f"{name}.html", script, _scripts(), policy=policy, **context)


@cache
def grow_file() -> str:
    """Return the page on which a network grows as one file.

    It contains the script of its worker, and the shell of the page of texts for what has grown.
    """
    page = _one_file("grow.html", _script("js/pages/grow/app.js"), _scripts(), policy=GROW_POLICY)
    contents = {"worker": grow_worker(), "shell": shell("text")}
    return filled(page, "Grow attention in your browser · Heed", contents)


def grow_worker() -> str:
    """Return the script of the worker in which a network grows."""
    return _script("js/pages/grow/worker.js")


@cache
def _script(entry: str, key: str | None = None) -> str:
    """Return a module with all that it imports, and what it loads later under one key.

    What has grown is shown in a frame, whose shell is another content of the file.
    """

    def needs(_path: str, later: Later) -> bool:
        return later.path == GROWN or (key is not None and later.key == key)

    return without_comments(Bundler(_scripts()).whole(entry, needs))


def _one_file(
    template_name: str, script: str, scripts: Mapping[str, str], **context: object
) -> str:
    template = _Template(template_name, scripts, context)
    parts = {
        "script": script,
        "styles": template.styles,
        "body": template.body,
    }
    return (
        f"{template.head}"
        f"<body><noscript><p>{NO_SCRIPT}</p></noscript>"
        f"{_held('packed', parts)}{CONTENTS}"
        f"<script>{without_comments(scripts['js/shell/unpack.js'])}</script></body></html>\n"
    )


def _held(id: str, value: Mapping[str, object]) -> str:
    """Return an element that holds a value."""
    text, size = packed(value)
    return f'<script type="text/plain" id="{id}" data-size="{size}">{text}</script>'


def _scripts() -> Mapping[str, str]:
    return {
        f"js/{path.relative_to(STATIC / 'js').as_posix()}": path.read_text("utf-8")
        for path in (STATIC / "js").rglob("*.js")
    }


def script_of(page: str, scripts: Mapping[str, str], *, compared: bool) -> str:
    """Return all modules of a page, without what draws other kinds of axes."""
    kind = kind_of(page, scripts)
    others = tuple(
        f"js/views/{view.name}/" for view in views(scripts) if view.several_models and not compared
    )

    drawn = {f"js/views/{view.name}" for view in views(scripts) if kind in view.kinds}

    def needs(path: str, later: Later) -> bool:
        unnamed = later.key == "others" and dirname(later.path) in drawn
        return (
            later.path != SERVED
            and (path != LOADERS or later.key == kind or unnamed)
            and not later.path.startswith(others)
        )

    stand_in = scripts[STAND_IN if MAP in drawn else NO_PLOTLY]
    bundler = Bundler({**scripts, PLOTLY: stand_in})
    return bundler.whole(f"js/pages/{page}/standalone_app.js", needs)


class _Template:
    """The parts of a page as its template has them for a file."""

    def __init__(
        self, name: str, scripts: Mapping[str, str], context: Mapping[str, object]
    ) -> None:
        self.styles = ""
        environment = page_environment(
            asset=_inlined,
            bundle=str,
            style=self._style,
            view_titles=view_titles(scripts),
            glossary=Glossary(),
        )
        theme = Markup(without_comments(scripts["js/shell/early_theme.js"]))  # noqa: S704
        environment.globals.update(policy=POLICY, early_theme=theme)
        text = environment.get_template(name).render(context)
        self.head, _, rest = _BLANK.sub("\n", text).partition("<body>")
        self.body, _, _ = rest.partition("</body>")

    def _style(self, path: str) -> str:
        """Keep a style sheet, in place of a link to it."""
        self.styles += style_without_comments((STATIC / path).read_text("utf-8"))
        return ""


def _inlined(path: str) -> str:
    """Return an image as an address that contains it."""
    content = base64.b64encode((STATIC / path).read_bytes()).decode()
    return f"data:image/svg+xml;base64,{content}"
