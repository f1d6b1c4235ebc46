"""The tasks: what models can be asked to do, each with its schema, its adapter and its page.

Routes, admission, limits of bodies, the command line, pages, gallery and catalogue read this list.
"""

from __future__ import annotations

from typing import Any, Final

from heed.app.schemas import ModelOut, TraceOut
from heed.app.tasks.glimpse import GLIMPSE
from heed.app.tasks.graph import GRAPH
from heed.app.tasks.pictures import ASK, CAPTION, SEE
from heed.app.tasks.read import READ
from heed.app.tasks.story import STORY
from heed.app.tasks.task import Page, Task
from heed.app.tasks.transcribe import TRANSCRIBE
from heed.app.tasks.translate import TRANSLATE
from heed.models.card import Card

TASKS: Final[tuple[Task[Any], ...]] = (
    *(TRANSLATE, CAPTION, ASK, TRANSCRIBE, SEE, STORY, GRAPH, GLIMPSE, READ),
)


def task_of(model: Card | ModelOut) -> Task[Any]:
    """Return the task of a model; other models than those of the list read and write text."""
    return next((task for task in TASKS if task.id == model.task), TRANSLATE)


def page_of(trace: TraceOut) -> Page:
    """Return the page that shows a trace."""
    return next((page for page in pages() if page.shows and page.shows(trace)), TRANSLATE.page)


def pages() -> tuple[Page, ...]:
    """Return the pages of all tasks."""
    return tuple({task.page.name: task.page for task in TASKS}.values())
