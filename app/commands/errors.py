"""Errors of commands, and exit codes."""

from __future__ import annotations

from typing import ClassVar

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A command failed; the message says what to change."""

    code: ClassVar[int] = FAILED


class StartError(CommandError):
    """The environment is at fault: unreadable weights, a setting out of range, a port in use."""


class RefusedError(CommandError):
    """The request is at fault: an unknown model, a text that the model refuses."""

    code = REFUSED
