"""One request of the API to a trace, through the cache and the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Hashable
from typing import ClassVar, Generic, TypeVar

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.media_types import JSON
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults
from heed.app.inference.engine import Engine
from heed.app.inference.event_source import LeavesOut
from heed.app.inference.execution import CachedAnswer, complete, price, renderer, replay, stream
from heed.app.inference.jobs import Job
from heed.app.inference.work import Price
from heed.app.schemas import Detail, RunOptions
from heed.models.catalogue import Catalogue
from heed.models.generation.requests import Request
from heed.models.trace import Trace

Asked = TypeVar("Asked", bound=RunOptions)


class SingleInference(ABC, Generic[Asked]):
    """Answers requests of one kind. A subclass says which model runs one, and on what."""

    shares: ClassVar[bool] = True
    """True if answers are shared with other servers, which keep them outside of this process."""

    def __init__(
        self, catalogue: Catalogue, engine: Engine, defaults: Defaults, cache: Cache
    ) -> None:
        self._catalogue = catalogue
        self._engine = engine
        self._defaults = defaults
        self._cache = cache

    @abstractmethod
    async def _prepared(self, request: Asked) -> tuple[str, Request]:
        """Return the id of the model and what it is given, or raise a `FieldError`.

        A file is not decoded yet: its digest stands for it in the key of the answer.
        """

    async def _decoded(
        self, request: Asked, asked: Request, on_disconnect: OnDisconnect
    ) -> Request:
        """Return what a model is given, with the content of its file."""
        del request, on_disconnect
        return asked

    async def one(
        self, request: Asked, on_disconnect: OnDisconnect, media: str = JSON
    ) -> CachedAnswer:
        """Return the trace of one request."""
        model, asked = await self._prepared(request)
        key = self._key(model, asked, request.detail, media)
        if (cached := await self._known(request, key)) is not None:
            return CachedAnswer(cached, hit=True)
        asked = await self._decoded(request, asked, on_disconnect)
        job = Job(model, [asked], self._renderer(request, key, media), self._price(request, media))
        return await complete(self._engine, job, on_disconnect, self._keep, key)

    async def at_once(self, request: Asked, on_disconnect: OnDisconnect) -> bytes | None:
        """Return the trace of one request if it is cached, or if its model is loaded and idle."""
        model, asked = await self._prepared(request)
        key = self._key(model, asked, request.detail)
        if (cached := await self._known(request, key)) is not None:
            return cached
        if not (self._catalogue.loaded(model) and self._engine.idle):
            return None
        asked = await self._decoded(request, asked, on_disconnect)
        job = Job(model, [asked], self._renderer(request, key), self._price(request))
        return (await complete(self._engine, job, on_disconnect, self._keep, key)).content

    async def events(self, request: Asked, on_disconnect: OnDisconnect) -> AsyncIterator[bytes]:
        """Return the events of one request. An error before the first event is raised."""
        (model, asked), detail = await self._prepared(request), request.detail
        key = self._key(model, asked, detail)
        if (cached := await self._known(request, key)) is not None:
            return replay(cached)
        asked = await self._decoded(request, asked, on_disconnect)
        job = Job(model, [asked], self._renderer(request, key), self._price(request))
        too_large = self._leaves_out(request)
        return stream(self._engine, job, detail, on_disconnect, self._keep, key, too_large)

    async def _known(self, request: Asked, key: Hashable) -> bytes | None:
        """Return the answer to a request, if there is one."""
        del request
        return await self._cache.find(key) if self.shares else self._cache.get(key)

    def _keep(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer for the next request."""
        (self._cache.share if self.shares else self._cache.put)(key, answer)

    def _renderer(
        self, request: Asked, key: Hashable, media: str = JSON
    ) -> Callable[[Trace], bytes]:
        """Return what turns the trace of a request into its answer."""
        del key
        return renderer(request.detail, media)

    def _price(self, request: Asked, media: str = JSON) -> Price:
        """Return what estimates the memory of a request."""
        return price(request.detail, media)

    def _leaves_out(self, request: Asked) -> LeavesOut:
        """Return what tells outputs that are too large for an event."""
        del request
        return lambda _output: False

    def _key(self, model: str, asked: Request, detail: Detail, media: str = JSON) -> Hashable:
        """Return everything that an answer depends on: the weights, the request and its format."""
        return model, self._catalogue.cards[model].weights, asked, detail, media
