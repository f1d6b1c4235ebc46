"""The response cache of several servers: each has its own, and all share one on Redis.

Only answers to texts are shared: a trace of a picture contains the picture, which is kept nowhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import Any

from heed import __version__
from heed.app.inference.cache import Cache
from heed.app.shared import Shared
from heed.models.trace import TRACE_SCHEMA

KEEP_SECONDS = 24 * 3600
MAX_BYTES = 1024 * 1024  # of one answer


class SharedCache(Cache):
    """Answers by request, here and on the shared server. Used only on the event loop."""

    def __init__(self, max_bytes: int, looked_up: Callable[[bool], None], shared: Shared) -> None:
        super().__init__(max_bytes, looked_up)
        self._shared = shared

    async def find(self, key: Hashable) -> bytes | None:
        """Return the answer of this server or of another one."""
        if (answer := self._answers.get(key)) is None and self._max_bytes:
            name = shared_name(key)
            client: Any = self._shared.client  # its answers are bytes: no decoding is set
            answer = await self._shared.ask(lambda: client.get(name))
            if answer is not None:
                super().put(key, answer)
        if answer is None:
            self._looked_up(False)
            return None
        return self.get(key) or answer

    def share(self, key: Hashable, answer: bytes) -> None:
        """Add an answer, here and in the background to the shared server."""
        self.put(key, answer)
        if self._max_bytes and len(answer) <= MAX_BYTES:
            client, name = self._shared.client, shared_name(key)
            self._shared.tell(lambda: client.set(name, answer, ex=KEEP_SECONDS))


def shared_name(key: Hashable) -> str:
    """Return the name of an answer: a digest of the weights, the request, and the version."""
    everything = repr((__version__, TRACE_SCHEMA, key))
    return f"heed:answer:{hashlib.sha256(everything.encode('utf-8', 'surrogatepass')).hexdigest()}"
