"""The requests in the addresses of a page: how they are read, and answered while it is made.

A page is hardly delayed for its trace: its script requests what takes longer. A page with a request
counts against the rate limit like a call of the API.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from starlette.requests import Request

from heed.app.errors import HeedError, log_internal_error
from heed.app.http.validation_errors import validated
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.single import SingleInference
from heed.app.pages.example import Example
from heed.app.tasks.task import Query, Task, TaskInput
from heed.models.card import Card

PATIENCE_SECONDS = 0.15  # a short sentence takes a tenth of it


@dataclass(frozen=True)
class PageRequests:
    """A page whose address contains a request for a task."""

    task: Task[Any]
    query: Query
    inference: SingleInference
    example: Example

    @classmethod
    def of(cls, task: Task[Any], query: Query, inference: SingleInference) -> Self:
        """Return the requests of a page, which opens on the first example of the default model."""
        models = inference.models
        card = models.catalogue.cards.get(models.defaults.get(task.id, ""))
        example = request_in({}, task, query, card) if card and card.examples else None
        return cls(task, query, inference, Example(example, inference))

    def read(self, query: Mapping[str, str]) -> TaskInput:
        """Return the request in a query, or raise the error that the API would give."""
        models = self.inference.models
        card = models.catalogue.cards[models.known(query.get("model"), self.task)]
        return request_in(query, self.task, self.query, card)

    async def quick(self, asked: TaskInput) -> bytes | None:
        """The trace if it is known, or if an idle model computes it within a moment."""
        asking = self.inference.at_once(asked, _patience)
        [answer] = await asyncio.gather(asking, return_exceptions=True)
        if isinstance(answer, HeedError):
            raise answer
        if isinstance(answer, Exception) and not isinstance(answer, AbandonedError):
            log_internal_error(answer, "the trace of a page")  # the page comes all the same
        return answer if isinstance(answer, bytes) else None


def query_of(request: Request) -> dict[str, str]:
    """Return the query of an address; of several values the first, like in the script."""
    return dict(reversed(request.query_params.multi_items()))


def request_in(
    query: Mapping[str, str], task: Task[Any], parameters: Query, card: Card
) -> TaskInput:
    """Return the request for a model in a query, or raise the error that the API would give."""
    fields = parameters.fields(query, card)
    if task.encoded:
        return task.encoded.input(validated(fields, task.encoded.schema, strict=False))
    return TaskInput(validated(fields, task.schema, strict=False))


def _patience(give_up: Callable[[], None]) -> Callable[[], object]:
    return asyncio.get_running_loop().call_later(PATIENCE_SECONDS, give_up).cancel
