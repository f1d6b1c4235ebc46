"""The ways a command can end, and the exit code of each."""

from __future__ import annotations

from heed.app.errors import CommandError as CommandError
from heed.app.errors import StartError as StartError

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class RefusedError(CommandError):
    """The request is at fault: no such model, a text that the model cannot take."""

    code = REFUSED
