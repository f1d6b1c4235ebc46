"""Writes lessons as files, from the traces that the models of the server give."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import orjson

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.request_body import parsed_bytes
from heed.app.inference.inference_thread import too_late
from heed.app.inference.single import SingleInference
from heed.app.inference.work import WorkBudget
from heed.app.pages.handout import handout_of
from heed.app.pages.lesson_file import Traces, lesson_file
from heed.app.pages.lesson_run import all_runs
from heed.app.pages.lessons import Lesson
from heed.models.catalogue import Catalogue

Write = Callable[[Lesson, Traces, Catalogue], str]


@dataclass(frozen=True)
class LessonWriter:
    """Runs the models of a lesson one after the other, and writes what they did."""

    catalogue: Catalogue
    inferences: Mapping[str, SingleInference]
    work: WorkBudget
    deadline_seconds: float

    async def handout(self, lesson: Lesson, on_disconnect: OnDisconnect) -> str:
        """Return a lesson as a page to print."""
        return await self._written(lesson, on_disconnect, handout_of)

    async def file(self, lesson: Lesson, on_disconnect: OnDisconnect) -> str:
        """Return a lesson as one file that works without a server."""
        return await self._written(lesson, on_disconnect, lesson_file)

    async def _written(self, lesson: Lesson, on_disconnect: OnDisconnect, write: Write) -> str:
        due = time.monotonic() + self.deadline_seconds
        answers: dict[str, bytes] = {}
        for key, run in all_runs(lesson, self.catalogue).items():
            if time.monotonic() > due:
                raise too_late(self.deadline_seconds)
            answer = await self.inferences[run.task.id].answer(run.asked, on_disconnect)
            answers[key] = answer.content
        size = sum(map(parsed_bytes, answers.values()))
        written = partial(self._from_json, lesson, answers, write)
        return await self.work.parse(size, written, due - time.monotonic())

    def _from_json(self, lesson: Lesson, answers: Mapping[str, bytes], write: Write) -> str:
        traces = {key: orjson.loads(json) for key, json in answers.items()}
        return write(lesson, traces, self.catalogue)
