"""One request of the API to a trace, through the cache and the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.media_types import JSON
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Models
from heed.app.inference.engine import Engine
from heed.app.inference.execution import (
    CachedAnswer,
    Keep,
    complete,
    ending_with_errors,
    price,
    renderer,
    replay,
    stream,
)
from heed.app.inference.jobs import Job
from heed.app.inference.kept_traces import KeptTraces
from heed.app.inference.limits import check_search
from heed.app.schemas import Detail, LinkedRunOptions, Options, RunOptions, SeeIn
from heed.app.tasks.task import Task, TaskInput, Upload
from heed.models.generation.requests import Request

LONG: Final = 1_000
"""Characters and elements of a request that are checked on the event loop."""

Decode = Callable[[bytes, OnDisconnect], Awaitable[object]]
"""Decodes a file, or raises a `HeedError`."""


class Checked(NamedTuple):
    """A request whose fields were checked; its file, if it has one, is not decoded yet."""

    model: str
    request: Request
    file: bytes | None
    detail: Detail
    media: str
    key: Hashable
    """Everything that the answer depends on: the weights, the request and its format."""
    linked: bool
    """True if a large trace may come without its maps."""


@dataclass(frozen=True)
class SingleInference:
    """Answers the requests of one task."""

    task: Task[Any]
    models: Models
    engine: Engine
    cache: Cache
    kept_traces: KeptTraces
    decode: Decode | None
    max_beam: int

    async def answer(
        self, given: TaskInput, on_disconnect: OnDisconnect, media: str = JSON
    ) -> CachedAnswer:
        """Return the trace of one request."""
        checked = await self._checked(given, media)
        if (cached := await self._known(checked)) is not None:
            return CachedAnswer(cached, hit=True)
        return await self._complete(checked, on_disconnect, self._keeps(given))

    async def at_once(self, given: TaskInput, on_disconnect: OnDisconnect) -> bytes | None:
        """Return the trace of one request if it is cached, or if its model is loaded and idle."""
        checked = await self._checked(given)
        if (cached := await self._known(checked)) is not None:
            return cached
        if not (self.models.catalogue.loaded(checked.model) and self.engine.idle):
            return None
        return (await self._complete(checked, on_disconnect, self._keeps(given))).content

    async def events(self, given: TaskInput, on_disconnect: OnDisconnect) -> AsyncIterator[bytes]:
        """Return the events of one request. An error before the first event is raised."""
        checked = await self._checked(given)
        if (cached := await self._known(checked)) is not None:
            return replay(cached)
        events = stream(
            self.engine,
            await self._job(checked, on_disconnect),
            checked.detail,
            on_disconnect,
            self._keeps(given),
            checked.key,
            self.kept_traces.large if checked.linked else lambda _output: False,
        )
        return ending_with_errors(events)

    def checked(self, given: TaskInput, media: str = JSON) -> Checked:
        """Check the fields of a request, or raise a `FieldError`.

        The digest of a file stands for it: decoding takes longer than anything else, and is not
        needed if the answer is cached.
        """
        options, file, _ = given
        if isinstance(options, Options):
            check_search(options.search, self.max_beam)
        model = self.models.known(options.model, self.task)
        card = self.models.catalogue.cards[model]
        request = self.task.prepared(options, card)
        if self.task.upload:
            file = _file_of_form(file, self.task.upload)
            request = self.task.upload.identified(request, file)
        key = model, card.weights, request, options.detail, media
        may_link = isinstance(options, LinkedRunOptions) and options.maps == "linked"
        # Rows of a text are edited by their scores, so that it has all of its maps.
        whole = _is_edited(request) and not isinstance(options, SeeIn)
        linked = may_link and media == JSON and not whole
        return Checked(model, request, file, options.detail, media, key, linked)

    async def _checked(self, given: TaskInput, media: str = JSON) -> Checked:
        """Check the fields of a request, on a thread if they are long, as a graph may be."""
        if _is_long(given.options):
            return await asyncio.to_thread(self.checked, given, media)
        return self.checked(given, media)

    async def _complete(
        self, checked: Checked, on_disconnect: OnDisconnect, keep: Keep
    ) -> CachedAnswer:
        job = await self._job(checked, on_disconnect)
        return await complete(self.engine, job, on_disconnect, keep, checked.key)

    async def _job(self, checked: Checked, on_disconnect: OnDisconnect) -> Job:
        """Decode the file of a request; return the job that answers it."""
        detail, began = checked.detail, time.monotonic()
        request = await self.with_content(checked, on_disconnect)
        if checked.linked:
            rendered = partial(self.kept_traces.rendered, key=checked.key, detail=detail)
            cost = self.kept_traces.price(detail, edited=_is_edited(request))
            return Job(checked.model, [request], rendered, cost, began=began)
        answered, cost = renderer(detail, checked.media), price(detail, checked.media)
        return Job(checked.model, [request], answered, cost, began=began)

    async def with_content(self, checked: Checked, on_disconnect: OnDisconnect) -> Request:
        """Return a request with the content of its file, if it has one."""
        if not (self.task.upload and self.decode and checked.file is not None):
            return checked.request
        content = await self.decode(checked.file, on_disconnect)
        return self.task.upload.filled(checked.request, content)

    async def _known(self, checked: Checked) -> bytes | None:
        """Return the answer to a request, if there is one."""
        if checked.linked and (answer := self.kept_traces.answer(checked.key)) is not None:
            return answer
        # A file is kept nowhere, so its answer is not shared with other servers.
        shares = self.task.upload is None
        return await self.cache.find(checked.key) if shares else self.cache.get(checked.key)

    def _keeps(self, given: TaskInput) -> Keep:
        return self._keep if given.stores else _drop

    def _keep(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer for the next request."""
        if (
            self.kept_traces.answer(key) is None
        ):  # else its maps are elsewhere, and it ends with them
            (self.cache.put if self.task.upload else self.cache.share)(key, answer)


def _is_long(options: RunOptions) -> bool:
    lengths = (len(value) for _, value in options if isinstance(value, str | list))
    return sum(lengths) > LONG


def _is_edited(request: Request) -> bool:
    return bool(getattr(request, "edits", ()))


def _drop(_key: Hashable, _answer: bytes) -> None:
    """Keep an answer nowhere."""


def _file_of_form(file: bytes | None, upload: Upload) -> bytes:
    """Return the file of a form, or raise a `FieldError` if it has none."""
    if file is None:
        message = f"The field '{upload.name}' is missing. Add the file of a {upload.content}."
        raise FieldError("missing_field", message, upload.name)
    return file
