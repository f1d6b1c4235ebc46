"""A lesson as one HTML file that needs no server: its words, and the contents of its steps.

The file is a page in one file (`standalone.py`) whose script shows the pages of the steps in a
frame. It contains the shell of each page once; the frame waits for its trace, or the parameters of
its tool, in a message, as in a notebook.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict
from urllib.parse import urlencode

from heed.app.pages.lesson_run import StepRuns, runs_of, timelines_of
from heed.app.pages.lessons import GROW, TOOLS, Lesson, Step
from heed.app.pages.watch import records
from heed.models.catalogue import Catalogue
from heed.output.model import described
from heed.output.page.standalone import filled, grow_worker, lesson_shell, shell, tool_shell

Traces = Mapping[str, Mapping[str, object]]
"""By the key of a run; audits and timelines by theirs."""
COMPARED = "-compared"
"""The end of the names of shells that show several models."""


class State(TypedDict):
    """One address of a step: its page, and the keys of its contents."""

    shell: str
    query: str
    trace: str | None
    """None on a page without a model."""
    figures: Sequence[str]
    """The audit or the timelines that the page shows."""
    models: Sequence[Mapping[str, object]]
    others: Sequence[tuple[str, str]]


def lesson_file(lesson: Lesson, traces: Traces, catalogue: Catalogue) -> str:
    """Return the file of a lesson, from the traces of all its runs."""
    steps = [list(states_of(step, catalogue)) for step in lesson.steps]
    names = {state["shell"] for states in steps for state in states}
    if GROW in names:
        names.add("text")  # for what has grown
    contents = {
        "steps": steps,
        "shells": {name: _shell(name, catalogue) for name in sorted(names)},
        "traces": traces,
        "worker": grow_worker() if GROW in names else None,
    }
    page = lesson_shell(lesson, shown=[bool(states) for states in steps], grows=GROW in names)
    return filled(page, f"{lesson.title} · Heed", contents)


def _shell(name: str, catalogue: Catalogue) -> str:
    """Return the file of a page without contents."""
    if name not in TOOLS:
        return shell(name.removesuffix(COMPARED), compared=name.endswith(COMPARED))
    return tool_shell(name, grows=name == GROW, recorded=records(*catalogue.folders))


def states_of(step: Step, catalogue: Catalogue) -> Iterator[State]:
    """Yield the addresses of a step that a file shows: its own, and that of its goal."""
    if step.state.page in TOOLS:
        yield _tool(step, catalogue)
    for shown in runs_of(step, catalogue):
        yield _state(step, shown, catalogue)


def _tool(step: Step, catalogue: Catalogue) -> State:
    return {
        "shell": step.state.page,
        "query": f"?{urlencode(step.state.address)}",
        "trace": None,
        "figures": [timeline.key for timeline in timelines_of(step, catalogue)],
        "models": [],
        "others": [],
    }


def _state(step: Step, shown: StepRuns, catalogue: Catalogue) -> State:
    first, *others = shown.runs
    page = step.state.page
    return {
        "shell": f"{page}{COMPARED}" if others else page,
        "query": f"?{urlencode(shown.address)}",
        "trace": first.key,
        "figures": [shown.audit.key] if shown.audit else [],
        "models": [described(catalogue.cards[run.model]) for run in shown.runs],
        "others": [(run.model, run.key) for run in others],
    }
