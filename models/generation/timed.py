"""A run whose operations are timed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heed.models.errors import InputError
from heed.models.generation.pipeline import Batch, GenerationPipeline
from heed.models.generation.protocol import AnyPipeline, Pipeline
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize
from heed.models.runtime.operation_log import Kind, OperationLog

__all__ = ["Kind", "TimedRun"]


class TimedRun:
    """One run, with the log of its operations; that is empty if the runtime logs none."""

    def __init__(self) -> None:
        self.log = OperationLog()

    def through(self, pipeline: AnyPipeline) -> AnyPipeline:
        """Return the pipeline that logs, or raise `InputError`."""
        if not isinstance(pipeline, GenerationPipeline):
            message = f"{pipeline.card.id} does not write token by token, so it has no timeline."
            raise InputError("wrong_task", message, "model")
        return _TimedPipeline(pipeline, self.log)


class _TimedPipeline(Pipeline[Any]):
    """Runs requests with a log."""

    def __init__(self, pipeline: GenerationPipeline[Any], log: OperationLog) -> None:
        self.card = pipeline.card
        self._pipeline, self._log = pipeline, log

    def prepare(self, request: Request) -> Any:
        return self._pipeline.prepare(request)

    def size(self, prepared: Any, written: int | None = None) -> TraceSize:
        return self._pipeline.size(prepared, written)

    def batch(self, prepared: Sequence[Any]) -> Batch[Any]:
        return Batch(self._pipeline, prepared, self._log)
