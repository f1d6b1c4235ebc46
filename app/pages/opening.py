"""The answer that a page comes with, so that there is something to see before any script.

A page is never refused for want of it, and hardly held up: what is known is taken along, and what
is not is asked only of a model that has its weights and nothing else to do, for a moment. What
would take longer is asked by the page's script, which can tell how it goes.

To have a model asked costs the one who opens the page what a call of the API costs, so that no
limit can be got around by opening pages. Who has no call left gets the page without.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from heed.app.errors import FieldError, HeedError, log_internal_error
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.limits import check_search
from heed.app.inference.translation import Translation
from heed.app.pages.example import Example
from heed.app.pages.links import Link, Looks
from heed.app.pages.shown import Shown, shown_of
from heed.app.schemas import TranslateIn
from heed.app.settings import Settings
from heed.models.catalogue import Catalogue

PATIENCE_SECONDS = 0.15
"""A short sentence takes a tenth of it."""

Count = Callable[[], None]
"""Counts a call, or raises the error that says why there may be none now."""


class Opening:
    """Answers what an address asks, if that can be had at once."""

    def __init__(
        self,
        zoo: Catalogue,
        translation: Translation,
        defaults: Defaults,
        example: Example,
        settings: Settings,
    ) -> None:
        self._zoo = zoo
        self._translation = translation
        self._defaults = defaults
        self._example = example
        self._settings = settings

    async def at_once(self, link: Link, count: Count) -> Shown | None:
        """What the page of this address comes with, if it comes with anything."""
        try:
            asked = self._asked(link)
        except FieldError:
            return None
        if asked == self._example.asked:
            return await self._example.shown(link.looks)
        asking = asyncio.create_task(self._translation.at_once(asked, _patience, count))
        await asyncio.wait([asking])
        error = asking.exception()
        if error is None:
            return await self.shown(asking.result(), asked.model, link.looks)
        if isinstance(error, Exception) and not isinstance(error, (HeedError, AbandonedError)):
            log_internal_error(error, "the answer that a page comes with")
        return None

    async def awaited(self, link: Link, count: Count, gone: OnDisconnect) -> Shown | None:
        """The same however long it takes, or the error that a call of the API would get."""
        asked = self._asked(link)
        count()
        known = await self._translation.one(asked, gone)
        card = self._zoo.cards.get(asked.model or "")
        return await asyncio.to_thread(shown_of, known.content, card, link.looks, bounded=False)

    async def shown(self, content: bytes | None, model: str | None, looks: Looks) -> Shown | None:
        """The trace, as a page comes with it."""
        if content is None:
            return None
        card = self._zoo.cards.get(model or "")
        return await asyncio.to_thread(shown_of, content, card, looks)

    def _asked(self, link: Link) -> TranslateIn:
        model = known_model(self._zoo, link.question.model, self._defaults, "text")
        asked = link.asked(self._zoo.cards[model])
        check_search(asked.search, self._settings)
        return asked


def _patience(told: Callable[[], None]) -> Callable[[], object]:
    """OnDisconnect after a moment."""
    return asyncio.get_running_loop().call_later(PATIENCE_SECONDS, told).cancel
