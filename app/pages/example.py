"""The example that the page opens on, answered before anybody opens it.

A model of this server has answered it. While it has not, the page comes without, and asks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from heed.app.inference.catalogue import Defaults
from heed.app.inference.translation import Translation
from heed.app.pages.links import Looks, Question
from heed.app.pages.shown import Shown, shown_of
from heed.app.schemas import TranslateIn
from heed.models.catalogue import Card, Catalogue

log = logging.getLogger("heed")


class Example:
    """The default model's first example: asked for once, and again only after it failed."""

    def __init__(self, zoo: Catalogue, translation: Translation, defaults: Defaults) -> None:
        card = zoo.cards.get(defaults.get("text", ""))
        self._card = card if card and card.examples else None
        self._translation = translation
        self._making: asyncio.Task[None] | None = None
        self._content = b""
        self._shown: Shown | None = None

    @property
    def asked(self) -> TranslateIn | None:
        """What it answers, if there is anything to see in it."""
        return Question().asked(self._card) if self._card else None

    async def shown(self, looks: Looks) -> Shown | None:
        """The example, if it is answered; if not, it will be."""
        if self._shown is None:
            self.make()
            return None
        if looks == Looks():
            return self._shown
        return await asyncio.to_thread(shown_of, self._content, self._card, looks)

    def make(self) -> None:
        """Have it answered in the background."""
        if self._card is None or (self._making is not None and not self._making.done()):
            return
        self._making = asyncio.create_task(self._make(self._card))
        self._making.add_done_callback(_tell)

    def stop(self) -> None:
        """Wait for no answer any more."""
        if self._making is not None:
            self._making.cancel()

    async def _make(self, card: Card) -> None:
        known = await self._translation.one(Question().asked(card), _never)
        self._content = known.content
        self._shown = await asyncio.to_thread(shown_of, known.content, card)
        if self._shown is None:  # nor will it ever be
            self._card = None


def _never(_told: Callable[[], None]) -> Callable[[], object]:
    """Nobody waits for it who could leave."""
    return lambda: None


def _tell(making: asyncio.Task[None]) -> None:
    if not making.cancelled() and (error := making.exception()):
        log.info("the page opens without its example: %s", error)
