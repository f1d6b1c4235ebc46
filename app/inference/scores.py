"""Scores of attention, taken apart: one job, whose answer is cached."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Final

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.execution import CachedAnswer, complete
from heed.app.inference.jobs import Job
from heed.app.inference.single import SingleInference
from heed.app.inference.work import work_bytes
from heed.app.schemas import LeftOutWordOut, ScoreIn, ScoreOut, ScoreSplitOut, TranslateIn
from heed.app.tasks.task import TaskInput
from heed.models.generation.size import TraceSize
from heed.models.scores.explain import Explained, ScorePlace, explaining

BYTES: Final = 32 * 1024 * 1024
"""Memory beside that of the run: the parts of all states of a text, and the tensors of a layer."""


@dataclass(frozen=True)
class ScoreInference:
    """Answers scores of translations."""

    inference: SingleInference

    async def answer(self, given: ScoreIn, on_disconnect: OnDisconnect) -> CachedAnswer:
        """Run a text and take a score of its attention apart."""
        began = time.monotonic()
        options = TranslateIn(
            text=given.text,
            model=given.model,
            search=given.search,
            target=given.target,
            detail="weights",
        )
        checked = self.inference.checked(TaskInput(options))
        place = ScorePlace(given.kind, given.layer, given.head, given.row, given.column)
        key = "score", checked.key, place
        if (cached := self.inference.cache.get(key)) is not None:
            return CachedAnswer(cached, hit=True)
        job = Job(
            checked.model,
            [checked.request],
            _rendered,
            price=_bytes,
            through=explaining(self.inference.models.catalogue.stored(checked.model), place),
            began=began,
        )
        engine, keep = self.inference.engine, self.inference.cache.put
        return await complete(engine, job, on_disconnect, keep, key)


def _bytes(size: TraceSize) -> int:
    return work_bytes(size) + BYTES


def _rendered(explained: Any) -> bytes:
    """Write a score, which such a job has instead of a trace."""
    if not isinstance(explained, Explained):
        raise TypeError(f"a {type(explained).__name__} is no score")
    split = explained.split
    return to_json(
        ScoreOut(
            model=explained.model.id,
            **explained.place._asdict(),
            score=explained.score,
            split=split
            and ScoreSplitOut(
                query=list(split.query),
                key=list(split.key),
                products=split.products.tolist(),
            ),
            left_out=None
            if split
            else [
                LeftOutWordOut(word=word.word, change=word.change) for word in explained.left_out
            ],
            remainder=None if split else explained.remainder,
        )
    )
