"""The tasks whose attention can be audited, and their requests as the models know them."""

from __future__ import annotations

from typing import Final

from heed.app.schemas import (
    AskAuditIn,
    AskIn,
    AuditIn,
    CaptionAuditIn,
    CaptionIn,
    TranslateAuditIn,
    TranslateIn,
)
from heed.app.tasks.derived import Derived
from heed.app.tasks.pictures import ASK, CAPTION
from heed.app.tasks.translate import TRANSLATE
from heed.models.audit.choices import AuditChoices


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


AUDITS: Final[tuple[Derived[AuditIn], ...]] = (
    Derived(
        "audit",
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
    Derived("audit", CAPTION, CaptionAuditIn, CaptionIn, {}),
    Derived("audit", ASK, AskAuditIn, AskIn, {}),
)
