"""The score of one cell, taken apart: exactly where it splits, else by leaving words out.

The states of a Transformer are sums, so that its scores split (`split.py`). Those of a recurrent
network are not: there each word of the input is left out in turn, the output is forced once more,
and what these changes do not add up to is the remainder.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.config import TransformerConfig
from heed.models.errors import InputError
from heed.models.families import network_of
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.sliced import Sliced
from heed.models.runtime.protocol import EncodeOptions, Runtime
from heed.models.scores.split import Split, TransformerSplit
from heed.models.text.tokenizer import START
from heed.models.trace import AttentionMap, MapKind, ModelStamp, TokenAxis, Trace

MOST_ROWS: Final = 4_000
"""Forced steps of all shortened inputs: about a second of a translator."""
TOKENS_AT_ONCE: Final = 2048
"""Tokens of the inputs that are read together: an encoder keeps some ten kilobytes of each."""
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
        """The forced steps of all shortened inputs."""
        return self._total

    @property
    def result(self) -> Explained:
        """The score with its parts, which must have ended."""
        if self._result is None:
            raise ValueError("the score is not taken apart yet")
        return self._result

    def _refusal(self, model: str) -> InputError:
        message = f"The scores of {model} cannot be taken apart."
        return InputError("scores_not_supported", message, "model")

    def _steps(self, pipeline: GenerationPipeline[Any], prepared: Any) -> Iterator[bool]:
        if self._folder is None:
            raise self._refusal(pipeline.card.id)
        batch = pipeline.batch([prepared])
        for _ in batch.steps():
            yield False
        begun = begin(self._folder, batch.trace(0), self._place)
        if isinstance(begun, LeavingOut):
            del batch  # others run between the slices
            self._total = begun.rows
            yield True
            yield from begun.steps(pipeline.runtime)
            begun = begun.result()
        self._result = begun


def begin(folder: Path, trace: Trace, place: ScorePlace) -> Explained | LeavingOut:
    """Take a score of a trace apart, or begin to leave words out; or raise `InputError`."""
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
    return LeavingOut(trace, source, place, score)


class LeavingOut:
    """The words of an input that are left out in turn, some of them together.

    It holds no part of the trace but its tokens.
    """

    def __init__(self, trace: Trace, source: TokenAxis, place: ScorePlace, score: float) -> None:
        self._model, self._place, self._score = trace.model, place, score
        self._read = [token.id for token in source.tokens]
        self._wrote = [token.id for token in trace.output.tokens.tokens[: place.row]]
        words = {
            word: [at for at, token in enumerate(source.tokens) if token.word == word]
            for word in sorted({token.word for token in source.tokens if not token.special})
        }
        self._words = words if len(words) > 1 else {}  # else nothing would be left to read
        self._changed: dict[int, float] = {}
        if self.rows > MOST_ROWS:
            message = (
                f"This score would take about {self.rows:,} steps of the model, more than "
                f"{MOST_ROWS:,}. Choose an earlier row, or shorten the text."
            )
            raise InputError("out_of_range", message, "row")

    @property
    def rows(self) -> int:
        """The forced steps of all shortened inputs."""
        return len(self._words) * (len(self._wrote) + 1)

    def steps(self, runtime: Runtime[Any]) -> Iterator[bool]:
        """Leave out word after word. Yields after each step, and true between two groups."""
        column = self._place.column
        others = [word for word, places in self._words.items() if column not in places]
        room = min(TOKENS_AT_ONCE // len(self._read), ROWS_AT_ONCE // (len(self._wrote) + 1))
        at_once = max(1, room)
        for first in range(0, len(others), at_once):
            some = others[first : first + at_once]
            without = yield from self._scores(runtime, some)
            self._changed |= {
                word: self._score - score for word, score in zip(some, without, strict=True)
            }
            yield True

    def result(self) -> Explained:
        """Return the score with the change that each word makes."""
        left_out = tuple(LeftOutWord(word, self._changed.get(word)) for word in self._words)
        return Explained(self._model, self._place, self._score, left_out=left_out)

    def _scores(
        self, runtime: Runtime[Any], words: Sequence[int]
    ) -> Generator[bool, None, list[float]]:
        """Force the tokens for the input without each word; return the scores of its keys."""
        place = self._place
        places = [self._words[word] for word in words]
        inputs = [[token for at, token in enumerate(self._read) if at not in own] for own in places]
        keys = [place.column - sum(at < place.column for at in own) for own in places]
        group = next(
            at
            for at, heads in enumerate(runtime.step_groups)
            if (heads.kind, heads.layer) == (place.kind, place.layer)
        )
        state = runtime.encode(inputs, EncodeOptions(by_tiles=False)).state
        rows = np.arange(len(inputs))
        for last in (START, *self._wrote):
            step, state = runtime.step(state, rows, np.full(len(rows), last))
            yield False
        scores = step.attended[group].scores[:, place.head]
        return [float(scores[row, key]) for row, key in enumerate(keys)]


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
