"""The views of the page, read from the source of its modules."""

from __future__ import annotations

import re
from collections.abc import Mapping

REGISTRY = "js/views/registry.js"
VIEW = "js/views/{name}/index.js"

_VIEWS = re.compile(r"^export const VIEWS = \[([^\]]*)\]", re.MULTILINE)
_TITLE = re.compile(r'^  title: "([^"]+)",$', re.MULTILINE)
_TOKENS = re.compile(r"^  dom: \{\s*tokens:", re.MULTILINE)


def view_titles(sources: Mapping[str, str]) -> dict[str, str]:
    """The titles of the views of texts by name, in the order of the registry."""
    (listed,) = _VIEWS.findall(sources[REGISTRY])
    names = [name.strip() for name in listed.split(",")]
    found = {name: sources[VIEW.format(name=name)] for name in names}
    return {name: _TITLE.findall(text)[0] for name, text in found.items() if _TOKENS.search(text)}
