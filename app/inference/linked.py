"""Requests whose large traces come without their maps, which have addresses."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TypeVar

from heed.app.http.media_types import JSON
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults
from heed.app.inference.engine import Engine
from heed.app.inference.event_source import LeavesOut
from heed.app.inference.runs import Runs
from heed.app.inference.single import SingleInference
from heed.app.inference.work import Price
from heed.app.schemas import LinkedOptions
from heed.models.catalogue import Catalogue
from heed.models.trace import Trace

Asked = TypeVar("Asked", bound=LinkedOptions)


class LinkedInference(SingleInference[Asked]):
    """Answers requests of one kind; the maps of a large trace are kept, if the request allows."""

    def __init__(
        self, catalogue: Catalogue, engine: Engine, defaults: Defaults, cache: Cache, runs: Runs
    ) -> None:
        super().__init__(catalogue, engine, defaults, cache)
        self._runs = runs

    async def _known(self, request: Asked, key: Hashable) -> bytes | None:
        if request.maps == "linked" and (answer := self._runs.answer(key)) is not None:
            return answer
        return await super()._known(request, key)

    def _keep(self, key: Hashable, answer: bytes) -> None:
        if self._runs.answer(key) is None:  # else its maps are elsewhere, and it ends with them
            super()._keep(key, answer)

    def _renderer(
        self, request: Asked, key: Hashable, media: str = JSON
    ) -> Callable[[Trace], bytes]:
        if request.maps == "linked" and media == JSON:
            return partial(self._runs.rendered, key=key, detail=request.detail)
        return super()._renderer(request, key, media)

    def _price(self, request: Asked, media: str = JSON) -> Price:
        linked = request.maps == "linked" and media == JSON
        return self._runs.price(request.detail) if linked else super()._price(request, media)

    def _leaves_out(self, request: Asked) -> LeavesOut:
        return self._runs.large if request.maps == "linked" else super()._leaves_out(request)
