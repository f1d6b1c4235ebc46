"""Audits: the effects of 20 × 20 cells, and all that a page shows first, on one core.

Measured is processor time, which is the time of a core of its own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.figures import Report, Target, dotted, shown, table
from heed.models.audit.audit import AuditRun
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import ForcedSteps
from heed.models.audit.row_edits import Maps, RowPlans
from heed.models.catalogue import Catalogue
from heed.models.generation.requests import TextRequest

TEXT = "The white house on the hill belongs to my old friend who lives near the sea in a town."
CELLS = 20
ROUNDS = 5
MOST_SECONDS = 0.5
FIRST_SECONDS = 3.0
MODELS = ("en-fr-additive", "en-fr-transformer")


def measure(*, quick: bool) -> Report:
    """Measure both, and hold them to their targets."""
    rows = list(dotted(_measured(1 if quick else ROUNDS)))
    block = table(
        ("model", f"effects of {CELLS} × {CELLS} cells", "the whole audit"),
        [(model, shown(effects, " s"), shown(whole, " s")) for model, effects, whole in rows],
    )
    targets = [
        *(_target(model, "effects", effects, MOST_SECONDS) for model, effects, _ in rows),
        *(_target(model, "audit", whole, FIRST_SECONDS) for model, _, whole in rows),
    ]
    return Report({"audits": block}, targets)


def _target(model: str, what: str, value: float, most: float) -> Target:
    return Target(f"{what} of {model}, on one core", most, value, at_least=False, unit=" s")


def _measured(rounds: int) -> Iterator[tuple[str, float, float]]:
    for model in MODELS:
        pipeline: Any = Catalogue().load(model, 1)
        times = [(_effects(pipeline), _whole(pipeline)) for _ in range(rounds)]
        effects, whole = (statistics.median(one) for one in zip(*times, strict=True))
        yield model, effects, whole


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
    for _ in AuditRun(pipeline, pipeline.prepare(request), AuditChoices()).steps():
        pass
    return time.process_time() - began
