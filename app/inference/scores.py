"""Scores of attention, taken apart in slices. Answers are cached."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from heed.app.http.disconnect import OnDisconnect
from heed.app.http.encoding import to_json
from heed.app.inference.execution import CachedAnswer, Count, SlicedRun, slices
from heed.app.inference.single import SingleInference
from heed.app.inference.work import work_bytes
from heed.app.schemas import LeftOutWordOut, ScoreIn, ScoreOut, ScoreSplitOut
from heed.app.tasks.derived import Derived
from heed.models.generation.size import TraceSize
from heed.models.scores.explain import Explained, LeftOut, ScorePlace, SlicedScore

BYTES: Final = 32 * 1024 * 1024
"""Memory beside that of the run: the parts of all states of a text, and the tensors of a layer."""


@dataclass(frozen=True)
class ScoreInference:
    """Answers scores of the runs of one task."""

    score: Derived[ScoreIn]
    inference: SingleInference

    async def answer(
        self, given: ScoreIn, file: bytes | None, count: Count, on_disconnect: OnDisconnect
    ) -> CachedAnswer:
        """Run a model and take a score of its attention apart."""
        began = time.monotonic()
        checked = self.inference.checked(self.score.input(given, file))
        place = ScorePlace(given.kind, given.layer, given.head, given.row, given.column)
        key = "score", checked.key, place
        if (cached := self.inference.cache.get(key)) is not None:
            return CachedAnswer(cached, hit=True)
        request = await self.inference.with_content(checked, on_disconnect)
        engine = self.inference.engine
        folder = self.inference.models.catalogue.stored(checked.model)
        sliced = SlicedScore(folder, place, lambda: engine.waiting > 0)
        run = SlicedRun(checked.model, request, sliced, _bytes, began)
        async with aclosing(slices(engine, run, count, on_disconnect)) as parts:
            async for _ in parts:
                pass
        answer = _rendered(sliced.result)
        self.inference.cache.put(key, answer)
        return CachedAnswer(answer, hit=False)


def _bytes(size: TraceSize) -> int:
    return work_bytes(size, "weights") + BYTES


def _rendered(explained: Explained) -> bytes:
    split, cells = explained.split, explained.cells
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
            left_out=_words(explained.words),
            written=_words(explained.written),
            cells=None if cells is None else [cell.change or 0.0 for cell in cells],
            remainder=None if split else explained.remainder,
        )
    )


def _words(parts: Sequence[LeftOut] | None) -> list[LeftOutWordOut] | None:
    if parts is None:
        return None
    return [LeftOutWordOut(word=word, change=change) for word, change in parts]
