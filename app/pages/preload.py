"""The trace that a page contains, so that it shows something before any script has run."""

from __future__ import annotations

from typing import NamedTuple

from heed.app.pages.table import Table, table_of
from heed.app.schemas import TokenAxisOut, TraceOut

MAX_BYTES, MAX_CELLS = 512 * 1024, 2_500  # a larger trace would delay its page
MOST_BYTES = 4 * 1024 * 1024  # of a trace for which a client without scripts waits


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
