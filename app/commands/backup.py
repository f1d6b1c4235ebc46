"""`heed backup`: a copy of all saved traces."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pydantic import SecretStr

from heed.app.commands.errors import DONE
from heed.app.errors import HeedError, StartError
from heed.app.settings import Settings
from heed.app.traces.connect import open_postgresql
from heed.app.traces.database import copy_database, write_database
from heed.app.traces.sqlite_store import FILE


def backup(target: Path, settings: Settings) -> int:
    """Copy the saved traces to a new file; return the exit code."""
    store = settings.store
    if target.exists():
        raise StartError(f"The file {target} already exists. Choose another name.")
    try:
        if isinstance(store, SecretStr):
            traces = _from_postgresql(store, target, settings)
        else:
            traces = _from_file(store, target)
    except HeedError as error:
        raise StartError(f"The saved traces could not be copied: {error}") from None
    except (sqlite3.Error, OSError) as error:
        raise StartError(f"The saved traces could not be copied: {error}.") from None
    print(
        f"Saved traces copied: {traces}. To restore them, put {target} into HEED_STORE as {FILE}."
    )
    return DONE


def _from_file(folder: Path, target: Path) -> int:
    source = folder.expanduser() / FILE
    if not source.exists():
        raise StartError(f"There are no saved traces in {folder}. Set HEED_STORE.")
    return copy_database(source, target)


def _from_postgresql(url: SecretStr, target: Path, settings: Settings) -> int:
    store = open_postgresql(url, settings)
    try:
        return write_database(target, store.all_rows())
    finally:
        store.close()
