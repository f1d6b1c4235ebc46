"""The trace that a page contains, so that it shows something before any script has run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from heed.app.http.validation_errors import validated
from heed.app.inference.catalogue import Defaults, Kind, known_model
from heed.app.inference.glimpses import glimpse_file
from heed.app.inference.limits import check_search
from heed.app.pages.table import Table, table_of
from heed.app.schemas import (
    GlimpseFile,
    GlimpseIn,
    GraphIn,
    ReadIn,
    SearchIn,
    StoryIn,
    TokenAxisOut,
    TraceOut,
    TranslateIn,
)
from heed.app.settings import Settings
from heed.models.card import Card
from heed.models.catalogue import Catalogue

MAX_BYTES, MAX_CELLS = 512 * 1024, 2_500  # a larger trace would delay its page
MOST_BYTES = 4 * 1024 * 1024  # of a trace for which a client without scripts waits
Asked = TypeVar("Asked")
SEARCH = {"search": "kind", "penalty": "length_penalty"}  # other fields have their own names


class Preloaded(NamedTuple):
    """A trace in a page, its JSON without `<`, so that no text in it can close its `<script>`."""

    json: str
    trace: TraceOut
    characters: bool  # whether the tokens are characters
    table: Table | None


def preloaded(content: bytes, *, bounded: bool = True) -> Preloaded | None:
    """Prepare a trace for a page; None for one that is too large, the sooner if `bounded`."""
    if len(content) > (MAX_BYTES if bounded else MOST_BYTES):
        return None
    trace = TraceOut.model_validate_json(content)
    if trace.run is not None:  # its maps may be gone before the page asks for them
        return None
    characters = isinstance(trace.target, TokenAxisOut) and all(
        token.special or len(token.text) <= 1 for token in trace.target.tokens
    )
    table = table_of(trace, characters=characters)
    if bounded and table and len(table.columns) * len(table.rows) > MAX_CELLS:
        return None
    return Preloaded(content.decode().replace("<", "\\u003c"), trace, characters, table)


def translate_in(query: Mapping[str, str], card: Card) -> TranslateIn:
    """The query as a request of the API, for the first example if it has no text."""
    named = {SEARCH.get(name, name): value for name, value in query.items()}
    search = {field: named[field] for field in SearchIn.model_fields if field in named}
    text = query.get("text", next(iter(card.examples), ""))
    fields = {"text": text, "model": card.id, "target": query.get("target"), "search": search}
    return validated(fields | {"maps": "linked"}, TranslateIn, strict=False)


def story_in(query: Mapping[str, str], card: Card) -> StoryIn:
    """The query as a request of the API, for the first example if it has no story."""
    story, question = first_story(card)
    fields = {
        "story": query.get("story", story),
        "question": query.get("question", question),
        "model": card.id,
    }
    return validated(fields, StoryIn, strict=False)


def graph_in(query: Mapping[str, str], card: Card) -> GraphIn:
    """The query as a request of the API, for the first example if it has no graph."""
    graph = query.get("graph", next(iter(card.examples), ""))
    return validated({"graph": graph, "model": card.id}, GraphIn, strict=False)


def first_story(card: Card) -> tuple[str, str]:
    """The first example of a model that reads stories: the last line of it is the question."""
    story, _, question = next(iter(card.examples), "").rpartition("\n")
    return story, question


def glimpse_in(query: Mapping[str, str], card: Card) -> GlimpseFile:
    """The picture in the query, or the first example, with the options of its request."""
    picture = query.get("picture", next(iter(card.examples), ""))
    fields = {"picture": picture, "model": card.id}
    return glimpse_file(validated(fields, GlimpseIn, strict=False))


def read_in(query: Mapping[str, str], card: Card) -> ReadIn:
    """The query as a request of the API, for the first example if it has no sentence."""
    text = query.get("text", next(iter(card.examples), ""))
    return validated({"text": text, "model": card.id}, ReadIn, strict=False)


@dataclass(frozen=True)
class Preloader:
    """Reads the request in the query of a page, or raises the error that the API would give."""

    catalogue: Catalogue
    defaults: Defaults
    settings: Settings

    def translation(self, query: Mapping[str, str]) -> TranslateIn:
        """The request in a query of the page of texts."""
        asked = translate_in(query, self._card(query, "text"))
        check_search(asked.search, self.settings)
        return asked

    def read(
        self,
        kind: Kind,
        request: Callable[[Mapping[str, str], Card], Asked],
        query: Mapping[str, str],
    ) -> Asked:
        """The request in a query of the page for a kind of model."""
        return request(query, self._card(query, kind))

    def _card(self, query: Mapping[str, str], kind: Kind) -> Card:
        """The card of the model in a query."""
        model = known_model(self.catalogue, query.get("model"), self.defaults, kind)
        return self.catalogue.cards[model]
