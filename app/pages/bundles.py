"""Bundles: the modules of a page in one file, and one file for each part that is loaded on demand.

A page has some seventy modules. Fetched one by one, they keep one core busy longer than all else
that a page does until it shows a map (decision 14). In a bundle, each module is a function with
the module's own text, in which imports read from a table of modules and exports are returned:

    define("js/core/text.js", () => {
    const { words } = modules["js/core/words.js"];
    …
    return { visible };
    });

A part that is loaded on demand imports the table from the page's bundle and defines the other
modules that it needs. Of a module that two parts share, the first definition counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname, relpath

from heed.app.pages.modules import resolved

PAGES: Mapping[str, tuple[str, ...]] = {
    "text_page": ("js/views/map/view.js", "js/pages/text/app.js"),
    "story_page": ("js/views/map/view.js", "js/pages/story/app.js"),
    "graph_page": ("js/views/graph/view.js", "js/pages/graph/app.js"),
    "glimpse_page": ("js/views/path/view.js", "js/pages/glimpse/app.js"),
    "read_page": ("js/views/arcs/view.js", "js/pages/read/app.js"),
    "see_page": ("js/views/photo/patch_view.js", "js/pages/see/app.js"),
    "picture_page": ("js/views/photo/view.js", "js/pages/picture/app.js"),
}
"""The modules that a page runs at once: its first view, and then its script, which starts it."""
NOTEBOOK = "js/notebook/"
"""The folder of the module that a notebook runs, which belongs to no page."""
FOLDER = "bundles"
VERSION = 2
"""Of the form in which modules are sent: part of the digest in the URLs."""

# At the start of a line: a comment that contains `@import` does not match.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_DECLARED = re.compile(r"^export ((?:async )?function\*?|class|const) ([\w$]+)", re.MULTILINE)
_TAKEN_APART = re.compile(r"^export const \{([\w$, ]+)\} =", re.MULTILINE)
# Neither the type `import("./module.js").Type` in a comment nor a longer name.
_LATER = re.compile(r'(?<![\w$.])import\(\s*"(\.[^"]+)"\s*\)(?!\.)')
_LOCATION = "import.meta.url"
_UNKNOWN = re.compile(r"^(?:import\b(?!\()|export\b).*$", re.MULTILINE)
_HEAD = """export const modules = {};
export const define = (name, make) => {
  modules[name] ??= make();
};
"""


class BundleError(ValueError):
    """A module with an import or export that a bundle cannot express, or a circle of imports."""


def imports(path: str, source: str) -> list[str]:
    """Return the modules that a module imports before it runs."""
    return [resolved(path, address) for _, address in _IMPORT.findall(source)]


class Bundler:
    """Makes bundles from the sources of all modules, by path."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._mains: dict[str, list[str]] = {}

    def bundle(self, path: str) -> str | None:
        """Return the text of a bundle by its path below the static files, or None."""
        folder, _, rest = path.partition("/")
        page, _, entry = rest.partition("/")
        if folder != FOLDER:
            return None
        if not entry:
            page = page.removesuffix(".js")
            return self._of_page(page) if page in PAGES and rest == f"{page}.js" else None
        if page not in PAGES or entry not in self._sources or entry.startswith(NOTEBOOK):
            return None
        if entry in self._main(page):
            return None
        return self._of_part(page, entry)

    def _main(self, page: str) -> list[str]:
        """Return the modules that a page runs at once, in order."""
        if page not in self._mains:
            self._mains[page] = self._in_order(PAGES[page], set())
        return self._mains[page]

    def _of_page(self, page: str) -> str:
        main = self._main(page)
        return _HEAD + self._defined(page, page_bundle(page), main, main)

    def _of_part(self, page: str, entry: str) -> str:
        main, bundle = self._main(page), part_bundle(page, entry)
        table = _relative(bundle, page_bundle(page))
        names = ", ".join(exports(self._sources[entry]))
        return (
            f'import {{ define, modules }} from "{table}";\n'
            + self._defined(page, bundle, self._in_order((entry,), set(main)), main)
            + f'export const {{ {names} }} = modules["{entry}"];\n'
        )

    def _in_order(self, entries: Iterable[str], without: set[str]) -> list[str]:
        """Return the entries and all that they import, each behind its own imports."""
        done: dict[str, None] = {}
        open_: dict[str, None] = {}

        def visit(path: str) -> None:
            if path in done or path in without:
                return
            if path in open_:
                raise BundleError(f"modules import each other in a circle: {' → '.join(open_)}")
            if path not in self._sources:
                raise BundleError(f"no module is at {path}")
            open_[path] = None
            for each in imports(path, self._sources[path]):
                visit(each)
            del open_[path]
            done[path] = None

        for entry in entries:
            visit(entry)
        return list(done)

    def _defined(self, page: str, bundle: str, paths: list[str], main: list[str]) -> str:
        return "".join(
            f'define("{path}", () => {{\n{self._body(page, bundle, path, main)}'
            f"return {{ {', '.join(exports(self._sources[path]))} }};\n}});\n"
            for path in paths
        )

    def _body(self, page: str, bundle: str, path: str, main: list[str]) -> str:
        """Return the text of a module as the body of a function."""

        def imported(match: re.Match[str]) -> str:
            names = match[1].replace(" as ", ": ")
            return f'const {{{names}}} = modules["{resolved(path, match[2])}"];'

        def later(match: re.Match[str]) -> str:
            wanted = resolved(path, match[1])
            if wanted in main:
                return f'Promise.resolve(modules["{wanted}"])'
            return f'import("{_relative(bundle, part_bundle(page, wanted))}")'

        text = _IMPORT.sub(imported, self._sources[path])
        text = _TAKEN_APART.sub(r"const {\1} =", _DECLARED.sub(r"\1 \2", text))
        if unknown := _UNKNOWN.search(text):
            raise BundleError(f"{path}: a bundle cannot express {unknown[0]!r}")
        location = f'new URL("{_relative(bundle, path)}", {_LOCATION}).href'
        return _LATER.sub(later, text.replace(_LOCATION, location))


def exports(source: str) -> list[str]:
    """Return the names that a module exports."""
    apart = [name.strip() for names in _TAKEN_APART.findall(source) for name in names.split(",")]
    return [name for _, name in _DECLARED.findall(source)] + apart


def page_bundle(page: str) -> str:
    """Return the path of the bundle of a page."""
    return f"{FOLDER}/{page}.js"


def part_bundle(page: str, entry: str) -> str:
    """Return the path of the bundle of a part that a page loads on demand."""
    return f"{FOLDER}/{page}/{entry}"


def _relative(bundle: str, path: str) -> str:
    found = relpath(path, dirname(bundle))
    return found if found.startswith(".") else f"./{found}"
