"""`heed backup`: all saved traces in a file of their own."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from heed.app.commands.errors import DONE, StartError
from heed.app.settings import Settings
from heed.app.traces.database import copy_database
from heed.app.traces.store import FILE


def backup(target: Path, settings: Settings) -> int:
    """Copy the saved traces to a new file; gives the exit code."""
    source = settings.store.expanduser() / FILE
    if not source.exists():
        raise StartError(f"Nothing was ever saved in {settings.store}. Set HEED_STORE.")
    if target.exists():
        raise StartError(f"There is a file {target} already. Choose another name, or move it.")
    try:
        traces = copy_database(source, target)
    except (sqlite3.Error, OSError) as error:
        raise StartError(f"The saved traces could not be copied: {error}.") from None
    print(f"{traces} saved traces are in {target}. As {FILE} in HEED_STORE they are served again.")
    return DONE
