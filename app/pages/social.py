"""Open Graph: the title, the description and the preview picture that a shared link shows."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

import orjson

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.request_body import parsed_bytes
from heed.app.inference.cache import Cache
from heed.app.inference.single import SingleInference
from heed.app.inference.work import WorkBudget
from heed.app.pages.assets import STATIC
from heed.app.pages.lessons import Stop
from heed.app.pages.link_preview.picture import picture as preview_picture
from heed.app.pages.link_preview.thread import Check, DrawingThread
from heed.app.pages.page_requests import PageRequests
from heed.app.pages.preload import Preloaded
from heed.app.schemas import GridAxisOut, SentenceAxisOut, TraceOut
from heed.app.tasks import TASKS
from heed.app.tasks.task import TaskInput
from heed.app.traces.store import Saved
from heed.models.catalogue import Catalogue

PATH = "/preview.png"
SAMPLE = STATIC / "samples" / "photographer.jpg"
"""The photo on which the pages of photos open."""
TITLE = "Heed: attention, made visible"
MAX_TITLE = 90
OWN_PICTURES = {task.page.path: task.page.prefix for task in TASKS if task.query}
"""Pages whose links have pictures of their own; other pages have the picture of the site."""


class Social(NamedTuple):
    """The tags of a page. `description` is None for that of the page itself."""

    title: str
    description: str | None
    image: str
    url: str


@dataclass(frozen=True)
class SocialTags:
    """Makes the tags; addresses in them begin with the origin of the site."""

    catalogue: Catalogue

    def of_page(
        self,
        origin: str,
        path: str,
        query: Mapping[str, str],
        preloaded: Preloaded | None,
        names: Collection[str] = (),
    ) -> Social:
        """Return the tags of a page with the request of its query; `names` are its parameters."""
        asked = {name: value for name, value in query.items() if name in names}
        parameters = _query(asked)  # the state of the views changes neither text nor picture
        own = OWN_PICTURES.get(path, "")
        image, url = f"{origin}{own}{PATH}{parameters}", f"{origin}{path}{parameters}"
        if not asked or preloaded is None:
            text = query.get("text", query.get("question", ""))
            return Social(_title(text) if text else TITLE, None, image, url)
        return Social(_title_of(preloaded.trace), self._description(preloaded.trace), image, url)

    def of_saved(self, origin: str, id: str, preloaded: Preloaded | None) -> Social:
        """Return the tags of a saved trace."""
        url = f"{origin}/t/{id}"
        if preloaded is None:
            return Social(TITLE, None, f"{url}{PATH}", url)
        trace = preloaded.trace
        return Social(_title_of(trace), self._description(trace), f"{url}{PATH}", url)

    def of_lesson(self, origin: str, stop: Stop, page: Social) -> Social:
        """Return the tags of a step of a lesson, with the picture of its page."""
        lesson = stop.lesson
        title = f"{stop.step.title} · {lesson.title}"
        return Social(title, lesson.description, page.image, f"{origin}{lesson.link(stop.at)}")

    def _description(self, trace: TraceOut) -> str:
        card = self.catalogue.cards.get(trace.model.id)
        return (
            f"The attention of every word, with every number: {card.name if card else 'a model'}."
        )


Shown = Saved | bytes | None
"""A trace of which a picture is drawn; bytes are its JSON."""


class LinkPreviews:
    """Draws the pictures, one at a time, and keeps them in the cache."""

    def __init__(
        self, catalogue: Catalogue, cache: Cache, work: WorkBudget, deadline_seconds: float
    ) -> None:
        self._catalogue = catalogue
        self._cache = cache
        self._work = work
        self._thread = DrawingThread("previews", deadline_seconds)
        self.stop, self.close = self._thread.stop, self._thread.close

    async def of_query(
        self,
        page: PageRequests,
        query: Mapping[str, str],
        on_disconnect: OnDisconnect,
    ) -> bytes:
        """Return the picture of the request in a query; without one, that of the page's example."""
        typed = query.keys() & page.query.names
        asked = page.read(query) if typed else page.example.asked
        if asked is None:
            return await self._picture(("preview", page.task.id), None, on_disconnect)
        return await self._of_input(page.inference, asked, on_disconnect)

    async def of_sample(self, inference: SingleInference, on_disconnect: OnDisconnect) -> bytes:
        """Return the picture of what the default model of a task sees in the first sample."""
        options = inference.task.schema(detail="weights")
        sample = await asyncio.to_thread(SAMPLE.read_bytes)
        return await self._of_input(inference, TaskInput(options, sample), on_disconnect)

    async def _of_input(
        self, inference: SingleInference, asked: TaskInput, on_disconnect: OnDisconnect
    ) -> bytes:
        digest = asked.file and hashlib.sha256(asked.file).digest()
        key = ("preview", inference.task.id, asked.options.model_dump_json(), digest)
        if (known := self._cache.get(key)) is not None:
            return known
        began = time.monotonic()
        answer = await inference.answer(asked, on_disconnect)
        return await self._picture(key, answer.content, on_disconnect, began)

    async def of_saved(self, saved: Saved, on_disconnect: OnDisconnect) -> bytes:
        """Return the picture of a saved trace, which is unpacked when it is drawn."""
        return await self._picture(("preview", saved.digest), saved, on_disconnect)

    async def _picture(
        self, key: Hashable, trace: Shown, on_disconnect: OnDisconnect, began: float | None = None
    ) -> bytes:
        if (known := self._cache.get(key)) is not None:
            return known
        picture = await self._thread.run(partial(self._draw, trace), on_disconnect, began)
        self._cache.put(key, picture)
        return picture

    def _draw(self, trace: Shown, check: Check) -> bytes:
        check()
        content = trace.content() if isinstance(trace, Saved) else trace
        if content is None:
            return self._drawn(None, check)
        with self._work.parsed(parsed_bytes(content)):
            return self._drawn(TraceOut.model_validate(orjson.loads(content)), check)

    def _drawn(self, shown: TraceOut | None, check: Check) -> bytes:
        check()
        card = self._catalogue.cards.get(shown.model.id) if shown else None
        return preview_picture(shown, card.name if card else "", check)


def _query(parameters: Mapping[str, str]) -> str:
    return f"?{urlencode(parameters)}" if parameters else ""


def _title_of(trace: TraceOut) -> str:
    if isinstance(trace.source, GridAxisOut):
        return _title(trace.text)
    asked = trace.question if isinstance(trace.source, SentenceAxisOut) else trace.source
    return f"{_title(asked.text)} → {_title(trace.text)}" if asked else _title(trace.text)


def _title(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat if len(flat) <= MAX_TITLE else flat[: MAX_TITLE - 1].rstrip() + '…'}”"
