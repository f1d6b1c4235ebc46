"""Lines in which clients take turns, so that one with many requests keeps no other waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar


class Waiting(Protocol):
    """A request in a line."""

    @property
    def client(self) -> str:
        """The client that sent it."""

    @property
    def round(self) -> int:
        """The round in which it is served."""

    @property
    def keeps_place(self) -> bool:
        """`True` if no other client takes its place."""


Request = TypeVar("Request", bound=Waiting)


class RoundRobin:
    """Rounds in which each client is served once.

    A request gets its round when it comes. That of a client that is served and comes back is the
    next one, so that nobody who waits is passed again and again.
    """

    def __init__(self) -> None:
        self._round = 0
        self._served: dict[str, int] = {}

    def round_of(self, client: str, line: Iterable[Waiting]) -> int:
        """Return the round of one more request of a client, behind its own in the line."""
        last = max(
            (waiting.round for waiting in line if waiting.client == client),
            default=self._served.get(client, -1),
        )
        return max(self._round, last + 1)

    def serve(self, request: Waiting) -> None:
        """Note that a request is served."""
        self._round = max(self._round, request.round)
        self._served[request.client] = request.round
        # A client that was served in an earlier round gets the present one anyway.
        self._served = {name: n for name, n in self._served.items() if n >= self._round}


def next_of(line: Iterable[Request]) -> Request:
    """Return the request that is served next: the first one of the earliest round."""
    return min(line, key=lambda waiting: waiting.round)


def evicted_by(newcomer: str, line: Sequence[Request]) -> Request | None:
    """Return the request in a full line that leaves its place to one of another client.

    It is the last one of the client with most places, if that has two more than the newcomer:
    with the place, neither has more than the other. `None` if the newcomer finds none.
    """
    places = Counter(waiting.client for waiting in line)
    candidates = [
        waiting
        for waiting in line
        if not waiting.keeps_place and places[waiting.client] >= places[newcomer] + 2
    ]
    return max(reversed(candidates), key=lambda waiting: places[waiting.client], default=None)
