"""The memory of requests that run: estimated before they run, and admitted against one budget.

The bytes of a request are those of its steps, of its trace, and of its answer: see
`heed.models.generation.size` for the numbers that a trace has.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
import traceback
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Self, TypeVar

from heed.app.errors import FieldError, ServiceUnavailable
from heed.app.http.media_types import JSON, NPZ
from heed.app.inference.allocator import MemoryTrimmer
from heed.app.schemas import Detail
from heed.models.generation.size import TraceSize

ANSWERS_SHARE: Final = 0.25
"""Of the budget, for the answers of a batch of texts that wait for the others."""

Result = TypeVar("Result")

Price = Callable[[TraceSize], int]
"""Estimates the memory that a request takes while it runs and its answer is made."""

FLOAT: Final = 4
RUN: Final = 1.5  # of the numbers of all steps: those of hypotheses that were given up
ROW: Final = 1_000_000  # of a hypothesis: logits, and a share of what any request takes
STEP_VECTORS: Final = 5  # of a token: query, context, state, and what a decoder keeps of it
# Bytes of a number in JSON, with its comma.
WEIGHT, SCORE, NUMBER = 8, 9, 8
TOKEN: Final = 700  # bytes of JSON: its text, its place, its alternatives
SUMMARY, HEAD_SUMMARY = 330, 170  # bytes of JSON, of a vector and of one of a head
SHOWN_VECTORS: Final = 5  # of a token in JSON
SMALL_PARSED: Final = 160 * 1024  # bytes of objects, which are not counted
HEAVY_SHARE: Final = 0.75
"""Of the budget, for one large trace or picture at a time; what is left runs usual requests."""
WAIT_SECONDS: Final = 0.1
ADMISSION_SECONDS: Final = 10.0


def work_bytes(
    size: TraceSize, detail: Detail = "full", media: str = JSON, *, linked: bool = False
) -> int:
    """Return the bytes that a request of this size may take."""
    rows, width = size.hypotheses, size.head_width
    maps = 2 * (size.cells * rows + size.shared_cells)  # weights and scores
    heads = width * (size.head_vectors * rows + size.shared_vectors)
    tokens = STEP_VECTORS * size.width * (size.written * rows + size.read)
    steps = RUN * FLOAT * (maps + heads + tokens) + ROW * rows
    again = 2 * size.written * size.read + size.width * (2 * size.read + size.written)
    trace = FLOAT * (maps + heads + size.draws * again)
    return int(steps + trace + _answer_bytes(size, detail, media, linked=linked))


def _answer_bytes(size: TraceSize, detail: Detail, media: str, *, linked: bool) -> float:
    """Return the bytes of an answer, and of the maps that are kept for one without maps."""
    rows, cells = size.hypotheses, size.cells + size.shared_cells
    vectors = size.head_vectors * rows + size.shared_vectors
    tokens: float = (size.read + size.written) * TOKEN
    if detail != "weights":
        tokens += (size.written * SHOWN_VECTORS + size.read) * SUMMARY
    if detail == "full":
        tokens += (size.written * SHOWN_VECTORS + size.read) * size.width * NUMBER
    if media == NPZ:  # of the best hypothesis: stacked, and in the file
        return 3 * FLOAT * 2 * cells + tokens
    if linked:  # in 16 bits; the vectors in 32, for each hypothesis
        everything = size.head_vectors + size.shared_vectors
        return rows * (FLOAT * (cells + size.head_width * everything) + tokens)
    maps: float = cells * WEIGHT
    if detail != "weights":
        maps += cells * SCORE
        tokens += vectors * HEAD_SUMMARY / rows
    if detail == "full":
        tokens += vectors * size.head_width * NUMBER / rows
    return (maps + tokens) * rows


class WorkBudget:
    """Bytes that the requests which run may take together, in all engines.

    Those that wait for some stand in one line, so that a large trace is not overtaken for ever by
    requests that need less.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._taken = 0
        self._changed = threading.Condition()
        self._line: deque[Place] = deque()
        self._trimmer = MemoryTrimmer()

    @property
    def usual_bytes(self) -> int:
        """Bytes that are free while one large work runs."""
        return self.max_bytes - self.heavy(self.max_bytes)

    @property
    def answer_bytes(self) -> float:
        """Bytes that the answers of a batch of texts may have."""
        return ANSWERS_SHARE * self.max_bytes

    def most(self, requests: int) -> float:
        """Return the bytes that one request may take, alone or as one of several of a job."""
        return self.max_bytes - (self.answer_bytes if requests > 1 else 0)

    @property
    def taken(self) -> int:
        """Bytes that are reserved."""
        return self._taken

    def reserve(self, size: int) -> bool:
        """Reserve so many more bytes for work that runs; return false if they are not free now.

        It comes before those in the line, who get what it has when it ends.
        """
        with self._changed:
            if self._taken + size > self.max_bytes:
                return False
            self._taken += size
            return True

    def line_up(self, size: int, wake: Callable[[], object] = lambda: None) -> Place:
        """Return a place at the end of the line for so many bytes.

        `wake` is called, on any thread, when it may be time to take them.
        """
        place = Place(self, size, wake)
        with self._changed:
            self._line.append(place)
        return place

    def take(self, place: Place) -> bool:
        """Reserve the bytes of the first place in the line, if this is it and they are free."""
        with self._changed:
            if self._line[0] is not place or not self.reserve(place.size):
                return False
            self.leave(place)
            return True

    def leave(self, place: Place) -> None:
        """Remove a place from the line, if it is there."""
        with self._changed, suppress(ValueError):
            self._line.remove(place)
            self._notify()

    def wait(self, size: int, go_on: Callable[[], bool]) -> bool:
        """Reserve so many bytes when they are free and it is their turn.

        Returns false once `go_on` does.
        """
        with self.line_up(size) as place:
            while not place.take():
                if not go_on():
                    return False
                with self._changed:
                    self._changed.wait(WAIT_SECONDS)
        return True

    @contextmanager
    def admitted(self, size: int) -> Iterator[None]:
        """Reserve so many bytes for work on this thread, as soon as they are free.

        Raises `ServiceUnavailable` if that takes long. After the work, memory is returned.
        """
        last = time.monotonic() + ADMISSION_SECONDS
        if not self.wait(size, lambda: time.monotonic() < last):
            raise no_memory()
        try:
            yield
        finally:
            self.end(size)

    @asynccontextmanager
    async def reserved(self, size: int, seconds: float = math.inf) -> AsyncIterator[None]:
        """Reserve so many bytes as `admitted` does, but on the event loop: no thread waits."""
        last, woken = time.monotonic() + seconds, asyncio.Event()
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, woken.set)
        with self.line_up(size, wake) as place:
            while not place.take():
                if time.monotonic() > last:
                    raise no_memory()
                with suppress(TimeoutError):
                    async with asyncio.timeout(WAIT_SECONDS):
                        await woken.wait()
                woken.clear()
        try:
            yield
        finally:
            self.release(size)

    async def parse(
        self, size: int, call: Callable[[], Result], seconds: float | None = None
    ) -> Result:
        """Parse JSON on a thread, when there is memory for its objects, of this size.

        Raises `ServiceUnavailable` if there is none for so many seconds: those of work that has
        run already are what is left until its deadline.
        """
        if size <= SMALL_PARSED:
            return await asyncio.to_thread(call)
        seconds = ADMISSION_SECONDS if seconds is None else seconds
        size = self.heavy(size)
        async with self.reserved(size, seconds):
            running = asyncio.ensure_future(asyncio.to_thread(call))
            try:
                with _releasing_parsed():
                    return await asyncio.shield(running)
            finally:
                await asyncio.wait([running])  # if cancelled, it still takes the memory
                await asyncio.to_thread(self.trim, size)

    @contextmanager
    def parsed(self, size: int) -> Iterator[None]:
        """Reserve the size of the objects of JSON, while this thread works with them."""
        if size <= SMALL_PARSED:
            yield
            return
        with self.admitted(self.heavy(size)), _releasing_parsed():
            yield

    def heavy(self, size: int) -> int:
        """Return what work of this size reserves: so much that no other large work runs with it."""
        return min(size, int(HEAVY_SHARE * self.max_bytes))

    def release(self, size: int) -> None:
        """Return reserved bytes."""
        with self._changed:
            self._taken -= size
            self._notify()

    def end(self, size: int) -> None:
        """Return the reserved bytes of work that has ended, and its free memory to the system."""
        try:
            self.trim(size)
        finally:
            self.release(size)

    def trim(self, ended: int = 0) -> None:
        """Return free memory to the system if the process has grown.

        `ended` are the reserved bytes of the work that has just ended.
        """
        self._trimmer.trim(self._taken - ended)

    def _notify(self) -> None:
        self._changed.notify_all()
        if self._line:
            self._line[0].wake()


