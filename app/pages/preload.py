"""The trace that a page contains, so that it shows something before any script has run.

A page is never refused and hardly delayed for it: the page's script requests what takes longer.
Running a model for a page counts against the rate limit like a call of the API.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from heed.app.errors import HeedError, log_internal_error
from heed.app.http.validation_errors import validated
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.limits import check_search
from heed.app.inference.translation import Translation
from heed.app.pages.table import Table, table_of
from heed.app.schemas import SearchIn, TraceOut, TranslateIn
from heed.app.settings import Settings
from heed.models.card import Card
from heed.models.catalogue import Catalogue

PATIENCE_SECONDS = 0.15  # a short sentence takes a tenth of it
MAX_BYTES, MAX_CELLS = 512 * 1024, 2_500  # a larger trace would delay its page
SEARCH = {"search": "kind", "penalty": "length_penalty"}  # other fields have their own names


class Preloaded(NamedTuple):
    """A trace in a page, its JSON without `<`, so that no text in it can close its `<script>`."""

    json: str
    trace: TraceOut
    characters: bool  # whether the tokens are characters
    table: Table | None


def preloaded(content: bytes, *, bounded: bool = True) -> Preloaded | None:
    """Prepare a trace for a page; None, if `bounded`, for one that is too large."""
    if bounded and len(content) > MAX_BYTES:
        return None
    trace = TraceOut.model_validate_json(content)
    characters = all(token.special or len(token.text) <= 1 for token in trace.target.tokens)
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
    return validated(fields, TranslateIn, strict=False)


@dataclass(frozen=True)
class Preloader:
    """Answers the question in a page's query, or raises the error that the API would give."""

    catalogue: Catalogue
    translation: Translation
    defaults: Defaults
    settings: Settings

    def asked(self, query: Mapping[str, str]) -> TranslateIn:
        """The request in a query."""
        model = known_model(self.catalogue, query.get("model"), self.defaults, "text")
        asked = translate_in(query, self.catalogue.cards[model])
        check_search(asked.search, self.settings)
        return asked

    async def quick(self, asked: TranslateIn, count: Callable[[], None]) -> bytes | None:
        """The trace if it is known, or if an idle model computes it within a moment."""
        asking = self.translation.at_once(asked, _patience, count)
        [answer] = await asyncio.gather(asking, return_exceptions=True)
        if isinstance(answer, HeedError):
            raise answer
        if isinstance(answer, Exception) and not isinstance(answer, AbandonedError):
            log_internal_error(answer, "the trace of a page")  # the page comes all the same
        return answer if isinstance(answer, bytes) else None


def _patience(give_up: Callable[[], None]) -> Callable[[], object]:
    return asyncio.get_running_loop().call_later(PATIENCE_SECONDS, give_up).cancel
