"""The score of one cell, taken apart: exactly where it splits, else by leaving words out.

The states of a Transformer are sums, so that its scores split (`split.py`). Those of a recurrent
network are not: there each word of the input is left out in turn, the output is forced once more,
and what these changes do not add up to is the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.config import TransformerConfig
from heed.models.errors import InputError
from heed.models.families import network_of
from heed.models.generation.pipeline import Batch, GenerationPipeline
from heed.models.generation.protocol import AnyPipeline, Between, Pipeline, Progress
from heed.models.generation.requests import Request
from heed.models.generation.size import TraceSize
from heed.models.runtime.protocol import EncodeOptions
from heed.models.scores.split import Split, TransformerSplit
from heed.models.text.tokenizer import START
from heed.models.trace import AttentionMap, MapKind, ModelStamp, TokenAxis, Trace

MOST_ROWS: Final = 4_000
"""Forced steps of all shortened inputs: about a second of a translator."""
TOKENS_AT_ONCE: Final = 2048
"""Tokens of the inputs that are read together: an encoder keeps some ten kilobytes of each."""


class ScorePlace(NamedTuple):
    """The cell whose score is taken apart. Rows and columns are tokens, counted from 0."""

    kind: MapKind
    layer: int
    head: int
    row: int
    column: int


class LeftOutWord(NamedTuple):
    """A word of the input, and the part of the score that is gone without it."""

    word: int  # of the axis that is read
    change: float | None  # None for the word of the key itself


class Explained(NamedTuple):
    """A score with its parts: either a split, or the words that were left out."""

    model: ModelStamp
    place: ScorePlace
    score: float
    split: Split | None = None
    left_out: tuple[LeftOutWord, ...] = ()

    @property
    def remainder(self) -> float:
        """The score without the changes: it is the sum of both."""
        return self.score - sum(word.change or 0.0 for word in self.left_out)


def explaining(folder: Path | None, place: ScorePlace) -> Callable[[AnyPipeline], AnyPipeline]:
    """Return what makes a pipeline answer with a score taken apart; `folder` has its weights."""

    def through(pipeline: AnyPipeline) -> AnyPipeline:
        if folder is None or not isinstance(pipeline, GenerationPipeline):
            message = f"The scores of {pipeline.card.id} cannot be taken apart."
            raise InputError("scores_not_supported", message, "model")
        return _ExplainingPipeline(pipeline, folder, place)

    return through


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
        batch = self._pipeline.batch(prepared)
        return _ExplainedBatch(batch, self._explained)

    def _explained(self, trace: Trace, between: Between | None) -> Explained:
        return explained(self._pipeline, self._folder, trace, self._place, between)


class _ExplainedBatch:
    """A batch whose traces are taken as far as their score."""

    def __init__(
        self, batch: Batch[Any], explain: Callable[[Trace, Between | None], Explained]
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
        return self._explain(self._batch.trace(place, between_steps), between_steps)


def explained(
    pipeline: GenerationPipeline[Any],
    folder: Path,
    trace: Trace,
    place: ScorePlace,
    between: Between | None = None,
) -> Explained:
    """Take a score of a trace apart, or raise `InputError`. `between` may raise to abort."""
    attention = _map(trace, place)
    score = float(attention.scores[place.row, place.column])
    source = trace.source
    if not np.isfinite(score) or not isinstance(source, TokenAxis):
        raise InputError("out_of_range", "This key was masked: it has no score.", "column")
    network = network_of(folder)
    if isinstance(network, TransformerConfig):
        read, wrote = (
            [token.id for token in axis.tokens] for axis in (source, trace.output.tokens)
        )
        split = TransformerSplit(folder, network).split(read, wrote, *place)
        return Explained(trace.model, place, split.score, split)
    words = tuple(_left_out(pipeline, trace, source, place, score, between or (lambda: None)))
    return Explained(trace.model, place, score, left_out=words)


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


def _left_out(
    pipeline: GenerationPipeline[Any],
    trace: Trace,
    source: TokenAxis,
    place: ScorePlace,
    score: float,
    between: Between,
) -> Iterator[LeftOutWord]:
    """Yield each word of the input with the change of the score that it makes."""
    tokens = [token.id for token in trace.output.tokens.tokens[: place.row]]
    words = {
        word: [at for at, token in enumerate(source.tokens) if token.word == word]
        for word in sorted({token.word for token in source.tokens if not token.special})
    }
    if len(words) < 2:  # nothing would be left to read
        return
    rows = len(words) * (len(tokens) + 1)
    if rows > MOST_ROWS:
        message = (
            f"This score would take about {rows:,} steps of the model, more than {MOST_ROWS:,}. "
            "Choose an earlier row, or shorten the text."
        )
        raise InputError("out_of_range", message, "row")
    others = [word for word, places in words.items() if place.column not in places]
    changed: dict[int, float] = {}
    at_once = max(1, TOKENS_AT_ONCE // len(source))
    for first in range(0, len(others), at_once):
        some = others[first : first + at_once]
        inputs = [
            [token.id for at, token in enumerate(source.tokens) if at not in words[word]]
            for word in some
        ]
        keys = [place.column - sum(at < place.column for at in words[word]) for word in some]
        scores = _scores(pipeline, inputs, tokens, keys, place, between)
        changed |= {word: score - without for word, without in zip(some, scores, strict=True)}
    for word in words:
        yield LeftOutWord(word, changed.get(word))


def _scores(
    pipeline: GenerationPipeline[Any],
    inputs: Sequence[Sequence[int]],
    tokens: Sequence[int],
    keys: Sequence[int],
    place: ScorePlace,
    between: Between,
) -> list[float]:
    """Force the first tokens of an output for each input; return the scores of its keys."""
    runtime = pipeline.runtime
    group = next(
        at
        for at, heads in enumerate(runtime.step_groups)
        if (heads.kind, heads.layer) == (place.kind, place.layer)
    )
    state = runtime.encode(inputs, EncodeOptions(by_tiles=False)).state
    rows = np.arange(len(inputs))
    for last in (START, *tokens):
        step, state = runtime.step(state, rows, np.full(len(rows), last))
        between()
    scores = step.attended[group].scores[:, place.head]
    return [float(scores[row, key]) for row, key in enumerate(keys)]
