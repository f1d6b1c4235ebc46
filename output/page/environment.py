"""The environment that the templates are rendered in, for a server and for pages in one file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from heed import __version__
from heed.output.page.glossary import Glossary

TEMPLATES = Path(__file__).parents[2] / "templates"


def template_of(page: str) -> str:
    """Return the name of the template of a page."""
    return "index.html" if page == "text" else f"{page}.html"


def page_environment(
    *,
    asset: Callable[[str], str],
    bundle: Callable[[str], str],
    style: Callable[[str], str] | None = None,
    view_titles: Mapping[str, str],
    glossary: Glossary,
) -> Environment:
    """Return the environment of a page that has no server, and no models to choose from.

    `asset` and `bundle` make the addresses of files and scripts. `style` writes what loads a style
    sheet, by default a link.
    """

    def link(path: str) -> str:
        return Markup('<link rel="stylesheet" href="{}">').format(asset(path))

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
        served=False,
        saves=False,
        glossary=glossary.terms,
        term=glossary.term,
    )
    none: Mapping[str, Sequence[object]] = defaultdict(tuple)
    environment.globals.update(
        page_models=none, menus=none, missing_models={}, models=(), picture_models=(), others=()
    )
    # Pages replace these where they have something to show.
    environment.globals.update(
        dict.fromkeys(("embedded", "theme", "saved", "preloaded", "error", "stop", "social")),
        query={},
    )
    return environment
