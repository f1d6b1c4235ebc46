"""What is asked of the models, and how the answer is put into bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Hashable

from heed.app.errors import FieldError
from heed.app.http.negotiation import JSON
from heed.app.http.sse import to_json
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.checks import check_text
from heed.app.inference.engine import Engine, Gone
from heed.app.inference.execution import CachedAnswer, grown, job_of, kept, whole
from heed.app.inference.jobs import Answer
from heed.app.schemas import BatchIn, Detail, SearchIn, TranslateIn
from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest
from heed.models.trace import SearchRequest

GREEDY = SearchRequest("greedy")


class Translation:
    """Texts in, JSON out; the engine does the work in between."""

    def __init__(
        self, zoo: Catalogue, engine: Engine, defaults: Defaults, max_batch: int, cache: Cache
    ) -> None:
        self._zoo = zoo
        self._engine = engine
        self._defaults = defaults
        self._max_batch = max_batch
        self._cache = cache

    async def one(self, asked: TranslateIn, gone: Gone, form: str = JSON) -> CachedAnswer:
        """The trace of one text."""
        model, ask = self._asked(asked)
        key = self._key(model, ask, asked.detail, form)
        if (known := self._cache.get(key)) is not None:
            return CachedAnswer(known, hit=True)
        job = job_of(model, [ask], asked.detail, form)
        return await whole(self._engine, job, gone, self._cache, key)

    async def at_once(
        self, asked: TranslateIn, gone: Gone, count: Callable[[], None]
    ) -> bytes | None:
        """The trace of one text if it is known, or if a model has nothing to do but to answer it.

        `count` is told before one is asked.
        """
        model, ask = self._asked(asked)
        key = self._key(model, ask, asked.detail)
        if (known := self._cache.get(key)) is not None:
            return known
        if not (self._zoo.loaded(model) and self._engine.idle):
            return None
        count()
        job = job_of(model, [ask], asked.detail)
        return (await whole(self._engine, job, gone, self._cache, key)).content

    def events(self, asked: TranslateIn, gone: Gone) -> AsyncIterator[bytes]:
        """The trace of one text as it grows. What fails before the first event is raised."""
        (model, ask), detail = self._asked(asked), asked.detail
        key = self._key(model, ask, detail)
        if (known := self._cache.get(key)) is not None:
            return kept(known)
        job = job_of(model, [ask], detail)
        return grown(self._engine, job, detail, gone, self._cache, key)

    async def batch(self, asked: BatchIn, gone: Gone) -> bytes:
        """The traces of several texts in their order, an error in the place of each bad one."""
        if not asked.texts:
            raise FieldError("empty_batch", "The list 'texts' is empty. Send some.", "texts")
        if len(asked.texts) > self._max_batch:
            message = (
                f"The list 'texts' has {len(asked.texts)}. Send at most {self._max_batch} at once."
            )
            raise FieldError("batch_too_large", message, "texts")
        model = known_model(self._zoo, asked.model, self._defaults, "text")
        search = search_of(asked.search)
        answers: dict[int, Answer] = {}
        asks: dict[int, TextRequest] = {}
        for i, text in enumerate(asked.texts):
            try:
                asks[i] = TextRequest(check_text(text, f"texts[{i}]"), None, search, asked.vectors)
            except FieldError as error:
                answers[i] = error
        if asks:
            job = job_of(model, list(asks.values()), asked.detail)
            self._engine.submit(job)
            answers |= zip(asks, await self._engine.answers(job, gone), strict=True)
        pieces = [_in_place(answers[i], i) for i in range(len(asked.texts))]
        return b'{"traces":[' + b",".join(pieces) + b"]}"

    def _key(self, model: str, ask: TextRequest, detail: Detail, form: str = JSON) -> Hashable:
        """What decides an answer: the weights, what they are asked, and how it is told."""
        return model, self._zoo.cards[model].weights, ask, detail, form

    def _asked(self, asked: TranslateIn) -> tuple[str, TextRequest]:
        return known_model(self._zoo, asked.model, self._defaults, "text"), text_request(asked)


def text_request(asked: TranslateIn) -> TextRequest:
    """The request for one text as the models take it, or a `FieldError`."""
    text = check_text(asked.text, "text")
    target = None if asked.target is None else check_text(asked.target, "target", "target")
    return TextRequest(text, target, search_of(asked.search), asked.vectors)


def search_of(asked: SearchIn) -> SearchRequest:
    """The search with only those knobs turned that its kind has: the trace tells no other."""
    match asked.kind:
        case "beam":
            return SearchRequest("beam", beam=asked.beam, length_penalty=asked.length_penalty)
        case "sample":
            return SearchRequest("sample", seed=asked.seed, temperature=asked.temperature)
    return GREEDY


def _in_place(answer: Answer, place: int) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return to_json(FieldError(answer.code, answer.message, f"texts[{place}]").out())
