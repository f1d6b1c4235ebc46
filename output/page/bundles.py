"""Bundles: the modules of a page in one file, and one file for each part that is loaded on demand.

A page has some seventy modules. Fetched one by one, they keep one core busy longer than all else
that a page does until it shows a map (decision 14). In a bundle, each module is a function with
the module's own text, which returns its exports, and runs when another one first needs them:

    $define("js/core/text.js", () => {
    const { words } = $need("js/core/words.js");
    …
    return { visible };
    });

A part that is loaded on demand imports both functions from the page's bundle and defines the other
modules that it needs. Of a module that two parts share, the first definition counts. A page in one
file has one bundle of all that it may need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from posixpath import dirname, relpath
from types import MappingProxyType

from heed.output.page.modules import Later, Modules

NOTEBOOK = "js/notebook/"
"""The folder of the module that a notebook runs, which belongs to no page."""
FOLDER = "bundles"
VERSION = 3
"""Of the form in which modules are sent: part of the digest in the URLs."""

_HEAD = """const makers = {};
const made = {};
const $define = (name, make) => {
  makers[name] ??= make;
};
const $need = (name) => (made[name] ??= makers[name]());
"""
_MISSING = "null"
"""The stand-in of a module that a file does not need."""
_NOWHERE = '""'
"""The address of a module in a file."""


class Bundler:
    """Makes bundles from the sources of all modules, by path.

    `pages` has the modules that each page runs at once, by the name of its bundle.
    """

    def __init__(
        self,
        sources: Mapping[str, str],
        pages: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        self._modules = Modules(sources)
        self._pages = pages
        self._mains: dict[str, list[str]] = {}

    def bundle(self, path: str) -> str | None:
        """Return the text of a bundle by its path below the static files, or None."""
        folder, _, rest = path.partition("/")
        page, _, entry = rest.partition("/")
        if folder != FOLDER:
            return None
        if not entry:
            page = page.removesuffix(".js")
            return self._of_page(page) if page in self._pages and rest == f"{page}.js" else None
        if page not in self._pages or entry not in self._modules or entry.startswith(NOTEBOOK):
            return None
        if entry in self._main(page):
            return None
        return self._of_part(page, entry)

    def whole(self, entry: str, needs: Callable[[str, Later], bool]) -> str:
        """Return one bundle of a module and of all that it imports, at once or later."""
        paths = self._modules.reached(entry, needs)

        def later(wanted: str) -> str:
            return _needed(wanted) if wanted in paths else _MISSING

        defined = (self._defined(path, later, _NOWHERE) for path in paths)
        return f"{_HEAD}{''.join(defined)}{_run([entry])}"

    def _main(self, page: str) -> list[str]:
        """Return the modules that a page runs at once, in order."""
        if page not in self._mains:
            self._mains[page] = self._modules.in_order(self._pages[page])
        return self._mains[page]

    def _of_page(self, page: str) -> str:
        main = self._main(page)
        defined = self._served(page, page_bundle(page), main)
        return f"{_HEAD}export {{ $define, $need }};\n{defined}{_run(self._pages[page])}"

    def _of_part(self, page: str, entry: str) -> str:
        bundle = part_bundle(page, entry)
        table = _relative(bundle, page_bundle(page))
        names = ", ".join(self._modules.exports(entry))
        paths = self._modules.in_order((entry,), self._main(page))
        return (
            f'import {{ $define, $need }} from "{table}";\n'
            f"{self._served(page, bundle, paths)}"
            f'export const {{ {names} }} = $need("{entry}");\n'
        )

    def _served(self, page: str, bundle: str, paths: Collection[str]) -> str:
        main = self._main(page)

        def later(wanted: str) -> str:
            if wanted in main:
                return _needed(wanted)
            return f'import("{_relative(bundle, part_bundle(page, wanted))}")'

        return "".join(
            self._defined(
                path, later, f'new URL("{_relative(bundle, path)}", import.meta.url).href'
            )
            for path in paths
        )

    def _defined(self, path: str, later: Callable[[str], str], location: str) -> str:
        return f'$define("{path}", () => {{\n{self._modules.body(path, later, location)}}});\n'


def page_bundle(page: str) -> str:
    """Return the path of the bundle of a page."""
    return f"{FOLDER}/{page}.js"


def part_bundle(page: str, entry: str) -> str:
    """Return the path of the bundle of a part that a page loads on demand."""
    return f"{FOLDER}/{page}/{entry}"


def _needed(path: str) -> str:
    """Return the import of a module that the bundle already has."""
    return f'Promise.resolve($need("{path}"))'


def _run(entries: Collection[str]) -> str:
    return "".join(f'$need("{entry}");\n' for entry in entries)


def _relative(bundle: str, path: str) -> str:
    relative = relpath(path, dirname(bundle))
    return relative if relative.startswith(".") else f"./{relative}"
