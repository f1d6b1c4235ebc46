"""The large traces whose maps clients request one at a time: the newest ones, for a while."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

from heed.app.errors import RequestError, ServiceUnavailable
from heed.app.http.encoding import to_json
from heed.app.http.paths import RUNS
from heed.app.inference.execution import trace_bytes
from heed.app.inference.work import FLOAT, Price, WorkBudget, answer_too_large, work_bytes
from heed.app.schemas import Detail
from heed.app.traces.linked import LARGE, KeptTrace, weights_in
from heed.models.generation.size import TraceSize
from heed.models.trace import Output, Trace

ID_BYTES = 16
MAX_WAITING = 16

Result = TypeVar("Result")


class _Entry(NamedTuple):
    key: Hashable
    answer: bytes
    trace: KeptTrace
    bytes: int


class KeptTraces:
    """Large traces by id, bounded in bytes; the newest is always kept.

    They are added on the inference thread and read on others.
    """

    def __init__(self, max_bytes: int, budget: WorkBudget) -> None:
        self._max_bytes = max_bytes
        self._budget = budget
        self._kept: OrderedDict[str, _Entry] = OrderedDict()
        self._ids: dict[Hashable, str] = {}
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, "heed-kept-traces")
        self._waiting = 0

    @property
    def enabled(self) -> bool:
        """Return whether maps can be left out at all."""
        return self._max_bytes > 0

    def large(self, *outputs: Output) -> bool:
        """Return whether these are outputs whose maps are left out."""
        return self.enabled and weights_in(outputs) > LARGE

    def price(self, detail: Detail, *, edited: bool = False) -> Price:
        """Return what estimates the memory of a request whose large trace is kept.

        An edited one has the maps of the run without edits too, in 32 and in 16 bits.
        """

        def estimate(size: TraceSize) -> int:
            cells = (size.cells + size.shared_cells) * size.hypotheses
            before = 3 * FLOAT * cells if edited else 0
            return work_bytes(size, detail, linked=self.enabled and cells > LARGE) + before

        return estimate

    def rendered(self, trace: Trace, key: Hashable, detail: Detail) -> bytes:
        """Return the JSON of a trace, of a large one without its maps, which are kept."""
        if not self.large(trace.output, *trace.runners_up):
            return trace_bytes(trace, detail)
        identity = secrets.token_urlsafe(ID_BYTES)
        kept = KeptTrace.of(trace, detail, f"{RUNS}/{identity}")
        answer = to_json(kept.answer())
        self._keep(identity, _Entry(key, answer, kept, kept.bytes + len(answer)))
        return answer

    def answer(self, key: Hashable) -> bytes | None:
        """Return the answer to a request whose maps are kept."""
        with self._lock:
            identity = self._ids.get(key)
            if identity is None:
                return None
            self._kept.move_to_end(identity)
            return self._kept[identity].answer

    def find(self, identity: str) -> KeptTrace:
        """Return the trace with this id, or raise `unknown_run`."""
        with self._lock:
            entry = self._kept.get(identity)
            if entry is None:
                message = "The maps of this trace are no longer kept. Send its request again."
                raise RequestError("unknown_run", message)
            self._kept.move_to_end(identity)
            return entry.trace

    async def read(self, size: int, work: Callable[[], Result]) -> Result:
        """Do what needs many maps at once and this much memory, one after another on a thread."""
        if size > self._budget.max_bytes:
            raise answer_too_large(size, self._budget.max_bytes)
        if self._waiting >= MAX_WAITING:
            message = f"Already {self._waiting} large traces wait. Try again in a moment."
            raise ServiceUnavailable(message)
        self._waiting += 1
        try:
            call = partial(self._admitted, size, work)
            return await asyncio.get_running_loop().run_in_executor(self._thread, call)
        finally:
            self._waiting -= 1

    def _admitted(self, size: int, work: Callable[[], Result]) -> Result:
        with self._budget.admitted(size):
            return work()

    def close(self) -> None:
        """Finish what is being read."""
        self._thread.shutdown()

    def _keep(self, identity: str, entry: _Entry) -> None:
        with self._lock:
            if (before := self._ids.pop(entry.key, None)) is not None:
                del self._kept[before]
            self._kept[identity], self._ids[entry.key] = entry, identity
            while len(self._kept) > 1 and self._taken > self._max_bytes:
                _, old = self._kept.popitem(last=False)
                del self._ids[old.key]

    @property
    def _taken(self) -> int:
        return sum(entry.bytes for entry in self._kept.values())
