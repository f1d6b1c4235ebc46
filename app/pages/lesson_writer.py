"""Writes lessons as files, from what the models of the server compute."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import orjson

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.request_body import parsed_bytes
from heed.app.inference.audits import AuditInference, AuditInput
from heed.app.inference.cache import Cache
from heed.app.inference.execution import Count
from heed.app.inference.single import SingleInference
from heed.app.inference.timelines import RUNS, TimelineInference
from heed.app.inference.turn import Turn
from heed.app.inference.work import WorkBudget
from heed.app.pages.handout import handout_of
from heed.app.pages.lesson_file import Traces, lesson_file
from heed.app.pages.lesson_run import AuditRequest, FigureRequest, all_figures, all_runs
from heed.app.pages.lessons import Lesson
from heed.app.tasks.translate import TRANSLATE
from heed.models.catalogue import Catalogue

BUNDLING: Final = 60_000_000
"""Bytes that it takes to join the scripts of a file, which are kept joined."""
Write = Callable[[Lesson, Traces, Catalogue], str]


@dataclass(frozen=True)
class LessonWriter:
    """Runs the models of a lesson one after the other, and writes what they did."""

    catalogue: Catalogue
    inferences: Mapping[str, SingleInference]
    audits: Mapping[str, AuditInference]
    cache: Cache
    """Of answers, in which a written lesson is one: the others of a class get it."""
    turn: Turn
    """Held until a lesson is written, as its answers may take many times what one request does."""
    work: WorkBudget
    deadline_seconds: float
    on_disconnect: OnDisconnect
    count: Count
    """Counts what takes as long as many runs as so many calls."""

    async def handout(self, lesson: Lesson) -> bytes:
        """Return a lesson as a page to print."""

        async def write(began: float) -> bytes:
            return await self._written(lesson, await self._traces(lesson), handout_of, began)

        return await self._once(("handout", lesson.name), write)

    async def file(self, lesson: Lesson) -> bytes:
        """Return a lesson as one file that works without a server."""

        async def write(began: float) -> bytes:
            answers = await self._traces(lesson)
            for key, figure in all_figures(lesson, self.catalogue).items():
                answers[key] = await self._figure(figure)
            return await self._written(lesson, answers, lesson_file, began, BUNDLING)

        return await self._once(("lesson", lesson.name), write)

    async def _once(self, key: Hashable, write: Callable[[float], Awaitable[bytes]]) -> bytes:
        """Return what is written when the turn comes, unless it is cached by then."""
        began = time.monotonic()
        if (cached := self.cache.get(key)) is not None:
            return cached
        async with self.turn.held(began, self.on_disconnect):
            if (cached := self.cache.get(key)) is not None:
                return cached  # another has asked the same meanwhile
            written = await write(began)
        self.cache.put(key, written)
        return written

    async def _traces(self, lesson: Lesson) -> dict[str, bytes]:
        answers: dict[str, bytes] = {}
        for key, run in all_runs(lesson, self.catalogue).items():
            answer = await self.inferences[run.task.id].answer(run.asked, self.on_disconnect)
            answers[key] = answer.content
        return answers

    async def _figure(self, figure: FigureRequest) -> bytes:
        if isinstance(figure, AuditRequest):
            audited = self.audits[figure.audit.task.id]
            asked = AuditInput(figure.asked, figure.file, self.count)
            return (await audited.answer(asked, self.on_disconnect)).content
        await self.count(RUNS)
        inference = TimelineInference(self.inferences[TRANSLATE.id])
        return await inference.answer(figure.asked, self.on_disconnect)

    async def _written(
        self,
        lesson: Lesson,
        answers: Mapping[str, bytes],
        write: Write,
        began: float,
        beside: int = 0,
    ) -> bytes:
        """Write a lesson when there is memory for its answers, and for so many bytes beside."""
        size = beside + sum(map(parsed_bytes, answers.values()))
        written = partial(self._from_json, lesson, answers, write)
        left = began + self.deadline_seconds - time.monotonic()
        return await self.work.parse(size, written, left)

    def _from_json(self, lesson: Lesson, answers: Mapping[str, bytes], write: Write) -> bytes:
        traces = {key: orjson.loads(json) for key, json in answers.items()}
        return write(lesson, traces, self.catalogue).encode()
