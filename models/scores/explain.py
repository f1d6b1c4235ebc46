"""The score of one cell, taken apart: exactly where it splits, else by leaving parts out.

The states of a Transformer are sums, so that its scores split (`split.py`). Those of a recurrent
network are not: there each word of the input is left out in turn, the output is forced once more,
and what these changes do not add up to is the remainder. A decoder that looks at a picture has read
the words that it wrote, and the cells: each cell is taken from all rows before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.config import (
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
)
from heed.models.edits.rows import RowEdit
from heed.models.errors import InputError
from heed.models.families import network_of
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.sliced import Sliced
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, MapEdit
from heed.models.runtime.feature_cache import ReadsPictures
from heed.models.runtime.protocol import EncodeOptions, Runtime
from heed.models.scores.split import CaptionerSplit, Split, TransformerSplit
from heed.models.text.tokenizer import START
from heed.models.trace import AttentionMap, MapKind, ModelStamp, TokenAxis, Trace

MOST_ROWS: Final = 4_000
"""Forced steps of all runs without a part: about a second of a translator."""
TOKENS_AT_ONCE: Final = 2048
"""Tokens of the inputs that are read together: an encoder keeps some ten kilobytes of each."""
PICTURES_AT_ONCE: Final = 28  # of a decoder, which keeps some 200 kilobytes of each
ROWS_AT_ONCE: Final = 1024
"""Forced steps between two places where others may run, a quarter of a second at most. Nothing is
held there but the changes so far."""


class ScorePlace(NamedTuple):
    """The cell whose score is taken apart. Rows and columns are tokens, counted from 0."""

    kind: MapKind
    layer: int
    head: int
    row: int
    column: int


class LeftOut(NamedTuple):
    """A word or a cell, and the part of the score that is gone without it."""

    part: int  # of the axis that is read, or that is written
    change: float | None  # None for the word of the key itself


class Explained(NamedTuple):
    """A score with its parts: either a split, or what was left out."""

    model: ModelStamp
    place: ScorePlace
    score: float
    split: Split | None = None
    words: tuple[LeftOut, ...] | None = None  # of the input
    written: tuple[LeftOut, ...] | None = None  # words of a caption before
    cells: tuple[LeftOut, ...] | None = None  # of a picture, taken from all rows before

    @property
    def remainder(self) -> float:
        """The score without the changes: it is the sum of both."""
        parts = (*(self.words or ()), *(self.written or ()), *(self.cells or ()))
        return self.score - sum(part.change or 0.0 for part in parts)


class SlicedScore(Sliced):
    """A score that is taken apart; `folder` has the weights of the model."""

    def __init__(
        self, folder: Path | None, place: ScorePlace, waits: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__(waits)
        self._folder, self._place = folder, place
        self._total = 0
        self._result: Explained | None = None

    @property
    def total(self) -> int:
        """The forced steps of all runs without a part."""
        return self._total

    @property
    def result(self) -> Explained:
        """The score with its parts, which must have ended."""
        if self._result is None:
            raise ValueError("the score is not taken apart yet")
        return self._result

    def _refusal(self, model: str) -> InputError:
        return _refusal(model)

    def _steps(
        self, pipeline: GenerationPipeline[Any], prepared: Any
    ) -> Generator[bool, None, None]:
        if self._folder is None:
            raise _refusal(pipeline.card.id)
        batch = pipeline.batch([prepared])
        for _ in batch.steps():
            yield False
        runtime, source = pipeline.runtime, prepared.source
        begun = begin(self._folder, batch.trace(0), self._place, runtime, source)
        if isinstance(begun, LeavingOut):
            del batch  # others run between the slices
            self._total = begun.rows
            yield True
            yield from begun.steps()
            begun = begun.result()
        self._result = begun


def _refusal(model: str) -> InputError:
    message = f"The scores of {model} cannot be taken apart."
    return InputError("scores_not_supported", message, "model")


def begin(
    folder: Path, trace: Trace, place: ScorePlace, runtime: Runtime[Any], source: Any
) -> Explained | LeavingOut:
    """Take a score of a trace apart, or begin to leave parts out; or raise `InputError`.

    `source` is the input as the runtime encodes it.
    """
    attention = _map(trace, place)
    score = float(attention.scores[place.row, place.column])
    if not np.isfinite(score):
        raise InputError("out_of_range", "This key was masked: it has no score.", "column")
    network, wrote = network_of(folder), [token.id for token in trace.output.tokens.tokens]
    match network:
        case TransformerConfig():
            split = TransformerSplit(folder, network).split(source, wrote, *place)
            return Explained(trace.model, place, split.score, split)
        case TransformerCaptionerConfig() if isinstance(runtime, ReadsPictures):
            (cells,) = runtime.features.of([source])
            split = CaptionerSplit(folder, network).split(cells, wrote, *place)
            return Explained(trace.model, place, split.score, split)
        case RecurrentConfig() | RecurrentCaptionerConfig():
            return LeavingOut(trace, place, score, runtime, source)
    raise _refusal(trace.model.id)


class _Shortened(NamedTuple):
    """A run without a part, up to the row of the score."""

    field: str  # of `Explained`
    part: int
    source: Any
    tokens: Sequence[int]  # of the output, before the row
    key: int  # the place of the column in what is read
    plan: EditPlan | None = None


class LeavingOut:
    """The parts that are left out in turn, some of them together.

    It holds no part of the trace but its tokens.
    """

    def __init__(
        self, trace: Trace, place: ScorePlace, score: float, runtime: Runtime[Any], source: Any
    ) -> None:
        self._model, self._place, self._score = trace.model, place, score
        self._runtime, self._source = runtime, source
        self._group = next(
            at
            for at, heads in enumerate(runtime.step_groups)
            if (heads.kind, heads.layer) == (place.kind, place.layer)
        )
        wrote, axis = trace.output.tokens, trace.source
        self._wrote = [token.id for token in wrote.tokens[: place.row]]
        self._parts: dict[str, dict[int, float | None]]
        if isinstance(axis, TokenAxis):
            words = _places(axis, len(axis))
            self._parts = {"words": dict.fromkeys(words if len(words) > 1 else ())}
            self._runs = list(self._without_words(words if len(words) > 1 else {}))
            self._at_once = TOKENS_AT_ONCE // len(source)
        else:
            self._parts = {"written": {}, "cells": {}}
            before = _places(wrote, place.row)
            self._runs = [*self._without_written(before), *self._without_cells(len(axis))]
            self._at_once = PICTURES_AT_ONCE
        if self.rows > MOST_ROWS:
            message = (
                f"This score would take about {self.rows:,} steps of the model, more than "
                f"{MOST_ROWS:,}. Choose an earlier row, or shorten the text."
            )
            raise InputError("out_of_range", message, "row")

    @property
    def rows(self) -> int:
        """The forced steps of all runs without a part."""
        count = max(len(self._parts.get("words", ())), len(self._runs))
        return count * (len(self._wrote) + 1)

    def steps(self) -> Iterator[bool]:
        """Leave out part after part. Yields after each step, and true between two groups."""
        room = min(self._at_once, ROWS_AT_ONCE // (len(self._wrote) + 1))
        at_once = max(1, room)
        for first in range(0, len(self._runs), at_once):
            some = self._runs[first : first + at_once]
            scores = yield from self._scores(some)
            for run, score in zip(some, scores, strict=True):
                self._parts[run.field][run.part] = self._score - score
            yield True

    def result(self) -> Explained:
        """Return the score with the change that each part makes."""
        fields: dict[str, Any] = {
            field: tuple(LeftOut(part, change) for part, change in parts.items())
            for field, parts in self._parts.items()
        }
        return Explained(self._model, self._place, self._score, **fields)

    def _without_words(self, words: dict[int, list[int]]) -> Iterator[_Shortened]:
        """Yield the run without each word of the input, but the one of the key."""
        column = self._place.column
        for word, places in words.items():
            if column not in places:
                source = [token for at, token in enumerate(self._source) if at not in places]
                key = column - sum(at < column for at in places)
                yield _Shortened("words", word, source, self._wrote, key)

    def _without_written(self, words: dict[int, list[int]]) -> Iterator[_Shortened]:
        """Yield the run without each word of the output that was written before."""
        for word, places in words.items():
            tokens = [token for at, token in enumerate(self._wrote) if at not in places]
            yield _Shortened("written", word, self._source, tokens, self._place.column)

    def _without_cells(self, cells: int) -> Iterator[_Shortened]:
        """Yield the run in which each cell is taken from all rows before, where that can be."""
        group = self._runtime.step_groups[self._group]
        if not self._place.row or self._runtime.editing.refusal:
            return
        for cell in range(cells):
            plan = _blocked_before(group, self._place.row, cell)
            key = self._place.column
            yield _Shortened("cells", cell, self._source, self._wrote, key, plan)

    def _scores(self, runs: Sequence[_Shortened]) -> Generator[bool, None, list[float]]:
        """Force the output of each run up to the row; return the scores of their keys."""
        plans = [run.plan for run in runs] if any(run.plan for run in runs) else ()
        options = EncodeOptions(by_tiles=False, edits=plans)
        state = self._runtime.encode([run.source for run in runs], options).state
        rows = np.arange(len(runs))
        scores = np.zeros(len(runs))
        for at in range(max(len(run.tokens) for run in runs) + 1):
            # A run with fewer words, whose score is known, goes on with any.
            last = [run.tokens[at - 1] if 0 < at <= len(run.tokens) else START for run in runs]
            step, state = self._runtime.step(state, rows, np.array(last))
            newest = step.attended[self._group].scores[:, self._place.head]
            for row, run in enumerate(runs):
                if at == len(run.tokens):
                    scores[row] = newest[row, run.key]
            yield False
        return scores.tolist()


def _places(axis: TokenAxis, count: int) -> dict[int, list[int]]:
    """Return the places of the tokens of each word, among the first of an axis."""
    tokens = axis.tokens[:count]
    words = sorted({token.word for token in tokens if not token.special})
    return {word: [at for at, token in enumerate(tokens) if token.word == word] for word in words}


def _blocked_before(group: MapGroup, row: int, cell: int) -> EditPlan:
    """Return the plan that takes a cell from all rows before one."""
    edit = RowEdit("block", np.array([cell], np.int32))
    heads, before = frozenset(range(group.heads)), frozenset(range(row))
    layers = frozenset([group.layer])
    return EditPlan([MapEdit(group.kind, group.key, layers, heads, before, edit)])


def _map(trace: Trace, place: ScorePlace) -> AttentionMap:
    """Return the map of a place, or raise `InputError` if it does not exist."""
    kind, layer, head, row, column = place
    of_kind = [attention for attention in trace.output.maps if attention.kind == kind]
    if not of_kind:
        raise InputError("out_of_range", f"{trace.model.id} has no map of this kind.", "kind")
    of_layer = [attention for attention in of_kind if attention.layer == layer]
    if not of_layer:
        raise InputError("out_of_range", f"{trace.model.id} has no layer {layer}.", "layer")
    own = next((attention for attention in of_layer if attention.head == head), None)
    if own is None:
        raise InputError("out_of_range", f"{trace.model.id} has no head {head}.", "head")
    for name, value, count in zip(("row", "column"), (row, column), own.scores.shape, strict=True):
        if value >= count:
            raise InputError("out_of_range", f"The map has {count} {name}s, from 0.", name)
    return own
