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
from heed.models.errors import InputError
from heed.models.generation.pipeline import GenerationPipeline

RUNS: Final[Mapping[FigureName, type[FigureRun[Any, Any]]]] = {
    "audit": AuditRun,
    "contrast": ContrastRun,
    "rewritten": RewrittenRun,
    "orders": OrdersRun,
    "curves": CurvesRun,
}
OF_HEED: Final[frozenset[FigureName]] = frozenset({"contrast", "rewritten", "curves"})
"""Figures that write again, or look at a picture again."""


def run_of(pipeline: Any, prepared: Any, choices: AuditChoices) -> FigureRun[Any, Any]:
    """Return the run of the figure that is chosen, or raise `InputError`."""
    if choices.figure in OF_HEED and not isinstance(pipeline, GenerationPipeline):
        message = f"The figure {choices.figure} is of models of Heed alone"
        reason = "it needs their tokenizer and their search"
        raise InputError("edits_not_supported", f"{message}: {reason}.", "figure")
    return RUNS[choices.figure](pipeline, prepared, choices)
