"""The trace of a default model's first example, computed before anybody opens its page.

Until it is there, a page comes without it, and its script requests it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from heed.app.inference.single import SingleInference
from heed.app.pages.preload import Preloaded, preloaded
from heed.app.tasks.task import TaskInput

log = logging.getLogger("heed")


class Example:
    """Runs the default model of a task once, and again only after a failure."""

    def __init__(self, asked: TaskInput | None, inference: SingleInference) -> None:
        self.asked = asked
        self._inference = inference
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

    async def _make(self, asked: TaskInput) -> None:
        answer = await self._inference.answer(asked, _never)
        self._preloaded = await asyncio.to_thread(preloaded, answer.content)
        if self._preloaded is None:  # too large, and so it will be the next time
            self.asked = None


def _never(_give_up: Callable[[], None]) -> Callable[[], object]:
    """No client waits for it who could disconnect."""
    return lambda: None


def _log_failure(making: asyncio.Task[None]) -> None:
    if not making.cancelled() and (error := making.exception()):
        log.info("the page opens without its example: %s", error)
