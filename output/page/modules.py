"""The modules of the pages: what each imports and exports, and the views that they declare.

The linter holds the scripts to the few forms of import and export that are read here
(`eslint.config.js`), each at the start of a line, so no parser is needed where a server runs.
Bundles and pages in one file are made of what is found here; no script has to find it again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from posixpath import dirname, join, normpath
from typing import NamedTuple

VIEWS = "js/core/views.js"
KINDS = "js/core/kinds/"

# At the start of a line: a comment that contains `@import` does not match.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";$', re.MULTILINE)
_DECLARED = re.compile(r"^export ((?:async )?function\*?|class|const) ([\w$]+)", re.MULTILINE)
_TAKEN_APART = re.compile(r"^export const \{([\w$, ]+)\} =", re.MULTILINE)
# Neither the type `import("./module.js").Type` in a comment nor a longer name.
_LATER = re.compile(
    r'(?:\b(?P<key>\w+): \(\) =>\s*)?(?<![\w$.])(?P<call>import\(\s*"(?P<path>\.[^"]+)"\s*\))(?!\.)'
)
_LOCATION = "import.meta.url"
# Only a promise has these members: a type in a comment may have any other name.
_UNKNOWN = re.compile(
    r"^(?:import\b(?!\()|export\b).*$"
    r"|(?<![\w$.])import\([^()]*\)\s*\.\s*(?:then|catch|finally)\b",
    re.MULTILINE,
)

_KIND = re.compile(r'^  name: "(\w+)",$', re.MULTILINE)
_VIEW = re.compile(r'^  \{\n(    name: "\w+",\n.*?)^  \},$', re.MULTILINE | re.DOTALL)
_NAME = re.compile(r'^    name: "(\w+)",$', re.MULTILINE)
_TITLE = re.compile(r'^    title: "([^"]+)",$', re.MULTILINE)
_KINDS = re.compile(r"^    kinds: \[([^\]]*)\],$", re.MULTILINE)
_SEVERAL_MODELS = re.compile(r"^    models: ", re.MULTILINE)


class ModuleError(ValueError):
    """A module with an import or export of another form, or a circle of imports."""


class Later(NamedTuple):
    """An import that a module makes while it runs."""

    path: str
    key: str | None
    """The name of the loader, in a table of loaders."""


class Modules:
    """The modules of all pages, by their paths below the static files."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._imports: dict[str, list[str]] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._sources

    def imports(self, path: str) -> list[str]:
        """Return the modules that a module imports before it runs."""
        if path not in self._imports:
            addresses = (address for _, address in _IMPORT.findall(self._source(path)))
            self._imports[path] = [_resolved(path, address) for address in addresses]
        return self._imports[path]

    def later(self, path: str) -> list[Later]:
        """Return the imports that a module makes while it runs."""
        return [
            Later(_resolved(path, match["path"]), match["key"])
            for match in _LATER.finditer(self._source(path))
        ]

    def exports(self, path: str) -> list[str]:
        """Return the names that a module exports."""
        source = self._source(path)
        apart = [
            name.strip() for group in _TAKEN_APART.findall(source) for name in group.split(",")
        ]
        return [name for _, name in _DECLARED.findall(source)] + apart

    def in_order(self, entries: Iterable[str], without: Iterable[str] = ()) -> list[str]:
        """Return the entries and all that they import, each behind its own imports."""
        done: dict[str, None] = {}
        open_: dict[str, None] = {}
        known = set(without)

        def visit(path: str) -> None:
            if path in done or path in known:
                return
            if path in open_:
                raise ModuleError(f"modules import each other in a circle: {' → '.join(open_)}")
            open_[path] = None
            for needed in self.imports(path):
                visit(needed)
            del open_[path]
            done[path] = None

        for entry in entries:
            visit(entry)
        return list(done)

    def reached(self, entry: str, needs: Callable[[str, Later], bool]) -> list[str]:
        """Return an entry and all that it imports, at once or later, in order.

        `needs` decides for each import that a module, whose path it gets, makes later.
        """
        entries = {entry: None}
        while True:
            paths = self.in_order(entries)
            wanted = {
                later.path: None
                for path in paths
                for later in self.later(path)
                if needs(path, later)
            }
            if wanted.keys() <= entries.keys():
                return paths
            entries |= wanted

    def body(self, path: str, later: Callable[[str], str], location: str) -> str:
        """Return a module as the body of a function.

        Its imports call `$need`, and it returns its exports. `later` writes the import of a module
        that it makes while it runs, and `location` is its address, both as code.
        """

        def imported(match: re.Match[str]) -> str:
            names = match[1].replace(" as ", ": ")
            return f'const {{{names}}} = $need("{_resolved(path, match[2])}");'

        def loaded(match: re.Match[str]) -> str:
            return match[0].replace(match["call"], later(_resolved(path, match["path"])))

        text = _IMPORT.sub(imported, self._source(path))
        text = _TAKEN_APART.sub(r"const {\1} =", _DECLARED.sub(r"\1 \2", text))
        if unknown := _UNKNOWN.search(text):
            raise ModuleError(f"{path}: a bundle cannot express {unknown[0]!r}")
        text = _LATER.sub(loaded, text.replace(_LOCATION, location))
        return f"{text}return {{ {', '.join(self.exports(path))} }};\n"

    def _source(self, path: str) -> str:
        if path not in self._sources:
            raise ModuleError(f"no module is at {path}")
        return self._sources[path]


def _resolved(path: str, address: str) -> str:
    """Return the path of a module that another one imports by a relative address."""
    return normpath(join(dirname(path), address))


def kind_of(page: str, sources: Mapping[str, str]) -> str:
    """Return the kind of axes that a page draws: that which its description imports, or tokens."""
    folder = f"js/pages/{page}/"
    for path in Modules(sources).imports(f"{folder}page.js"):
        if path.startswith(KINDS) or path == f"{folder}kind.js":
            name: str = _KIND.findall(sources[path])[0]
            return name
    return "tokens"


class View(NamedTuple):
    """A view as the page declares it."""

    name: str
    title: str
    kinds: frozenset[str]
    several_models: bool


def views(sources: Mapping[str, str]) -> list[View]:
    """Return the views in the order of the page."""
    return [
        View(
            name=_NAME.findall(text)[0],
            title=_TITLE.findall(text)[0],
            kinds=frozenset(re.findall(r"\w+", _KINDS.findall(text)[0])),
            several_models=bool(_SEVERAL_MODELS.search(text)),
        )
        for text in _VIEW.findall(sources[VIEWS])
    ]


def view_titles(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of the views of texts by name, in the order of the page."""
    return {view.name: view.title for view in views(sources) if "tokens" in view.kinds}
