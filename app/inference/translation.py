"""Translation: a request of the API to a trace, through the cache and the engine."""

from __future__ import annotations

import io

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.cache import Cache
from heed.app.inference.catalogue import Defaults, known_model
from heed.app.inference.checks import check_text
from heed.app.inference.engine import Engine
from heed.app.inference.execution import trace_job
from heed.app.inference.jobs import Answer
from heed.app.inference.linked import LinkedInference
from heed.app.inference.runs import Runs
from heed.app.schemas import BatchIn, SearchIn, TranslateIn
from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest
from heed.models.trace import SearchRequest

GREEDY = SearchRequest("greedy")


class Translation(LinkedInference[TranslateIn]):
    """Answers requests for one text and for batches of texts."""

    def __init__(
        self,
        catalogue: Catalogue,
        engine: Engine,
        defaults: Defaults,
        cache: Cache,
        runs: Runs,
        *,
        max_batch: int,
    ) -> None:
        super().__init__(catalogue, engine, defaults, cache, runs)
        self._max_batch = max_batch

    async def batch(self, request: BatchIn, on_disconnect: OnDisconnect) -> bytes:
        """Return the traces of several texts in order, with an error in place of each bad one."""
        self._check_size(request)
        model = known_model(self._catalogue, request.model, self._defaults, "text")
        search = search_of(request.search)
        answers: dict[int, Answer] = {}
        texts: dict[int, TextRequest] = {}
        for i, value in enumerate(request.texts):
            try:
                text = check_text(value, f"texts[{i}]")
            except FieldError as error:
                answers[i] = error
            else:
                texts[i] = TextRequest(text, None, search, request.vectors)
        if texts:
            job = trace_job(model, list(texts.values()), request.detail)
            self._engine.submit(job)
            answers |= zip(texts, await self._engine.answers(job, on_disconnect), strict=True)
            del job  # it has the answers
        return _joined([answers.pop(i) for i in range(len(request.texts))])

    def _check_size(self, request: BatchIn) -> None:
        if not request.texts:
            message = "The list 'texts' is empty. Send at least one text."
            raise FieldError("empty_batch", message, "texts")
        if len(request.texts) > self._max_batch:
            message = (
                f"The list 'texts' has {len(request.texts)} texts. Send at most {self._max_batch}."
            )
            raise FieldError("batch_too_large", message, "texts")

    async def _prepared(self, request: TranslateIn) -> tuple[str, TextRequest]:
        model = known_model(self._catalogue, request.model, self._defaults, "text")
        return model, text_request(request)


def text_request(request: TranslateIn) -> TextRequest:
    """Return the request for a model, or raise a `FieldError`."""
    text = check_text(request.text, "text")
    target = None if request.target is None else check_text(request.target, "target", "target")
    return TextRequest(text, target, search_of(request.search), request.vectors)


def search_of(search: SearchIn) -> SearchRequest:
    """Return the search with the parameters of its kind; the others have their defaults."""
    match search.kind:
        case "beam":
            return SearchRequest("beam", beam=search.beam, length_penalty=search.length_penalty)
        case "sample":
            return SearchRequest("sample", seed=search.seed, temperature=search.temperature)
    return GREEDY


def _joined(answers: list[Answer]) -> bytes:
    """Return the answers to a batch as one, and free each when it is copied."""
    joined = io.BytesIO()
    joined.write(b'{"traces":[')
    for i in range(len(answers)):
        joined.write(b"," if i else b"")
        joined.write(_batch_item(answers[i], i))
        answers[i] = b""
    joined.write(b"]}")
    return joined.getvalue()


def _batch_item(answer: Answer, index: int) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return to_json(FieldError(answer.code, answer.message, f"texts[{index}]").out())
