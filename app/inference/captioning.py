"""Pictures in, JSON out: the upload read and decoded, the engine does the work in between."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal, NamedTuple

from heed.app.errors import FieldError, RequestError, ServiceUnavailable
from heed.app.http.media_types import EVENTS, JSON
from heed.app.http.multipart import FILE
from heed.app.inference.allocator import MemoryTrimmer
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.checks import check_text
from heed.app.inference.engine import Engine, Gone
from heed.app.inference.execution import CachedAnswer, grown, job_of, kept, whole
from heed.app.inference.jobs import Job
from heed.app.inference.translation import search_of
from heed.app.schemas import AskIn, CaptionIn, Detail
from heed.models.catalogue import Card, Catalogue
from heed.models.errors import PictureError
from heed.models.generation.captioner import HARD, ImageRequest
from heed.models.images.read import Picture, read_picture
from heed.models.trace import SearchRequest, Vectors

MOST_WAITING = 16

Task = Literal["caption", "ask"]


class CaptionOptions(NamedTuple):
    """What is asked beside the picture, in the order in which `ImageRequest` takes it."""

    question: str | None
    target: str | None
    search: SearchRequest
    draws: int
    vectors: Vectors


class PictureRequest(NamedTuple):
    """What is wanted to be known of a picture: known already, or the picture decoded."""

    model: str
    words: CaptionOptions
    detail: Detail
    form: str
    key: Hashable
    """What decides the answer: the weights, the file, what is asked, and how it is told."""
    seen: bytes | Picture

    @property
    def job(self) -> Job:
        """What is to be run."""
        assert isinstance(self.seen, Picture)  # noqa: S101 - else it is not asked for
        return job_of(self.model, [ImageRequest(self.seen, *self.words)], self.detail, self.form)


class Captioning:
    """Captions and answers; pictures are decoded one at a time, on a thread of their own."""

    def __init__(
        self,
        zoo: Catalogue,
        engine: Engine,
        defaults: Defaults,
        cache: Cache,
        *,
        most_bytes: int,
        most_pixels: int,
    ) -> None:
        self._zoo = zoo
        self._engine = engine
        self._defaults = defaults
        self._cache = cache
        self._most_bytes = most_bytes
        self._most_pixels = most_pixels
        self._decoder = ThreadPoolExecutor(1, "heed-pictures")
        self._trimmer = MemoryTrimmer()
        self._waiting = 0

    async def read(
        self, file: bytes | None, asked: CaptionIn, task: Task, form: str
    ) -> PictureRequest:
        """Return the input of the model: its options, and its picture or the cached answer.

        Errors of the options come first. The picture is decoded only if the answer is not cached:
        decoding takes longer than everything else here.
        """
        media = JSON if form == EVENTS else form
        model = known_model(self._zoo, asked.model, self._defaults, task)
        words = words_of(asked, self._zoo.cards[model])
        if file is None:
            message = f"The field '{FILE}' is missing. Add the file of a picture."
            raise FieldError("missing_field", message, FILE)
        digest = hashlib.sha256(file).digest()
        key = (model, self._zoo.cards[model].weights, digest, words, asked.detail, media)
        seen = self._cache.get(key) or await self._decoded(file)
        return PictureRequest(model, words, asked.detail, media, key, seen)

    async def one(self, asked: PictureRequest, gone: Gone, form: str = JSON) -> CachedAnswer:
        """The trace of one picture."""
        del form  # it is known since the request was read
        if isinstance(asked.seen, bytes):
            return CachedAnswer(asked.seen, hit=True)
        return await whole(self._engine, asked.job, gone, self._cache, asked.key)

    def events(self, asked: PictureRequest, gone: Gone) -> AsyncIterator[bytes]:
        """The trace of one picture as it grows. What fails before the first event is raised."""
        if isinstance(asked.seen, bytes):
            return kept(asked.seen)
        return grown(self._engine, asked.job, asked.detail, gone, self._cache, asked.key)

    def close(self) -> None:
        """Let what is being decoded be decoded."""
        self._decoder.shutdown()

    async def _decoded(self, file: bytes) -> Picture:
        if self._waiting >= MOST_WAITING:
            message = f"Already {self._waiting} pictures wait to be read. Try again in a moment."
            raise ServiceUnavailable(message)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._decoder, self._decode, file
            )
        finally:
            self._waiting -= 1

    def _decode(self, file: bytes) -> Picture:
        """Decode a file on the thread of the decoder, and return the memory that it took."""
        try:
            return decoded(file, self._most_bytes, self._most_pixels)
        finally:
            self._trimmer.trim()


def decoded(file: bytes, most_bytes: int, most_pixels: int) -> Picture:
    """The picture in a file, or the error that says why there is none."""
    try:
        return read_picture(file, most_bytes=most_bytes, most_pixels=most_pixels)
    except PictureError as error:
        kind = RequestError if error.code in RequestError.codes else FieldError
        raise kind(error.code, error.message, error.field) from None


def words_of(asked: CaptionIn, card: Card) -> CaptionOptions:
    """The words of a request as the models take them, or a `FieldError`."""
    question = None
    if isinstance(asked, AskIn):
        question = check_text(asked.question, "question", "question")
    target = None if asked.target is None else check_text(asked.target, "target", "target")
    search = search_of(asked.search)
    if card.mechanism == HARD:  # its cells are drawn, whatever the kind of search
        search = replace(search, seed=asked.search.seed)
    if asked.draws and card.mechanism != HARD:
        message = f"The model '{card.id}' draws nothing: only hard attention does. Leave it out."
        raise FieldError("draws_unsupported", message, "draws")
    return CaptionOptions(question, target, search, asked.draws, asked.vectors)
