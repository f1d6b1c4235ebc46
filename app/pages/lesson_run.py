"""The runs of a lesson: what the addresses of its steps ask of models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from heed.app.http.validation_errors import validated
from heed.app.pages.assets import STATIC
from heed.app.pages.lesson_units import Parameters
from heed.app.pages.lessons import Lesson, Step
from heed.app.pages.page_requests import request_in
from heed.app.schemas import AuditIn, TimelineIn
from heed.app.schemas.edits import EditIn
from heed.app.tasks import task_of
from heed.app.tasks.audits import AUDITS, AuditTask
from heed.app.tasks.task import Task, TaskInput
from heed.models.catalogue import Catalogue

SAMPLES = STATIC / "samples"
SEARCH = {"search": "kind", "beam": "beam", "seed": "seed", "temperature": "temperature"}
"""Parameters of a decoding in the address of a page whose script alone sends requests."""


PLACES = {"l": "layers", "h": "heads", "q": "queries", "k": "keys"}
VALUES = {"w": "words", "p": "weight", "c": "factor", "t": "temperature", "b": "value"}
"""The fields of an edit in an address, by their letters."""
TIMED = ("en-fr-additive", "en-fr-transformer")
"""The models of a timeline. As in static/js/pages/learn/timeline.js."""


class ModelRequest(NamedTuple):
    """A request of a step for the trace of a model."""

    key: str
    """The same for runs with the same trace."""
    model: str
    task: Task[Any]
    asked: TaskInput


class AuditRequest(NamedTuple):
    """A request of a step for the audit of a run."""

    key: str
    audit: AuditTask
    asked: AuditIn
    file: bytes | None


class TimelineRequest(NamedTuple):
    """A request of a step for the operations of a model over time."""

    key: str
    asked: TimelineIn


FigureRequest = AuditRequest | TimelineRequest


class StepRuns(NamedTuple):
    """The runs that an address of a step shows, the first of them by itself."""

    address: Parameters
    runs: tuple[ModelRequest, ...]
    audit: AuditRequest | None
    """The audit of the first one, if it is shown."""


def runs_of(step: Step, catalogue: Catalogue) -> Iterator[StepRuns]:
    """Yield the runs of a step, and those of what its goal shows."""
    if not step.shows_model:
        return
    do = step.state.do
    for change in ({}, do.show) if do else ({},):
        address = {**step.state.address, **change}
        models = [str(address["model"]), *str(address.get("with", "")).split()]
        known = [model for model in models if model in catalogue.cards]
        if known[:1] == models[:1]:
            runs = tuple(_run(address, model, catalogue) for model in known)
            yield StepRuns(address, runs, _audit(address, runs[0]))


def all_runs(lesson: Lesson, catalogue: Catalogue) -> dict[str, ModelRequest]:
    """Return the runs of a lesson by their keys, each once."""
    return {
        run.key: run
        for step in lesson.steps
        for shown in runs_of(step, catalogue)
        for run in shown.runs
    }


def timelines_of(step: Step, catalogue: Catalogue) -> tuple[TimelineRequest, ...]:
    """Return the timelines of a step with a text, none if one of their models is missing."""
    text = step.state.address.get("text")
    if step.state.page != "timeline" or text is None or not catalogue.cards.keys() >= {*TIMED}:
        return ()
    return tuple(
        TimelineRequest(
            json.dumps(["timeline", model, text]), TimelineIn(model=model, text=str(text))
        )
        for model in TIMED
    )


def all_figures(lesson: Lesson, catalogue: Catalogue) -> dict[str, FigureRequest]:
    """Return what the steps of a lesson show beside traces, by its keys, each once."""
    found: list[FigureRequest] = []
    for step in lesson.steps:
        found += timelines_of(step, catalogue)
        found += [shown.audit for shown in runs_of(step, catalogue) if shown.audit]
    return {figure.key: figure for figure in found}


def _audit(address: Parameters, run: ModelRequest) -> AuditRequest | None:
    """Return the audit that an address shows: of all heads, forced."""
    audit = next((each for each in AUDITS if each.task is run.task), None)
    if audit is None or address.get("view") != "audit":
        return None
    removal = address.get("removal", "block")
    asked = audit.of(run.asked.options, {"model": run.model, "removal": removal})
    return AuditRequest(json.dumps(["audit", removal, run.key]), audit, asked, run.asked.file)


def _run(address: Parameters, model: str, catalogue: Catalogue) -> ModelRequest:
    task, asked = asked_in({**address, "model": model}, catalogue)
    name = str(address.get("sample", ""))
    return ModelRequest(
        json.dumps([task.id, name, asked.options.model_dump_json()]), model, task, asked
    )


def asked_in(address: Parameters, catalogue: Catalogue) -> tuple[Task[Any], TaskInput]:
    """Return the task and the request of an address, which names a model of the catalogue."""
    query = {name: str(value) for name, value in address.items()}
    card = catalogue.cards[query["model"]]
    task = task_of(card)
    if task.query:
        asked = request_in(query, task, task.query, card)
        edits = [_edit(text) for text in query.get("edits", "").split()]
        options = asked.options.model_copy(update={"edits": edits}) if edits else asked.options
        return task, TaskInput(options, asked.file)
    fields: dict[str, object] = {
        name: value for name, value in query.items() if name in task.schema.model_fields
    }
    if "search" in task.schema.model_fields:
        fields["search"] = {SEARCH[name]: query[name] for name in SEARCH if name in query}
    options = validated(fields, task.schema, strict=False)
    return task, TaskInput(options, sample(query["sample"]))


def _edit(text: str) -> EditIn:
    """Return an edit of an address that has one place in each field (core/edit_address.js)."""
    op, *fields = text.split("_")
    values: dict[str, object] = {"op": op}
    for field in fields:
        letter, raw = field[0], field[1:]
        if letter in PLACES:
            values[PLACES[letter]] = int(raw) - 1
        else:
            values[VALUES[letter]] = raw if letter == "w" else float(raw)
    return EditIn.model_validate(values)


def sample(name: str) -> bytes:
    """Return the file of a sample photo, which a lesson names."""
    return (SAMPLES / f"{name}.jpg").read_bytes()
