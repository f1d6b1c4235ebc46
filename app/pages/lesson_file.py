"""A lesson as one HTML file that needs no server: its words, and the traces of its steps.

The file is a page in one file (`standalone.py`) whose script shows the pages of the steps in a
frame. It contains the shell of each page once; the frame waits for its trace in a message, as in a
notebook.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict
from urllib.parse import urlencode

from heed.app.pages.lesson_run import StepRuns, runs_of
from heed.app.pages.lessons import Lesson, Step
from heed.models.catalogue import Catalogue
from heed.output.model import described
from heed.output.page.standalone import filled, lesson_shell, shell

Traces = Mapping[str, Mapping[str, object]]
"""By the key of a run."""
COMPARED = "-compared"
"""The end of the names of shells that show several models."""


class State(TypedDict):
    """One address of a step: its page, and the keys of its traces."""

    shell: str
    query: str
    trace: str
    models: Sequence[Mapping[str, object]]
    others: Sequence[tuple[str, str]]


def lesson_file(lesson: Lesson, traces: Traces, catalogue: Catalogue) -> str:
    """Return the file of a lesson, from the traces of all its runs."""
    steps = [
        [_state(step, shown, catalogue) for shown in runs_of(step, catalogue)]
        for step in lesson.steps
    ]
    names = {state["shell"] for states in steps for state in states}
    contents = {
        "steps": steps,
        "shells": {
            name: shell(name.removesuffix(COMPARED), compared=name.endswith(COMPARED))
            for name in sorted(names)
        },
        "traces": traces,
    }
    return filled(lesson_shell(lesson), f"{lesson.title} · Heed", contents)


def _state(step: Step, shown: StepRuns, catalogue: Catalogue) -> State:
    first, *others = shown.runs
    page = step.state.page
    return {
        "shell": f"{page}{COMPARED}" if others else page,
        "query": f"?{urlencode(shown.address)}",
        "trace": first.key,
        "models": [described(catalogue.cards[run.model]) for run in shown.runs],
        "others": [(run.model, run.key) for run in others],
    }
