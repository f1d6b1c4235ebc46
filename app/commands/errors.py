"""Errors of commands, and exit codes."""

from __future__ import annotations

from heed.app.errors import CommandError as CommandError
from heed.app.errors import StartError as StartError

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class RefusedError(CommandError):
    """The request is at fault: an unknown model, a text that the model refuses."""

    code = REFUSED
