"""Exit codes of commands, and the error of a request that is refused."""

from __future__ import annotations

from heed.app.errors import CommandError

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class RefusedError(CommandError):
    """The request is at fault: an unknown model, a text that the model refuses."""

    code = REFUSED
