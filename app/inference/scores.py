"""Scores of attention, taken apart in slices. Answers are cached."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.execution import CachedAnswer, Count, SlicedRun, slices
from heed.app.inference.single import SingleInference
from heed.app.inference.work import work_bytes
from heed.app.schemas import LeftOutWordOut, ScoreIn, ScoreOut, ScoreSplitOut, TranslateIn
from heed.app.tasks.task import TaskInput
from heed.models.generation.size import TraceSize
from heed.models.scores.explain import Explained, ScorePlace, SlicedScore

BYTES: Final = 32 * 1024 * 1024
"""Memory beside that of the run: the parts of all states of a text, and the tensors of a layer."""


@dataclass(frozen=True)
class ScoreInference:
    """Answers scores of translations."""

    inference: SingleInference

    async def answer(
        self, given: ScoreIn, count: Count, on_disconnect: OnDisconnect
    ) -> CachedAnswer:
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
        engine = self.inference.engine
        folder = self.inference.models.catalogue.stored(checked.model)
        sliced = SlicedScore(folder, place, lambda: engine.waiting > 0)
        run = SlicedRun(checked.model, checked.request, sliced, _bytes, began)
        async with aclosing(slices(engine, run, count, on_disconnect)) as parts:
            async for _ in parts:
                pass
        answer = _rendered(sliced.result)
        self.inference.cache.put(key, answer)
        return CachedAnswer(answer, hit=False)


def _bytes(size: TraceSize) -> int:
    return work_bytes(size) + BYTES


def _rendered(explained: Explained) -> bytes:
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
