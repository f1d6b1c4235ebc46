"""The trace of the default model's first example, computed before anybody opens the page.

Until it is there, a page comes without it, and its script requests it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from heed.app.inference.catalogue import Defaults
from heed.app.inference.translation import Translation
from heed.app.pages.preload import Preloaded, preloaded, translate_in
from heed.app.schemas import TranslateIn
from heed.models.catalogue import Catalogue

log = logging.getLogger("heed")


class Example:
    """Runs the default model once, and again only after a failure."""

    def __init__(self, catalogue: Catalogue, translation: Translation, defaults: Defaults) -> None:
        card = catalogue.cards.get(defaults.get("text", ""))
        self.asked: TranslateIn | None = translate_in({}, card) if card and card.examples else None
        self._translation = translation
        self._making: asyncio.Task[None] | None = None
        self._preloaded: Preloaded | None = None

    def preloaded(self) -> Preloaded | None:
        """The example, if it is computed; otherwise start to compute it."""
        if self._preloaded is None:
            self.make()
        return self._preloaded

    def make(self) -> None:
        """Compute the example in the background."""
        if self.asked is None or (self._making is not None and not self._making.done()):
            return
        self._making = asyncio.create_task(self._make(self.asked))
        self._making.add_done_callback(_log_failure)

    def stop(self) -> None:
        """Stop computing."""
        if self._making is not None:
            self._making.cancel()

    async def _make(self, asked: TranslateIn) -> None:
        answer = await self._translation.one(asked, _never)
        self._preloaded = await asyncio.to_thread(preloaded, answer.content)
        if self._preloaded is None:  # too large, and so it will be the next time
            self.asked = None


def _never(_give_up: Callable[[], None]) -> Callable[[], object]:
    """No client waits for it who could disconnect."""
    return lambda: None


def _log_failure(making: asyncio.Task[None]) -> None:
    if not making.cancelled() and (error := making.exception()):
        log.info("the page opens without its example: %s", error)
