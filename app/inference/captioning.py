"""Pictures to caption, to ask about or to look at: the upload, its decoding, and the trace."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Hashable
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.media_types import EVENTS, JSON
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.checks import check_text
from heed.app.inference.engine import Engine
from heed.app.inference.execution import (
    CachedAnswer,
    complete,
    price,
    renderer,
    replay,
    stream,
)
from heed.app.inference.jobs import Job
from heed.app.inference.pictures import PictureDecoder, file_of_form
from heed.app.inference.runs import Runs
from heed.app.inference.translation import search_of
from heed.app.schemas import AskIn, CaptionIn, Detail, SeeIn
from heed.models.card import Card
from heed.models.catalogue import Catalogue
from heed.models.generation.captioner import HARD, ImageRequest
from heed.models.generation.requests import HeadPlace
from heed.models.trace import SearchRequest, Vectors

Task = Literal["caption", "ask", "see"]
Fields = CaptionIn | SeeIn


class CaptionOptions(NamedTuple):
    """The options of a request, without its picture, in the order of `ImageRequest`."""

    question: str | None
    target: str | None
    search: SearchRequest
    draws: int
    vectors: Vectors
    only: HeadPlace | None = None


class PictureRequest(NamedTuple):
    """A request about a picture, with its cached answer or the file of the picture."""

    model: str
    options: CaptionOptions
    detail: Detail
    media: str
    key: Hashable
    """Everything that the answer depends on: the weights, the file, the options, the format."""
    content: bytes
    """The cached answer, or the file of the picture if there is none."""
    hit: bool
    """True if the content is the cached answer."""
    linked: bool
    """True if a large trace may come without its maps."""


class Captioning:
    """Answers requests about pictures."""

    def __init__(
        self,
        catalogue: Catalogue,
        engine: Engine,
        defaults: Defaults,
        cache: Cache,
        decoder: PictureDecoder,
        runs: Runs,
    ) -> None:
        self._catalogue = catalogue
        self._engine = engine
        self._defaults = defaults
        self._cache = cache
        self._decoder = decoder
        self._runs = runs

    async def read(
        self, file: bytes | None, fields: Fields, task: Task, media: str
    ) -> PictureRequest:
        """Prepare a request whose response has this media type, or raise a `HeedError`.

        The fields are checked before the picture, which is decoded only if the answer is not
        cached: decoding takes longer than anything else, and the key has the digest of the file.
        """
        content_media = JSON if media == EVENTS else media
        model = known_model(self._catalogue, fields.model, self._defaults, task)
        options = caption_options(fields, self._catalogue.cards[model])
        given = file_of_form(file)
        digest = hashlib.sha256(given).digest()
        weights = self._catalogue.cards[model].weights
        key = (model, weights, digest, options, fields.detail, content_media)
        linked = content_media == JSON and fields.maps == "linked"
        known = (linked and self._runs.answer(key)) or self._cache.get(key)
        content, hit = known or given, bool(known)
        return PictureRequest(
            model, options, fields.detail, content_media, key, content, hit, linked
        )

    async def one(
        self, request: PictureRequest, on_disconnect: OnDisconnect, media: str = JSON
    ) -> CachedAnswer:
        """Return the trace of one picture."""
        del media  # the request has it
        if request.hit:
            return CachedAnswer(request.content, hit=True)
        job = await self._job(request, on_disconnect)
        return await complete(self._engine, job, on_disconnect, self._keep, request.key)

    async def events(
        self, request: PictureRequest, on_disconnect: OnDisconnect
    ) -> AsyncIterator[bytes]:
        """Return the events of one picture. An error before the first event is raised."""
        if request.hit:
            return replay(request.content)
        too_large = self._runs.large if request.linked else lambda _output: False
        return stream(
            self._engine,
            await self._job(request, on_disconnect),
            request.detail,
            on_disconnect,
            self._keep,
            request.key,
            too_large,
        )

    async def _job(self, request: PictureRequest, on_disconnect: OnDisconnect) -> Job:
        """Decode the picture; return the job that answers a request."""
        picture = await self._decoder.decoded(request.content, on_disconnect)
        rendered = renderer(request.detail, request.media)
        priced = price(request.detail, request.media)
        if request.linked:
            rendered = partial(self._runs.rendered, key=request.key, detail=request.detail)
            priced = self._runs.price(request.detail)
        asked = ImageRequest(picture, *request.options)
        return Job(request.model, [asked], rendered, priced)

    def _keep(self, key: Hashable, answer: bytes) -> None:
        """Keep an answer for the next request."""
        if self._runs.answer(key) is None:  # else its maps are elsewhere, and it ends with them
            self._cache.put(key, answer)


def _head_place(fields: SeeIn) -> HeadPlace | None:
    """Return the place of the one head that is asked for, if there is one."""
    if fields.layer is None and fields.head is not None:
        raise FieldError("missing_field", "The field 'layer' is missing: 'head' needs it.", "layer")
    return None if fields.layer is None else HeadPlace(fields.layer, fields.head or 0)


def caption_options(fields: Fields, card: Card) -> CaptionOptions:
    """Return the options for a model, or raise a `FieldError`."""
    if isinstance(fields, SeeIn):
        return CaptionOptions(None, None, SearchRequest(), 0, "cross", _head_place(fields))
    question = None
    if isinstance(fields, AskIn):
        question = check_text(fields.question, "question", "question")
    target = None if fields.target is None else check_text(fields.target, "target", "target")
    search = search_of(fields.search)
    if card.mechanism == HARD:  # its cells are drawn in every kind of search
        search = replace(search, seed=fields.search.seed)
    if fields.draws and card.mechanism != HARD:
        message = (
            f"`draws` works only with hard attention; the model '{card.id}' has none. Leave it out."
        )
        raise FieldError("draws_unsupported", message, "draws")
    return CaptionOptions(question, target, search, fields.draws, fields.vectors)
