"""Finished answers, so that what was asked before costs nothing the second time.

A model gives the same answer to the same question (draws go by a seed), so nothing here grows old;
what was not asked for longest goes first when the room is used up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

HEADER = "X-Cache"
OVERHEAD = 200  # bytes that an entry takes beside its answer


class Cache:
    """Answers by what was asked, bounded in bytes. Used on the event loop alone."""

    def __init__(
        self, most_bytes: int, looked_up: Callable[[bool], None] = lambda _hit: None
    ) -> None:
        self._most_bytes = most_bytes
        self._looked_up = looked_up
        self._bytes = 0
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def taken(self) -> int:
        """Bytes of the room that are used."""
        return self._bytes

    def get(self, key: Hashable) -> bytes | None:
        """The answer, if it is known."""
        answer = self._answers.get(key)
        self._looked_up(answer is not None)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer, unless it takes more than a quarter of the room by itself."""
        size = len(answer) + OVERHEAD
        if key in self._answers or size * 4 > self._most_bytes:
            return
        self._answers[key] = answer
        self._bytes += size
        while self._bytes > self._most_bytes:
            _, old = self._answers.popitem(last=False)
            self._bytes -= len(old) + OVERHEAD