@contextmanager
def _releasing_parsed() -> Iterator[None]:
    """Release what was parsed before an error: its frames, and an error behind it, refer to it."""
    try:
        yield
    except BaseException as error:
        if error.__suppress_context__:
            error.__context__ = None
        traceback.clear_frames(error.__traceback__)
        raise


@dataclass(eq=False, slots=True)
class Place:
    """A place in the line of a budget, which ends with the block at the latest."""

    budget: WorkBudget
    size: int
    wake: Callable[[], object]

    def take(self) -> bool:
        """Reserve the bytes if they are free and nobody stands before it."""
        return self.budget.take(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.budget.leave(self)


def no_memory() -> ServiceUnavailable:
    """Return the error of a request that found no memory in time."""
    return ServiceUnavailable("There is no memory left for this. Try again in a moment.")


def answer_too_large(size: int, most: float) -> FieldError:
    """Return the error of a request whose answer takes more memory than there is."""
    message = (
        f"This answer would take about {_megabytes(size)} MB of memory, more than the "
        f"{_megabytes(most)} MB that this server allows. Shorten the input, or reduce "
        "`search.beam`, `detail` or `vectors`."
    )
    return FieldError("answer_too_large", message)


def batch_too_costly(most: float) -> FieldError:
    """Return the error in place of an answer that a batch has no room for."""
    message = (
        f"The answers of this batch would take more than {_megabytes(most)} MB. Send fewer texts, "
        "or reduce `search.beam`, `detail` or `vectors`."
    )
    return FieldError("answer_too_large", message)


def _megabytes(size: float) -> int:
    return math.ceil(size / 1_000_000)
