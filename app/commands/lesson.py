"""`heed lesson`: a lesson as one file, or as a handout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from heed.app.commands.errors import DONE, RefusedError
from heed.app.errors import StartError
from heed.app.inference.catalogue import open_catalogue
from heed.app.pages.handout import handout_of
from heed.app.pages.lesson_file import lesson_file
from heed.app.pages.lesson_run import ModelRequest, all_runs
from heed.app.pages.lessons import GROW, Lessons
from heed.app.settings import Settings
from heed.models.catalogue import Catalogue
from heed.models.pictures.decode import decode_picture
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
    traces = {
        key: _trace(run, catalogue, settings)
        for key, run in all_runs(known_lesson, catalogue).items()
    }
    write = handout_of if handout else lesson_file
    return _save(write(known_lesson, traces, catalogue), output or f"{name}.html")


def _save(text: str, output: str) -> int:
    path = Path(output)
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise StartError(f"{path} cannot be written: {error.strerror}.") from None
    print(path)
    return DONE


def _trace(run: ModelRequest, catalogue: Catalogue, settings: Settings) -> Mapping[str, object]:
    asked = run.task.prepared(run.asked.options, catalogue.cards[run.model])
    if run.task.upload and run.asked.file:
        asked = run.task.upload.filled(asked, decode_picture(run.asked.file))
    (trace,) = catalogue.load(run.model, settings.threads).run([asked])
    return trace_out(trace, "steps")
