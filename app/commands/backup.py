"""`heed backup` and `heed restore`: saved traces to a file, and from one into any store."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from pydantic import SecretStr

from heed.app.commands.errors import DONE
from heed.app.errors import HeedError, StartError
from heed.app.settings import Settings
from heed.app.traces.connect import open_postgresql, open_store
from heed.app.traces.database import copy_database, read_database, write_database
from heed.app.traces.sqlite_store import FILE
from heed.app.traces.store import Row


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
        f"Saved traces copied: {traces}. To restore them, run `heed restore {target}`, or put it "
        f"into HEED_STORE as {FILE}."
    )
    return DONE


def restore(source: Path, settings: Settings) -> int:
    """Add the traces of a file to those of the store; return the exit code."""
    if not source.exists():
        raise StartError(f"There is no file {source}.")
    store = open_store(settings)
    restored = others = 0
    try:
        for row in read_database(source):
            if store.restore(Row._make(row)):
                restored += 1
            else:
                others += 1
    except (HeedError, sqlite3.Error, OSError) as error:
        message = f"{restored} saved traces were restored, then this failed: {error}"
        raise StartError(f"{message.rstrip('.')}. Run the command again to go on.") from None
    finally:
        store.close()
    print(f"Saved traces restored: {restored}. Left out, as they are there or expired: {others}.")
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
