"""The imports and the views of the page's modules, read from their source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname, join, normpath

REGISTRY = "js/views/registry.js"
VIEW = "js/views/{name}/index.js"

# At the start of a line: neither `import(…)`, which loads on demand, nor `@import` in a comment.
_IMPORT = re.compile(r'^(?:import|export)\s(?:[^"\';]*\sfrom\s)?"(\.[^"]+)"', re.MULTILINE)
_VIEWS = re.compile(r"^export const VIEWS = \[([^\]]*)\]", re.MULTILINE)
_TITLE = re.compile(r'^  title: "([^"]+)",$', re.MULTILINE)
_TOKENS = re.compile(r"^  dom: \{\s*tokens:", re.MULTILINE)


def imports(path: str, source: str) -> list[str]:
    """The modules that a module imports statically."""
    return [normpath(join(dirname(path), address)) for address in _IMPORT.findall(source)]


def all_imports(entries: Iterable[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Modules and all that they import, directly or not, without repetitions."""
    found = dict.fromkeys(entries)
    unread = list(found)
    while unread:
        new = [path for path in graph[unread.pop(0)] if path not in found]
        found |= dict.fromkeys(new)
        unread += new
    return list(found)


def view_titles(sources: Mapping[str, str]) -> dict[str, str]:
    """The titles of the views of texts by name, in the order of the registry."""
    (listed,) = _VIEWS.findall(sources[REGISTRY])
    names = [name.strip() for name in listed.split(",")]
    found = {name: sources[VIEW.format(name=name)] for name in names}
    return {name: _TITLE.findall(text)[0] for name, text in found.items() if _TOKENS.search(text)}
