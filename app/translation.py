"""What is asked of the models, and how the answer is put into bytes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

from app.catalogue import known_model
from app.engine import Engine
from app.errors import FieldError, HeedError, defect
from app.events import EventSource, event, to_json
from app.jobs import AbandonedError, Answer, Job
from app.schemas import BatchIn, Detail, SearchIn, TranslateIn
from app.texts import check_text
from app.wire import trace_out
from models.trace import SearchRequest, Trace
from models.translator import Ask
from models.zoo import Zoo

Gone = Callable[[], Awaitable[None]]
"""Gives something to wait for that is done when the client has left."""


class Translation:
    """Texts in, JSON out; the engine does the work in between."""

    def __init__(self, zoo: Zoo, engine: Engine, default: str, max_batch: int) -> None:
        self._zoo = zoo
        self._engine = engine
        self._default = default
        self._max_batch = max_batch

    async def one(self, asked: TranslateIn, gone: Gone) -> bytes:
        """The trace of one text."""
        job = self._job(asked)
        self._engine.submit(job)
        return _only(await self._engine.answers(job, gone()))

    async def events(self, asked: TranslateIn, gone: Gone) -> AsyncIterator[bytes]:
        """The trace of one text as it grows. What fails before the first event is raised."""
        source = EventSource(asked.detail)
        job = self._job(asked)
        job.on_start, job.on_progress = source.started, source.progressed
        self._engine.submit(job)
        answers = asyncio.ensure_future(self._engine.answers(job, gone()))
        answers.add_done_callback(lambda _: source.end())
        begun = False
        try:
            async for piece in source:
                begun = True
                yield piece
            yield event("trace", _only(await answers))
        except HeedError as error:
            if not begun:
                raise
            yield event("error", error.out())
        except AbandonedError:
            raise
        except Exception as error:
            if not begun:
                raise
            yield event("error", defect(error, "a stream").out())
        finally:
            answers.cancel()

    async def batch(self, asked: BatchIn, gone: Gone) -> bytes:
        """The traces of several texts in their order, an error in the place of each bad one."""
        if not asked.texts:
            raise FieldError("empty_batch", "The list 'texts' is empty. Send some.", "texts")
        if len(asked.texts) > self._max_batch:
            message = (
                f"The list 'texts' has {len(asked.texts)}. Send at most {self._max_batch} at once."
            )
            raise FieldError("batch_too_large", message, "texts")
        model = known_model(self._zoo, asked.model, self._default)
        search = _search(asked.search)
        answers: dict[int, Answer] = {}
        asks: dict[int, Ask] = {}
        for i, text in enumerate(asked.texts):
            try:
                asks[i] = Ask(check_text(text, f"texts[{i}]"), None, search)
            except FieldError as error:
                answers[i] = error
        if asks:
            job = Job(model, list(asks.values()), partial(trace_bytes, detail=asked.detail))
            self._engine.submit(job)
            answers |= zip(asks, await self._engine.answers(job, gone()), strict=True)
        pieces = [_in_place(answers[i], i) for i in range(len(asked.texts))]
        return b'{"traces":[' + b",".join(pieces) + b"]}"

    def _job(self, asked: TranslateIn) -> Job:
        model = known_model(self._zoo, asked.model, self._default)
        return Job(model, [ask_of(asked)], partial(trace_bytes, detail=asked.detail))


def ask_of(asked: TranslateIn) -> Ask:
    """The request for one text as the models take it, or a `FieldError`."""
    text = check_text(asked.text, "text")
    target = None if asked.target is None else check_text(asked.target, "target", "target")
    return Ask(text, target, _search(asked.search))


def _search(asked: SearchIn) -> SearchRequest:
    """The search with only those knobs turned that its kind has: the trace tells no other."""
    match asked.kind:
        case "beam":
            return SearchRequest("beam", beam=asked.beam, length_penalty=asked.length_penalty)
        case "sample":
            return SearchRequest("sample", seed=asked.seed, temperature=asked.temperature)
    return SearchRequest("greedy")


def _only(answers: list[Answer]) -> bytes:
    (answer,) = answers
    if isinstance(answer, FieldError):
        raise answer
    return answer


def _in_place(answer: Answer, place: int) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return to_json(FieldError(answer.code, answer.message, f"texts[{place}]").out())


def trace_bytes(trace: Trace, detail: Detail) -> bytes:
    """The trace as the API gives it."""
    return to_json(trace_out(trace, detail))
