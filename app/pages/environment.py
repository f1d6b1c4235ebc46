"""The environment that the templates of the pages are rendered in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from heed import __version__
from heed.app.pages.glossary import Glossary
from heed.app.tasks import pages
from heed.models.card import Card

TEMPLATES = Path(__file__).parents[2] / "templates"


def page_environment(
    *,
    asset: Callable[[str], str],
    bundle: Callable[[str], str],
    style: Callable[[str], str] | None = None,
    view_titles: Mapping[str, str],
    glossary: Glossary,
    saves: bool,
    page_models: Mapping[str, Sequence[object]] = MappingProxyType({}),
    menus: Mapping[str, Sequence[Card]] = MappingProxyType({}),
    missing_models: Mapping[str, str] = MappingProxyType({}),
) -> Environment:
    """Return the environment; `asset` and `bundle` make the addresses of files and scripts.

    `style` writes what loads a style sheet, by default a link. `page_models` has the models of each
    page, `menus` the cards of these and of those that are not installed, `missing_models` the
    commands that bring these. The gallery has the cards of pages with models.
    """

    def link(path: str) -> str:
        return Markup('<link rel="stylesheet" href="{}">').format(asset(path))

    models = {page.name: list(page_models.get(page.name, ())) for page in pages()}
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(
        asset=asset,
        bundle=bundle,
        style=style or link,
        view_titles=view_titles,
        version=__version__,
        served=True,
        saves=saves,
        trace_note=_trace_note,
        glossary=glossary.terms,
        term=glossary.term,
        page_models=models,
        menus={page.name: menus.get(page.name, ()) for page in pages()},
        missing_models=missing_models,
        models=models["text"],
        picture_models=models["picture"],
        others=[page for page in pages() if page.card and models[page.name]],
    )
    # Pages replace these where they have something to show.
    environment.globals.update(
        dict.fromkeys(("embedded", "theme", "saved", "preloaded", "error", "stop", "social")),
        query={},
    )
    return environment


def _trace_note(trace: Any) -> str:
    """Return the note on an input; a page in one file needs none, nor the schemas behind it."""
    from heed.app.traces.input_note import trace_note

    return trace_note(trace)
