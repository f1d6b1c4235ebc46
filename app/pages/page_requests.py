"""The requests in the addresses of a page: how they are read, and answered while it is made.

A page is hardly delayed for its trace: its script requests what takes longer. A page with a request
counts against the rate limit like a call of the API.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from heed.app.errors import HeedError, log_internal_error
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.single import SingleInference
from heed.app.pages.example import Example
from heed.app.schemas import RunOptions

PATIENCE_SECONDS = 0.15  # a short sentence takes a tenth of it

Asked = TypeVar("Asked", bound=RunOptions)


@dataclass(frozen=True)
class PageRequests(Generic[Asked]):
    """A page whose address contains a request."""

    path: str
    names: frozenset[str]
    """Parameters that the answer depends on."""
    read: Callable[[Mapping[str, str]], Asked]
    """Reads the request in a query, or raises the error that the API would give."""
    inference: SingleInference[Asked]
    example: Example[Asked]

    async def quick(self, asked: Asked) -> bytes | None:
        """The trace if it is known, or if an idle model computes it within a moment."""
        asking = self.inference.at_once(asked, _patience)
        [answer] = await asyncio.gather(asking, return_exceptions=True)
        if isinstance(answer, HeedError):
            raise answer
        if isinstance(answer, Exception) and not isinstance(answer, AbandonedError):
            log_internal_error(answer, "the trace of a page")  # the page comes all the same
        return answer if isinstance(answer, bytes) else None


def _patience(give_up: Callable[[], None]) -> Callable[[], object]:
    return asyncio.get_running_loop().call_later(PATIENCE_SECONDS, give_up).cancel
