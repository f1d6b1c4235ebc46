"""Writes lessons as files, from what the models of the server compute."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import orjson

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.request_body import parsed_bytes
from heed.app.inference.audits import AuditInference, AuditInput
from heed.app.inference.execution import Count
from heed.app.inference.inference_thread import too_late
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

Write = Callable[[Lesson, Traces, Catalogue], str]


@dataclass(frozen=True)
class LessonWriter:
    """Runs the models of a lesson one after the other, and writes what they did."""

    catalogue: Catalogue
    inferences: Mapping[str, SingleInference]
    audits: Mapping[str, AuditInference]
    turn: Turn
    """Held until a lesson is written, as its answers may take many times what one request does."""
    work: WorkBudget
    deadline_seconds: float
    on_disconnect: OnDisconnect
    count: Count
    """Counts what takes as long as many runs as so many calls."""

    async def handout(self, lesson: Lesson) -> str:
        """Return a lesson as a page to print."""
        began = time.monotonic()
        due = began + self.deadline_seconds
        async with self.turn.held(began, self.on_disconnect):
            return await self._written(lesson, await self._traces(lesson, due), handout_of, due)

    async def file(self, lesson: Lesson) -> str:
        """Return a lesson as one file that works without a server."""
        began = time.monotonic()
        due = began + self.deadline_seconds
        async with self.turn.held(began, self.on_disconnect):
            answers = await self._traces(lesson, due)
            for key, figure in all_figures(lesson, self.catalogue).items():
                self._check(due)
                answers[key] = await self._figure(figure)
            return await self._written(lesson, answers, lesson_file, due)

    async def _traces(self, lesson: Lesson, due: float) -> dict[str, bytes]:
        answers: dict[str, bytes] = {}
        for key, run in all_runs(lesson, self.catalogue).items():
            self._check(due)
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

    def _check(self, due: float) -> None:
        """Raise an error after the deadline."""
        if time.monotonic() > due:
            raise too_late(self.deadline_seconds)

    async def _written(
        self, lesson: Lesson, answers: Mapping[str, bytes], write: Write, due: float
    ) -> str:
        size = sum(map(parsed_bytes, answers.values()))
        written = partial(self._from_json, lesson, answers, write)
        return await self.work.parse(size, written, due - time.monotonic())

    def _from_json(self, lesson: Lesson, answers: Mapping[str, bytes], write: Write) -> str:
        traces = {key: orjson.loads(json) for key, json in answers.items()}
        return write(lesson, traces, self.catalogue)
