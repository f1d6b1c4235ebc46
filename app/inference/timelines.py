"""Timelines: a run whose operations are timed, a few times over."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from heed.app.errors import FieldError
from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.jobs import Job
from heed.app.inference.single import SingleInference
from heed.app.schemas import OperationOut, TimelineIn, TimelineOut, TranslateIn
from heed.app.tasks.task import TaskInput
from heed.models.generation.timed import TimedRun
from heed.models.trace import TokenAxis, Trace

RUNS: Final = 3
"""Runs of which the fastest is returned: others may use the machine at the same time."""
MILLISECOND: Final = 1e6  # nanoseconds


class _Timed(NamedTuple):
    milliseconds: float
    content: bytes


@dataclass(frozen=True)
class TimelineInference:
    """Answers timelines of translations, and keeps none."""

    inference: SingleInference

    async def answer(self, given: TimelineIn, on_disconnect: OnDisconnect) -> bytes:
        """Run a text several times within the time of one request, and return the fastest run."""
        options = TranslateIn(text=given.text, model=given.model, detail="weights")
        checked, began = self.inference.checked(TaskInput(options)), time.monotonic()
        engine, timelines = self.inference.engine, list[_Timed]()
        for number in range(RUNS):
            timed = TimedRun()
            job = Job(
                checked.model,
                [checked.request],
                partial(_rendered, timed=timed, timelines=timelines),
                through=timed.through,
                began=began,
                keeps_place=number > 0,
            )
            engine.submit(job)
            (answer,) = await engine.answers(job, on_disconnect)
            if isinstance(answer, FieldError):
                raise answer
        return min(timelines).content


def _rendered(trace: Trace, timed: TimedRun, timelines: list[_Timed]) -> bytes:
    """Write the timeline of a run, and add it to the others."""
    timeline = timeline_out(trace, timed)
    timelines.append(_Timed(timeline.milliseconds, to_json(timeline)))
    return timelines[-1].content


def timeline_out(trace: Trace, timed: TimedRun) -> TimelineOut:
    """Return the timeline of a run."""
    operations = timed.log.operations
    first = min((operation.began for operation in operations), default=0)
    return TimelineOut(
        model=trace.model.id,
        text=trace.text,
        read=_pieces(trace.source),
        written=_pieces(trace.output.target),
        runs=RUNS,
        milliseconds=trace.timing.encode_ms + trace.timing.decode_ms,
        operations=[
            OperationOut(
                kind=operation.kind,
                place=operation.place,
                start=(operation.began - first) / MILLISECOND,
                end=(operation.ended - first) / MILLISECOND,
            )
            for operation in operations
        ],
    )


def _pieces(axis: object) -> list[str]:
    return [token.text for token in axis.tokens] if isinstance(axis, TokenAxis) else []
