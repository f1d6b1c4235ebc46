"""The tasks whose attention can be audited, and their requests as the models know them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from heed.app.schemas import (
    AskAuditIn,
    AskIn,
    AuditIn,
    CaptionAuditIn,
    CaptionIn,
    RunOptions,
    TranslateAuditIn,
    TranslateIn,
)
from heed.app.tasks.pictures import ASK, CAPTION
from heed.app.tasks.task import Task
from heed.app.tasks.translate import TRANSLATE
from heed.models.audit.choices import AuditChoices


@dataclass(frozen=True)
class AuditTask:
    """A task with the schema of its audits."""

    task: Task[Any]
    schema: type[AuditIn]
    asked: type[RunOptions]
    """The schema of the run that is audited; its fields are those of both schemas."""
    examples: Mapping[str, object]

    @property
    def path(self) -> str:
        """The path of its route."""
        return f"{self.task.path}/audit"

    def options(self, request: AuditIn) -> RunOptions:
        """Return the options of the run that is audited."""
        return self.asked(**self._shared(request), detail="weights")

    def of(self, run: RunOptions, choices: Mapping[str, object]) -> AuditIn:
        """Return the request for the audit of a run, with some choices."""
        return self.schema.model_validate({**self._shared(run), **choices})

    def _shared(self, request: RunOptions | AuditIn) -> dict[str, Any]:
        """Return the fields that a run and its audit have in common."""
        names = self.schema.model_fields.keys() & self.asked.model_fields.keys()
        return {name: getattr(request, name) for name in names}


def choices_of(request: AuditIn) -> AuditChoices:
    """Return the choices of an audit."""
    return AuditChoices(
        request.removal,
        request.layer,
        request.head,
        request.row,
        request.seeds,
        request.figure,
        request.other,
        request.unit,
    )


AUDITS: Final = (
    AuditTask(
        TRANSLATE,
        TranslateAuditIn,
        TranslateIn,
        {
            "a translator": {"text": "I do not know where she lives.", "model": "en-fr-additive"},
            "one head": {
                "text": "She sings.",
                "model": "en-fr-transformer",
                "layer": 2,
                "head": 0,
                "seeds": 5,
            },
        },
    ),
    AuditTask(CAPTION, CaptionAuditIn, CaptionIn, {}),
    AuditTask(ASK, AskAuditIn, AskIn, {}),
)
