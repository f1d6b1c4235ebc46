"""Answers that contain traces, or the address of one."""

from __future__ import annotations

from heed.app.schemas.base import Absent, Wire
from heed.app.schemas.errors import ErrorOut
from heed.app.schemas.trace import TraceOut


class BatchOut(Wire):
    """A trace for each text in the order of the request, or the error of a text that failed."""

    traces: list[TraceOut | ErrorOut]


class HeadOut(Wire):
    """Measures of a head, averages over the rows of its map."""

    layer: int
    head: int
    entropy: float
    """In bits."""
    diagonal: float
    """The share of the weight within one key of the diagonal."""
    sink: float
    """The share on marks and, in self-attention, on the first key."""
    alignment: Absent[float] = None
    """Of the linked words of the output, the share whose most attended input word is linked."""
    moved: Absent[float] = None
    """Half the mean absolute difference of its rows to those of the other run."""


class HeadsOut(Wire):
    """The heads of one kind of attention."""

    heads: list[HeadOut]


class SavedOut(Wire):
    """The address of a saved trace, and the key that deletes it, which is shown only once."""

    id: str
    url: str
    """Path of the page that shows it."""
    embed: str
    """Path of the page for a frame of another page."""
    key: str
    """Deletes the trace. The server stores only its digest."""
    expires: str | None
    """Time when the trace is deleted (ISO 8601, UTC); null if it does not expire."""
