"""Answers derived from a run of a task: its audit, or one of its scores taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from heed.app.schemas import RunOptions
from heed.app.schemas.base import RequestModel
from heed.app.tasks.task import Task, TaskInput

Asked = TypeVar("Asked", bound=RequestModel)


@dataclass(frozen=True)
class Derived(Generic[Asked]):
    """A task with the schema of what is derived from its runs."""

    name: str
    """The last part of its path."""
    task: Task[Any]
    schema: type[Asked]
    run: type[RunOptions]
    """The schema of the run; its fields are those of both schemas."""
    examples: Mapping[str, object]

    @property
    def path(self) -> str:
        """The path of its route."""
        return f"{self.task.path}/{self.name}"

    def input(self, request: Asked, file: bytes | None) -> TaskInput:
        """Return the options of the run, and its file if the task takes one."""
        return TaskInput(self.run(**self._shared(request), detail="weights"), file)

    def of(self, run: RunOptions, choices: Mapping[str, object]) -> Asked:
        """Return the request about a run, with some choices."""
        return self.schema.model_validate({**self._shared(run), **choices})

    def _shared(self, request: RunOptions | Asked) -> dict[str, Any]:
        """Return the fields that a run and what is derived from it have in common."""
        names = self.schema.model_fields.keys() & self.run.model_fields.keys()
        return {name: getattr(request, name) for name in names}
