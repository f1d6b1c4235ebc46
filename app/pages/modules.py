"""The views of the page, read from the source of its modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath
from typing import Literal

AxisKind = Literal["tokens", "grid", "patches"]
"""The kinds of axes that views of texts, of pictures and of the patches of one draw."""
REGISTRY = "js/views/registry.js"
VIEW = "js/views/{name}/index.js"

_VIEWS = re.compile(r"^export const VIEWS = \[([^\]]*)\]", re.MULTILINE)
_TITLE = re.compile(r'^  title: "([^"]+)",$', re.MULTILINE)
_DOM = re.compile(r"^  dom: \{([^}]*)\}", re.MULTILINE)


def view_titles(sources: Mapping[str, str]) -> dict[str, str]:
    """The titles of the views of texts by name, in the order of the registry."""
    (listed,) = _VIEWS.findall(sources[REGISTRY])
    names = [name.strip() for name in listed.split(",") if name.strip()]
    found = {name: sources[VIEW.format(name=name)] for name in names}
    return {name: _TITLE.findall(text)[0] for name, text in found.items() if draws(text, "tokens")}


def draws(source: str, kind: AxisKind) -> bool:
    """Return true for the declaration of a view that draws this kind of axis."""
    (code,) = _DOM.findall(source)
    return f"{kind}:" in code


def resolved(path: str, address: str) -> str:
    """Return the path of a module that another one imports by a relative address."""
    return normpath(join(dirname(path), address))
