"""A figure of one output that is computed batch by batch, and can be left at any time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, Generic, TypeVar

from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import ForcedSteps
from heed.models.audit.row_edits import Maps
from heed.models.errors import InputError
from heed.models.generation.pipeline import GenerationPipeline, PreparedInput
from heed.models.generation.size import expected_length
from heed.models.trace import Axis, TokenAxis, Trace

MOST_ROWS: Final = 40_000
"""Forced steps of one audit: some ten seconds of a translator."""

S = TypeVar("S")
R = TypeVar("R")


class FigureRun(ABC, Generic[S, R]):
    """The run of a figure about the output of a request."""

    def __init__(
        self, pipeline: GenerationPipeline[S], prepared: PreparedInput[S], choices: AuditChoices
    ) -> None:
        self._pipeline, self._prepared, self._choices = pipeline, prepared, choices
        self.maps = maps_of(pipeline, choices)
        self.rows = 0  # forced steps that were run
        self.written = False  # true once the output is known
        self.total = 0
        self._expect(prepared.opening.source, written_by(prepared))
        self._result: R | None = None

    def _expect(self, source: Axis, written: int) -> None:
        """Note how many steps it takes; raises `InputError` if they are too many."""
        self._take(self._price(source, written))

    def _take(self, steps: int) -> None:
        """Note that it takes so many steps; raises `InputError` if they are too many."""
        self.total = steps
        if self.total > MOST_ROWS:
            seeds = self._choices.figure in ("audit", "orders")
            message = (
                f"This audit would take about {self.total:,} steps of the model, more than "
                f"{MOST_ROWS:,}. Shorten the text{', or use fewer seeds' if seeds else ''}."
            )
            raise InputError("audit_too_large", message, "seeds" if seeds else "figure")

    @abstractmethod
    def _price(self, source: Axis, written: int) -> int:
        """Return how many steps it takes, for what is read and so many tokens written."""

    @abstractmethod
    def _steps(self, trace: Trace) -> Iterator[None]:
        """Compute the figure of a trace; yields after each batch."""

    @property
    def result(self) -> R:
        """The figure, which must have ended."""
        if self._result is None:
            raise ValueError("the audit has not ended")
        return self._result

    @property
    def so_far(self) -> R | None:
        """The part of the figure that is done, where a part says something."""
        return None

    def steps(self) -> Iterator[None]:
        """Write the output, or force the target, and compute the figure; yields often."""
        batch = self._pipeline.batch([self._prepared])
        yield from batch.steps()
        trace = batch.trace(0)
        del batch  # it has the blocks of all steps
        self.written = True
        self._choices.check_row(len(trace.output.tokens))
        yield from self._steps(trace)

    def finished(self) -> R:
        """Run to the end, and return the figure."""
        for _ in self.steps():
            pass
        return self.result

    def _forced(self, tokens: list[int]) -> ForcedSteps[S]:
        return ForcedSteps(self._pipeline.runtime, self._prepared.source, tokens)


def maps_of(pipeline: GenerationPipeline[Any], choices: AuditChoices) -> Maps:
    """Return the heads that an audit is about, or raise `InputError`."""
    card, runtime = pipeline.card, pipeline.runtime
    # A text that is continued has its keys in self-attention, on the axis that is read.
    groups = tuple(group for group in runtime.step_groups if group.key == "source")
    if not groups:
        message = f"{card.id} has no attention, so there is nothing to audit."
        raise InputError("edits_not_supported", message, "model")
    if runtime.editing.refusal:
        message = f"The attention of {card.id} cannot be audited here: {runtime.editing.refusal}."
        raise InputError("edits_not_supported", message, "model")
    choices.check(card.id, groups)
    return Maps(runtime.step_groups, groups, choices.layer, choices.head)


def written_by(prepared: PreparedInput[Any]) -> int:
    """Return how many tokens an output is expected to have at most."""
    plan = prepared.plan
    if plan.forced:
        return plan.longest
    return expected_length(len(prepared.opening.source), plan.longest)


def word_rows(target: TokenAxis, row: int) -> list[int]:
    """Return the rows of the word that a row belongs to."""
    word = target.tokens[row].word
    return [place for place, token in enumerate(target.tokens) if token.word == word]
