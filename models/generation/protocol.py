"""The interface between a pipeline and what runs it: requests are prepared, and run in batches.

A batch takes one step after another, and any of its requests can be stopped early. It does not
matter what a step is: a token that is written, or a hop of a memory network.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from heed.models.card import Card
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize, size_of_card
from heed.models.trace import ModelStamp, Output, Trace, TraceHeader

if TYPE_CHECKING:
    from heed.models.runtime.trainings import Trainings

Between = Callable[[], None]


class Progress(NamedTuple):
    """The best output so far; its positions before `since` have not changed."""

    since: int
    output: Output


class Prepared(Protocol):
    """A request that was checked and can be run."""

    @property
    def opening(self) -> TraceHeader:
        """The part of its trace that exists before the first step."""

    @property
    def rows(self) -> int:
        """The rows of a batch that it takes."""


class RunningBatch(Protocol):
    """Requests that are run together, step by step."""

    def steps(self) -> Iterator[None]:
        """Take step after step, until all requests have ended or were stopped."""

    def ended(self, place: int) -> bool:
        """Return true if the request at this place has ended."""

    def leave_out(self, place: int) -> None:
        """Stop the request at this place."""

    def progress(self, place: int) -> Progress:
        """Return the output so far of the request at this place, and what is new in it."""

    def trace(self, place: int, between_steps: Between | None = None, /) -> Trace:
        """Build the trace of the request at this place, which must have ended."""


P = TypeVar("P", bound=Prepared)


class Pipeline(ABC, Generic[P]):
    """A model with its card, which runs requests and builds their traces."""

    card: Card
    trainings: Trainings | None = None

    @abstractmethod
    def prepare(self, request: Request) -> P:
        """Prepare a request; raises `InputError`, or `TypeError` on another kind of request."""

    @abstractmethod
    def batch(self, prepared: Sequence[P]) -> RunningBatch:
        """Start a batch of prepared requests."""

    def size(self, prepared: P, written: int | None = None) -> TraceSize:
        """Estimate the trace of a request, or of one for which so many tokens were written."""
        written = max(written or 0, self.card.limits.steps)
        return size_of_card(self.card, prepared.opening, prepared.rows, written)

    def check(self, request: Request) -> None:
        """Raise `InputError` if the model cannot run this."""
        self.prepare(request)

    def run(
        self,
        requests: Sequence[Request],
        *,
        between_steps: Between | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> list[Trace]:
        """Run a batch. `between_steps` may raise to abort; `on_progress` needs one request."""
        if on_progress and len(requests) != 1:
            raise ValueError("progress is reported for a single request only")
        batch = self.batch([self.prepare(request) for request in requests])
        for _ in batch.steps():
            if between_steps:
                between_steps()
            if on_progress:
                on_progress(batch.progress(0))
        return [batch.trace(place, between_steps) for place in range(len(requests))]

    def _stamp(self) -> ModelStamp:
        card = self.card
        return ModelStamp(card.id, card.weights, card.mechanism, card.order)


AnyPipeline: TypeAlias = Pipeline[Any]


@runtime_checkable
class Auditable(Protocol):
    """A pipeline whose steps an audit can take again under edits."""

    def audited(self, prepared: Any) -> tuple[Any, Any]:
        """Return the pipeline that an audit runs, and what it takes for a prepared request.

        Raises `InputError` for a model that cannot be audited.
        """


def wrong_request(card: Card, request: Request) -> TypeError:
    """Make the error of a request for another kind of model."""
    return TypeError(f"{card.id} does not take a {type(request).__name__}")
