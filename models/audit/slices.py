"""An audit in slices, so that others run between."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from heed.models.audit.choices import AuditChoices
from heed.models.audit.figures import run_of
from heed.models.audit.run import FigureRun
from heed.models.errors import InputError
from heed.models.generation.protocol import Auditable
from heed.models.generation.sliced import Sliced


class SlicedAudit(Sliced):
    """An audit, which may pause after each batch once the output is written."""

    takes = Auditable
    first_seconds = 0.0  # then the other trainings can be read, before they are compared

    def __init__(self, choices: AuditChoices, waits: Callable[[], bool] = lambda: False) -> None:
        super().__init__(waits)
        self._choices = choices
        self._run: FigureRun[Any, Any] | None = None

    @property
    def compares(self) -> bool:
        """True if it needs the other trainings of the model, after its first slices."""
        return self._choices.figure == "audit"

    @property
    def rows(self) -> int:
        """The forced steps that were run."""
        return 0 if self._run is None else self._run.rows

    @property
    def total(self) -> int:
        """The forced steps that it is expected to run in all."""
        return 0 if self._run is None else max(self._run.total, self._run.rows)

    @property
    def result(self) -> Any:
        """The figure of the choices, which must have ended."""
        if self._run is None:
            raise ValueError("the audit has not begun")
        return self._run.result

    @property
    def so_far(self) -> Any:
        """The part of the figure that is done; None where no part says something."""
        return None if self._run is None else self._run.so_far

    def _refusal(self, model: str) -> InputError:
        message = f"The attention of {model} cannot be audited: it cannot be edited."
        return InputError("edits_not_supported", message, "model")

    def _steps(self, pipeline: Auditable, prepared: Any) -> Generator[bool, None, None]:
        yield False  # a model of one's own may run now: there is memory for it
        self._run = run = run_of(*pipeline.audited(prepared), self._choices)
        # A model of one's own writes as a whole: others would run beside it.
        for _ in run.steps():
            yield run.written
