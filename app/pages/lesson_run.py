"""The runs of a lesson: what the address of a step asks of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heed.app.http.validation_errors import validated
from heed.app.pages.assets import STATIC
from heed.app.pages.page_requests import request_in
from heed.app.tasks import task_of
from heed.app.tasks.task import Task, TaskInput
from heed.models.catalogue import Catalogue

SAMPLES = STATIC / "samples"
SEARCH = {"search": "kind", "beam": "beam", "seed": "seed", "temperature": "temperature"}
"""Parameters of a decoding in the address of a page whose script alone sends requests."""


def asked_in(
    address: Mapping[str, str | int | float], catalogue: Catalogue
) -> tuple[Task[Any], TaskInput]:
    """Return the task and the request of an address, which names a model of the catalogue."""
    query = {name: str(value) for name, value in address.items()}
    card = catalogue.cards[query["model"]]
    task = task_of(card)
    if task.query:
        return task, request_in(query, task, task.query, card)
    fields: dict[str, object] = {
        name: value for name, value in query.items() if name in task.schema.model_fields
    }
    if "search" in task.schema.model_fields:
        fields["search"] = {SEARCH[name]: query[name] for name in SEARCH if name in query}
    options = validated(fields, task.schema, strict=False)
    return task, TaskInput(options, sample(query["sample"]))


def sample(name: str) -> bytes:
    """Return the file of a sample photo, which a lesson names."""
    return (SAMPLES / f"{name}.jpg").read_bytes()
