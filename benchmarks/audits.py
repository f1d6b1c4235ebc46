"""Audits: the effects of 20 × 20 cells, and all that a page shows first, on one core.

Measured is processor time, which is the time of a core of its own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.figures import Options, Report, dotted, most, shown, table
from heed.models.audit.audit import AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import ForcedSteps
from heed.models.audit.row_edits import Maps, RowPlans
from heed.models.catalogue import Catalogue
from heed.models.generation.requests import TextRequest

TEXT = "The white house on the hill belongs to my old friend who lives near the sea in a town."
CELLS = 20
ROUNDS = 5
BOUNDS = {"effects": 0.5, "audit": 3.0}
"""Seconds of both figures."""
MODELS = ("en-fr-additive", "en-fr-transformer")


def measure(options: Options) -> Report:
    """Measure both, and hold them to their targets."""
    found = dict(dotted(_measured(1 if options.quick else ROUNDS)))
    block = table(
        ("model", f"effects of {CELLS} × {CELLS} cells", "the whole audit"),
        [(model, *(shown(each, " s") for each in times)) for model, times in found.items()],
    )
    targets = [
        most(f"{what} of {model}, on one core", bound, times[number], " s")
        for number, (what, bound) in enumerate(BOUNDS.items())
        for model, times in found.items()
    ]
    return Report({"audits": block}, targets)


def _measured(rounds: int) -> Iterator[tuple[str, list[float]]]:
    for model in MODELS:
        pipeline: Any = Catalogue().load(model, 1)
        times = [(_effects(pipeline), _whole(pipeline)) for _ in range(rounds)]
        yield model, [statistics.median(each) for each in zip(*times, strict=True)]


def _effects(pipeline: Any) -> float:
    """The effects of so many keys in so many steps, each from its kept state."""
    prepared = pipeline.prepare(TextRequest(TEXT))
    (trace,) = pipeline.run([TextRequest(TEXT)])
    tokens = [token.id for token in trace.output.tokens.tokens][:CELLS]
    groups = pipeline.runtime.step_groups
    cross = tuple(group for group in groups if group.kind == "cross")
    maps = Maps(groups, cross, None, None)
    began = time.process_time()
    steps = ForcedSteps(pipeline.runtime, prepared.source, tokens)
    for step in steps:
        plans = RowPlans(maps, step, "block")
        for _ in steps.again(step, [plans.without([key]) for key in range(CELLS)]):
            pass
    return time.process_time() - began


def _whole(pipeline: Any) -> float:
    """An audit with its bounds, as the page asks for it."""
    request = replace(TextRequest(TEXT), text="I do not know where she lives.")
    began = time.process_time()
    AuditRun(pipeline, pipeline.prepare(request), AuditChoices()).finished()
    return time.process_time() - began
