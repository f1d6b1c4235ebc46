"""A clock that tests set, and the errors of stores, for the tests of every store."""

from __future__ import annotations

import pytest

from heed.app.errors import HeedError, RequestError
from heed.app.traces.store import Store

ROOM = 8 * 1024 * 1024
NOON = 1_000_000_000.0


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


def refused(error: pytest.ExceptionInfo[HeedError]) -> tuple[str, int]:
    """Return the code and the status of an error."""
    return error.value.code, error.value.status


def absent(store: Store, identity: str) -> None:
    """Assert that a store has no such trace."""
    for ask in (store.load, lambda one: store.delete(one, "key")):
        with pytest.raises(RequestError) as error:
            ask(identity)
        assert refused(error) == ("unknown_trace", 404)
