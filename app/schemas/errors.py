"""Errors."""

from __future__ import annotations

from heed.app.schemas.base import Wire


class ErrorBody(Wire):
    """An error: a stable code, a message that says what to do, and the field, if any."""

    code: str
    message: str
    field: str | None


class ErrorOut(Wire):
    """The shape of every error response."""

    error: ErrorBody
