"""Answers that contain traces, or the address of one."""

from __future__ import annotations

from heed.app.schemas.base import Wire
from heed.app.schemas.errors import ErrorOut
from heed.app.schemas.trace import TraceOut


class BatchOut(Wire):
    """A trace for each text in the order of the request, or the error of a text that failed."""

    traces: list[TraceOut | ErrorOut]


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
