"""`heed backup`: a copy of all saved traces."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from heed.app.commands.errors import DONE
from heed.app.errors import StartError
from heed.app.settings import Settings
from heed.app.traces.database import copy_database
from heed.app.traces.store import FILE


def backup(target: Path, settings: Settings) -> int:
    """Copy the saved traces to a new file; return the exit code."""
    source = settings.store.expanduser() / FILE
    if not source.exists():
        raise StartError(f"There are no saved traces in {settings.store}. Set HEED_STORE.")
    if target.exists():
        raise StartError(f"The file {target} already exists. Choose another name.")
    try:
        traces = copy_database(source, target)
    except (sqlite3.Error, OSError) as error:
        raise StartError(f"The saved traces could not be copied: {error}.") from None
    print(
        f"Saved traces copied: {traces}. To restore them, put {target} into HEED_STORE as {FILE}."
    )
    return DONE
