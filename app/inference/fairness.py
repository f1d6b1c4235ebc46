"""Lines in which clients take turns, so that one with many requests keeps no other waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count


class Turns:
    """The order in which clients were served last."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._served: dict[str, int] = {}

    def first(self, waiting: Sequence[str]) -> int:
        """Return the place in a line of the one that is served next.

        It is the first one of the client that was served longest ago.
        """
        return min(range(len(waiting)), key=lambda place: self._served.get(waiting[place], 0))

    def serve(self, client: str, waiting: Sequence[str]) -> None:
        """Note that a client is served, and forget those that do not wait any more."""
        kept = {*waiting, client}
        self._served = {name: n for name, n in self._served.items() if name in kept}
        self._served[client] = next(self._numbers)


def place_for(newcomer: str, waiting: Sequence[str]) -> int | None:
    """Return the place in a full line that is taken from another client for this one.

    It is the last one of the client with most places, if that has two more than the newcomer:
    with the place, neither has more than the other. `None` if the newcomer finds none.
    """
    places = Counter(waiting)
    [(client, most)] = places.most_common(1) or [("", 0)]
    if most < places[newcomer] + 2:
        return None
    return max(place for place, name in enumerate(waiting) if name == client)


def ahead(newcomer: str, waiting: Sequence[str], sizes: Sequence[int]) -> int:
    """Return the sum of the sizes in a line of those who are served before one more of a client."""
    own = waiting.count(newcomer)
    seen, total = Counter[str](), 0
    for client, size in zip(waiting, sizes, strict=True):
        total += size if seen[client] <= own else 0
        seen[client] += 1
    return total
