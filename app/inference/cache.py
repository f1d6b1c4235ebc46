"""The response cache: finished answers by request, least recently used first to go.

A model gives the same answer to the same request (sampling has a seed), so entries never expire.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

OVERHEAD = 200  # bytes of an entry without its answer


class Cache:
    """Answers by request, bounded in bytes. Used only on the event loop."""

    def __init__(
        self, max_bytes: int, looked_up: Callable[[bool], None] = lambda _hit: None
    ) -> None:
        self._max_bytes = max_bytes
        self._looked_up = looked_up
        self._bytes = 0
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def taken(self) -> int:
        """Bytes that the entries take."""
        return self._bytes

    def get(self, key: Hashable) -> bytes | None:
        """Return the cached answer, or `None`."""
        answer = self._answers.get(key)
        self._looked_up(answer is not None)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    async def find(self, key: Hashable) -> bytes | None:
        """Return the cached answer to a text, of this server or of those that share with it."""
        return self.get(key)

    def share(self, key: Hashable, answer: bytes) -> None:
        """Add an answer to a text, for the servers that share with this one as well."""
        self.put(key, answer)

    def put(self, key: Hashable, answer: bytes) -> None:
        """Add an answer, unless it takes more than a quarter of the cache by itself."""
        size = len(answer) + OVERHEAD
        if key in self._answers or size * 4 > self._max_bytes:
            return
        self._answers[key] = answer
        self._bytes += size
        while self._bytes > self._max_bytes:
            _, old = self._answers.popitem(last=False)
            self._bytes -= len(old) + OVERHEAD
