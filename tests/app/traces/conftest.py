"""A PostgreSQL server for the tests of the store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.traces.promises import Clock
from tests.postgresql import PostgreSQL, postgresql


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[PostgreSQL]:
    """A server of PostgreSQL in which each test creates a database of its own."""
    with postgresql() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    """A clock that the test sets."""
    return Clock()
