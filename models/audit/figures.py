"""The figures of an audit, by name: those that are shown first, and those on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from heed.models.audit.audit import AuditRun
from heed.models.audit.choices import AuditChoices, FigureName
from heed.models.audit.contrast import ContrastRun
from heed.models.audit.curves import CurvesRun
from heed.models.audit.order_search import OrdersRun
from heed.models.audit.rewritten import RewrittenRun
from heed.models.audit.run import FigureRun
from heed.models.generation.pipeline import GenerationPipeline

RUNS: Final[Mapping[FigureName, type[FigureRun[Any, Any]]]] = {
    "audit": AuditRun,
    "contrast": ContrastRun,
    "rewritten": RewrittenRun,
    "orders": OrdersRun,
    "curves": CurvesRun,
}


def run_of(
    pipeline: GenerationPipeline[Any], prepared: Any, choices: AuditChoices
) -> FigureRun[Any, Any]:
    """Return the run of the figure that is chosen."""
    return RUNS[choices.figure](pipeline, prepared, choices)
