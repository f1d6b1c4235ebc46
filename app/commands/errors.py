"""The ways a command can end, and the exit code of each."""

from __future__ import annotations

from typing import ClassVar

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A command that cannot go on; the message says what to change."""

    code: ClassVar[int] = FAILED


class StartError(CommandError):
    """It cannot be done here: no readable weights, a setting out of bounds, a port in use."""


class RefusedError(CommandError):
    """The request is at fault: no such model, a text that the model cannot take."""

    code = REFUSED
