"""`heed lesson`: a lesson as one file, or as a handout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heed import __version__
from heed.app.commands.errors import DONE, RefusedError
from heed.app.errors import StartError
from heed.app.inference.catalogue import open_catalogue
from heed.app.inference.timelines import RUNS, timeline_out
from heed.app.pages.handout import handout_of
from heed.app.pages.lesson_file import Traces, lesson_file
from heed.app.pages.lesson_run import (
    AuditRequest,
    FigureRequest,
    ModelRequest,
    all_figures,
    all_runs,
)
from heed.app.pages.lessons import GROW, Lesson, Lessons
from heed.app.schemas import TimelineOut, TranslateIn
from heed.app.settings import Settings
from heed.app.tasks.audits import choices_of
from heed.app.tasks.task import Task, TaskInput
from heed.app.tasks.translate import TRANSLATE
from heed.models.audit.slices import SlicedAudit
from heed.models.card import Card
from heed.models.catalogue import Catalogue
from heed.models.generation.protocol import AnyPipeline
from heed.models.generation.timed import TimedRun
from heed.models.pictures.decode import decode_picture
from heed.output.audit_figures import figure_out
from heed.output.page.standalone import grow_file
from heed.output.serialize import trace_out


def write_lesson(name: str, output: str | None, *, handout: bool) -> int:
    """Write a lesson and print the path of its file; return the exit code."""
    if name == GROW and not handout:
        return _save(grow_file(), output or f"{name}.html")
    settings = Settings.from_environment()
    catalogue = open_catalogue(settings.weights, settings.runtime)
    lessons = Lessons({**catalogue.missing, **catalogue.cards})
    known_lesson = lessons.named(name)
    if known_lesson is None:
        known = ", ".join([*(lesson.name for lesson in lessons.all), GROW])
        raise RefusedError(f"There is no lesson {name!r}. The lessons are: {known}.")
    if handout:
        text = handout_of(known_lesson, _traces(known_lesson, catalogue, settings), catalogue)
    else:
        contents = contents_of(known_lesson, catalogue, settings)
        text = lesson_file(known_lesson, contents, catalogue)
    return _save(text, output or f"{name}.html")


def contents_of(lesson: Lesson, catalogue: Catalogue, settings: Settings) -> Traces:
    """Return what the file of a lesson contains, by its keys."""
    figures = {
        key: _figure(figure, catalogue, settings)
        for key, figure in all_figures(lesson, catalogue).items()
    }
    return {**_traces(lesson, catalogue, settings), **figures}


def _traces(lesson: Lesson, catalogue: Catalogue, settings: Settings) -> Traces:
    runs = all_runs(lesson, catalogue)
    return {key: _trace(run, catalogue, settings) for key, run in runs.items()}


def _save(text: str, output: str) -> int:
    path = Path(output)
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise StartError(f"{path} cannot be written: {error.strerror}.") from None
    print(path)
    return DONE


def _trace(run: ModelRequest, catalogue: Catalogue, settings: Settings) -> Mapping[str, object]:
    pipeline = catalogue.load(run.model, settings.threads)
    (trace,) = pipeline.run([_prepared(run.task, run.asked, pipeline.card)])
    return trace_out(trace, "steps")


def _prepared(task: Task[Any], asked: TaskInput, card: Card) -> Any:
    """Return the request for a model, with its picture."""
    request = task.prepared(asked.options, card)
    if task.upload and asked.file:
        request = task.upload.filled(request, decode_picture(asked.file))
    return request


def _figure(
    figure: FigureRequest, catalogue: Catalogue, settings: Settings
) -> Mapping[str, object]:
    """Compute an audit, or time the operations of a model."""
    pipeline = catalogue.load(str(figure.asked.model), settings.threads)
    if isinstance(figure, AuditRequest):
        asked = figure.audit.input(figure.asked, figure.file)
        request = _prepared(figure.audit.task, asked, pipeline.card)
        sliced = SlicedAudit(choices_of(figure.asked))
        sliced.run(pipeline, request)
        return figure_out(sliced.result, __version__)
    options = TranslateIn(text=figure.asked.text, detail="weights")
    request = _prepared(TRANSLATE, TaskInput(options, None), pipeline.card)
    timed = [_timed(pipeline, request) for _ in range(RUNS)]
    return min(timed, key=lambda run: run.milliseconds).model_dump()


def _timed(pipeline: AnyPipeline, request: Any) -> TimelineOut:
    timed = TimedRun()
    (trace,) = timed.through(pipeline).run([request])
    return timeline_out(trace, timed)
