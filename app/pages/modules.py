"""The views of the page, read from the source of its modules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath
from typing import Literal, NamedTuple

AxisKind = Literal["tokens", "grid", "patches"]
"""The kinds of axes that views of texts, of pictures and of the patches of one draw."""
VIEWS = "js/core/views.js"

_VIEW = re.compile(r'^  \{\n(    name: "\w+",\n.*?)^  \},$', re.MULTILINE | re.DOTALL)
_NAME = re.compile(r'^    name: "(\w+)",$', re.MULTILINE)
_TITLE = re.compile(r'^    title: "([^"]+)",$', re.MULTILINE)
_KINDS = re.compile(r"^    kinds: \[([^\]]*)\],$", re.MULTILINE)
_SEVERAL_MODELS = re.compile(r"^    models: ", re.MULTILINE)


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


def resolved(path: str, address: str) -> str:
    """Return the path of a module that another one imports by a relative address."""
    return normpath(join(dirname(path), address))
