"""Requests of similar length, collected into batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from heed.app.errors import FieldError
from heed.app.inference.jobs import Job
from heed.models.errors import InputError
from heed.models.generation.protocol import AnyPipeline, Prepared
from heed.models.generation.requests import Request

MAX_ROWS = 16  # of a batch: more gain little, and delay the first answer until the last
MAX_LENGTH_RATIO = 1.5  # of the longest to the shortest text of a batch
LENGTH_SLACK = 6  # tokens, beyond that ratio


class BatchItem(NamedTuple):
    """One request of a job, prepared for the model."""

    job: Job
    request_index: int
    prepared: Prepared
    bytes: int  # of memory that it takes while it writes at most this many tokens
    written: int

    @property
    def rows(self) -> int:
        """The rows of a batch that it takes."""
        return self.prepared.rows

    @property
    def tokens(self) -> int:
        """The length of the input; of a picture, the longer of its grid and its question."""
        return max(self.prepared.opening.lengths.values())


def item_of(model: AnyPipeline, job: Job, index: int, prepared: Prepared) -> BatchItem:
    """Return a request with the memory that it is expected to take."""
    size = model.size(prepared)
    return BatchItem(job, index, prepared, job.price(size), size.written)


def grown(model: AnyPipeline, item: BatchItem, written: int) -> BatchItem:
    """Return a request that writes more tokens than was expected."""
    size = model.size(item.prepared, written)
    return item._replace(bytes=max(item.bytes, item.job.price(size)), written=written)


def bytes_of(items: Iterable[BatchItem]) -> int:
    """Return the memory that these items take together."""
    return sum(item.bytes for item in items)


def rows_of(items: Sequence[BatchItem]) -> int:
    """Return the rows of a batch that these items take together."""
    return sum(item.rows for item in items)


def similar(lengths: Sequence[int]) -> bool:
    """Return whether inputs of these lengths may share a batch, so that padding costs little."""
    return max(lengths) <= MAX_LENGTH_RATIO * min(lengths) + LENGTH_SLACK


def batches(items: Sequence[BatchItem], most_bytes: float) -> Iterator[list[BatchItem]]:
    """Split items into batches of similar length that take at most this memory."""
    batch: list[BatchItem] = []
    for item in sorted(items, key=lambda item: item.tokens):
        full = rows_of(batch) + item.rows > MAX_ROWS or bytes_of(batch) + item.bytes > most_bytes
        if batch and (full or not similar([batch[0].tokens, item.tokens])):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def prepare(
    model: AnyPipeline, job: Job, go_on: Callable[[], None] = lambda: None
) -> list[Prepared | FieldError]:
    """Prepare the requests of a job, or return their errors; the result is stored in the job.

    `go_on` is called before each, and raises an error if nobody waits for them any more.
    """
    if job.prepared is None:
        made = []
        for request in job.requests:
            go_on()
            made.append(_prepare(model, request))
        job.prepared = made
    return job.prepared


def _prepare(model: AnyPipeline, request: Request) -> Prepared | FieldError:
    try:
        prepared: Prepared = model.prepare(request)
    except InputError as error:
        return FieldError(error.code, error.message, error.field)
    return prepared
