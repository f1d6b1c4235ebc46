"""The score of one cell, taken apart: exactly where it splits, else by leaving parts out.

The states of a Transformer are sums, so that its scores split (`split.py`). Those of a recurrent
network are not: there each word of the input is left out in turn, the output is forced once more,
and what these changes do not add up to is the remainder. A decoder that looks at a picture has read
the words that it wrote, and the cells: each cell is taken from all rows before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.config import (
    NetworkConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
)
from heed.models.edits.rows import RowEdit
from heed.models.errors import InputError
from heed.models.families import network_of
from heed.models.generation.pipeline import Batch, GenerationPipeline
from heed.models.generation.protocol import AnyPipeline, Between, Pipeline, Progress
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize
from heed.models.runtime.edited import EditPlan, MapEdit
from heed.models.runtime.protocol import EncodeOptions, ReadsPictures
from heed.models.scores.split import CaptionerSplit, Split, TransformerSplit
from heed.models.text.tokenizer import START
from heed.models.trace import AttentionMap, MapKind, ModelStamp, TokenAxis, Trace

MOST_ROWS: Final = 4_000
"""Forced steps of all runs without a part: about a second of a translator."""
TOKENS_AT_ONCE: Final = 2048
"""Tokens of the inputs that are read together: an encoder keeps some ten kilobytes of each."""
CELLS_AT_ONCE: Final = 28  # runs, each without a cell: an eighth of a picture


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


def explaining(folder: Path | None, place: ScorePlace) -> Callable[[AnyPipeline], AnyPipeline]:
    """Return what makes a pipeline answer with a score taken apart; `folder` has its weights."""

    def through(pipeline: AnyPipeline) -> AnyPipeline:
        if folder is None or not isinstance(pipeline, GenerationPipeline):
            raise _not_supported(pipeline.card.id)
        return _ExplainingPipeline(pipeline, folder, place)

    return through


def _not_supported(model: str) -> InputError:
    message = f"The scores of {model} cannot be taken apart."
    return InputError("scores_not_supported", message, "model")


class _ExplainingPipeline(Pipeline[Any]):
    """Runs a request, and takes one of its scores apart."""

    def __init__(self, pipeline: GenerationPipeline[Any], folder: Path, place: ScorePlace) -> None:
        self.card = pipeline.card
        self._pipeline, self._folder, self._place = pipeline, folder, place

    def prepare(self, request: Request) -> Any:
        return self._pipeline.prepare(request)

    def size(self, prepared: Any, written: int | None = None) -> TraceSize:
        return self._pipeline.size(prepared, written)

    def batch(self, prepared: Sequence[Any]) -> _ExplainedBatch:
        def explain(place: int, trace: Trace, between: Between | None) -> Explained:
            source = prepared[place].source
            return explained(self._pipeline, self._folder, trace, self._place, source, between)

        return _ExplainedBatch(self._pipeline.batch(prepared), explain)


class _ExplainedBatch:
    """A batch whose traces are taken as far as their score."""

    def __init__(
        self, batch: Batch[Any], explain: Callable[[int, Trace, Between | None], Explained]
    ) -> None:
        self._batch, self._explain = batch, explain

    def steps(self) -> Iterator[None]:
        return self._batch.steps()

    def ended(self, place: int) -> bool:
        return self._batch.ended(place)

    def leave_out(self, place: int) -> None:
        self._batch.leave_out(place)

    def progress(self, place: int) -> Progress:
        return self._batch.progress(place)

    def trace(self, place: int, between_steps: Between | None = None, /) -> Any:
        """Return the score, which the job renders instead of a trace."""
        return self._explain(place, self._batch.trace(place, between_steps), between_steps)


def explained(
    pipeline: GenerationPipeline[Any],
    folder: Path,
    trace: Trace,
    place: ScorePlace,
    source: Any,
    between: Between | None = None,
) -> Explained:
    """Take a score of a trace apart, or raise `InputError`. `between` may raise to abort.

    `source` is the input as the runtime encodes it.
    """
    attention = _map(trace, place)
    score = float(attention.scores[place.row, place.column])
    if not np.isfinite(score):
        raise InputError("out_of_range", "This key was masked: it has no score.", "column")
    network = network_of(folder)
    if (split := _split(pipeline, folder, network, trace, place, source)) is not None:
        return Explained(trace.model, place, split.score, split)
    without = _Without(pipeline, trace, place, score, source, between or (lambda: None))
    match network:
        case RecurrentConfig():
            return Explained(trace.model, place, score, words=without.words())
        case RecurrentCaptionerConfig():
            written, cells = without.written(), without.cells()
            return Explained(trace.model, place, score, written=written, cells=cells)
    raise _not_supported(trace.model.id)


def _split(
    pipeline: GenerationPipeline[Any],
    folder: Path,
    network: NetworkConfig,
    trace: Trace,
    place: ScorePlace,
    source: Any,
) -> Split | None:
    """Return the parts of a score of a Transformer; None of other networks."""
    wrote = [token.id for token in trace.output.tokens.tokens]
    if isinstance(network, TransformerConfig):
        return TransformerSplit(folder, network).split(source, wrote, *place)
    if isinstance(network, TransformerCaptionerConfig):
        if not isinstance(pipeline.runtime, ReadsPictures):
            raise _not_supported(trace.model.id)
        (cells,) = pipeline.runtime.features.cells([source.pixels])
        return CaptionerSplit(folder, network).split(cells, wrote, *place)
    return None


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


class _Shortened(NamedTuple):
    """A run without a part, up to the row of the score."""

    source: Any
    tokens: Sequence[int]  # of the output, before the row
    key: int  # the place of the column in what is read
    plan: EditPlan | None = None


class _Without:
    """The changes of a score when parts of what was read are left out."""

    def __init__(
        self,
        pipeline: GenerationPipeline[Any],
        trace: Trace,
        place: ScorePlace,
        score: float,
        source: Any,
        between: Between,
    ) -> None:
        self._runtime, self._trace, self._place = pipeline.runtime, trace, place
        self._score, self._source, self._between = score, source, between
        self._wrote = trace.output.tokens
        self._tokens = [token.id for token in self._wrote.tokens[: place.row]]
        self._group = next(
            at
            for at, heads in enumerate(self._runtime.step_groups)
            if (heads.kind, heads.layer) == (place.kind, place.layer)
        )

    def words(self) -> tuple[LeftOut, ...]:
        """Leave out each word of the input, but the one of the key."""
        axis = self._trace.source
        words = _places(axis, len(axis)) if isinstance(axis, TokenAxis) else {}
        if len(words) < 2:  # nothing would be left to read
            return ()
        column = self._place.column
        runs = {
            word: _Shortened(
                [token for at, token in enumerate(self._source) if at not in places],
                self._tokens,
                column - sum(at < column for at in places),
            )
            for word, places in words.items()
            if column not in places
        }
        changes = self._changes(runs, len(words), max(1, TOKENS_AT_ONCE // len(self._source)))
        return tuple(LeftOut(word, changes.get(word)) for word in words)

    def written(self) -> tuple[LeftOut, ...]:
        """Leave out each word of the output that was written before."""
        words = _places(self._wrote, self._place.row)
        runs = {
            word: _Shortened(
                self._source,
                [token for at, token in enumerate(self._tokens) if at not in places],
                self._place.column,
            )
            for word, places in words.items()
        }
        return self._left_out(runs)

    def cells(self) -> tuple[LeftOut, ...]:
        """Take each cell from all rows before, where that can be done."""
        row, group = self._place.row, self._runtime.step_groups[self._group]
        if not row or self._runtime.editing.refusal:
            return ()

        def without(cell: int) -> EditPlan:
            edit = RowEdit("block", np.array([cell], np.int32))
            heads, before = frozenset(range(group.heads)), frozenset(range(row))
            layers = frozenset([group.layer])
            return EditPlan([MapEdit(group.kind, group.key, layers, heads, before, edit)])

        runs = {
            cell: _Shortened(self._source, self._tokens, self._place.column, without(cell))
            for cell in range(len(self._trace.source))
        }
        return self._left_out(runs)

    def _left_out(self, runs: Mapping[int, _Shortened]) -> tuple[LeftOut, ...]:
        changes = self._changes(runs, len(runs), CELLS_AT_ONCE)
        return tuple(LeftOut(part, change) for part, change in changes.items())

    def _changes(
        self, runs: Mapping[int, _Shortened], count: int, at_once: int
    ) -> dict[int, float]:
        """Return the part of the score that is gone in each of these runs, or raise an error."""
        rows = count * (len(self._tokens) + 1)
        if rows > MOST_ROWS:
            message = (
                f"This score would take about {rows:,} steps of the model, more than "
                f"{MOST_ROWS:,}. Choose an earlier row, or shorten the text."
            )
            raise InputError("out_of_range", message, "row")
        parts = list(runs)
        scores: list[float] = []
        for first in range(0, len(parts), at_once):
            scores += self._scores([runs[part] for part in parts[first : first + at_once]])
        return {part: self._score - score for part, score in zip(parts, scores, strict=True)}

    def _scores(self, runs: Sequence[_Shortened]) -> list[float]:
        """Force the output of each run up to the row; return the scores of their keys."""
        plans = [run.plan for run in runs] if any(run.plan for run in runs) else ()
        options = EncodeOptions(by_tiles=False, edits=plans)
        state = self._runtime.encode([run.source for run in runs], options).state
        rows = np.arange(len(runs))
        last_scores = np.zeros(len(runs))
        for at in range(max(len(run.tokens) for run in runs) + 1):
            # A run with fewer words, whose score is known, goes on with any.
            last = [run.tokens[at - 1] if 0 < at <= len(run.tokens) else START for run in runs]
            step, state = self._runtime.step(state, rows, np.array(last))
            scores = step.attended[self._group].scores[:, self._place.head]
            for row, run in enumerate(runs):
                if at == len(run.tokens):
                    last_scores[row] = scores[row, run.key]
            self._between()
        return last_scores.tolist()


def _places(axis: TokenAxis, count: int) -> dict[int, list[int]]:
    """Return the places of the tokens of each word, among the first of an axis."""
    tokens = axis.tokens[:count]
    words = sorted({token.word for token in tokens if not token.special})
    return {word: [at for at, token in enumerate(tokens) if token.word == word] for word in words}
