"""The environment that the templates of the pages are rendered in, with the models of a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jinja2 import Environment

from heed.app.tasks import pages
from heed.app.traces.input_note import trace_note
from heed.models.card import Card
from heed.output.page.environment import page_environment
from heed.output.page.glossary import Glossary


def served_environment(
    *,
    asset: Callable[[str], str],
    bundle: Callable[[str], str],
    view_titles: Mapping[str, str],
    glossary: Glossary,
    saves: bool,
    page_models: Mapping[str, Sequence[object]],
    menus: Mapping[str, Sequence[Card]],
    missing_models: Mapping[str, str],
) -> Environment:
    """Return the environment; `asset` and `bundle` make the addresses of files and scripts.

    `page_models` has the models of each page, `menus` the cards of these and of those that are not
    installed, `missing_models` the commands that bring these. The gallery has the cards of pages
    with models.
    """
    environment = page_environment(
        asset=asset, bundle=bundle, view_titles=view_titles, glossary=glossary
    )
    environment.globals.update(
        served=True,
        saves=saves,
        trace_note=trace_note,
        page_models=page_models,
        menus=menus,
        missing_models=missing_models,
        models=page_models["text"],
        picture_models=page_models["picture"],
        others=[page for page in pages() if page.card and page_models[page.name]],
    )
    return environment
