"""The store that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import SecretStr

from heed.app.errors import StartError
from heed.app.settings import Settings
from heed.app.traces.sqlite_store import SQLiteStore
from heed.app.traces.store import Store

if TYPE_CHECKING:
    from heed.app.traces.postgresql_store import PostgreSQLStore


def open_store(settings: Settings) -> Store:
    """Return the store of these settings. It connects when it is first used."""
    if isinstance(settings.store, SecretStr):
        return open_postgresql(settings.store, settings)
    return open_sqlite(settings.store, settings)


def open_sqlite(folder: Path, settings: Settings) -> SQLiteStore:
    """Return the store in a folder."""
    return SQLiteStore(folder, keep_days=settings.keep_days, max_bytes=settings.max_store_bytes)


def open_postgresql(url: SecretStr, settings: Settings) -> PostgreSQLStore:
    """Return the store in a database, or raise a `StartError`."""
    # SQLAlchemy takes three quarters of a second to import (docs/decisions/0015-two-stores.md).
    try:
        from heed.app.traces.postgresql_store import PostgreSQLStore
    except ImportError:
        packages = 'Install them with: pip install "heed-attention[postgresql]".'
        message = f"HEED_STORE is a PostgreSQL database and needs its packages. {packages}"
        raise StartError(message) from None
    return PostgreSQLStore(
        url.get_secret_value(), keep_days=settings.keep_days, max_bytes=settings.max_store_bytes
    )
