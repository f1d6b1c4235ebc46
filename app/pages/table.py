"""A trace as a plain table, with numbers in its cells.

There is a row for each word of the output. A story, whose sentences are long, has a row for each
sentence and a column for each hop. A graph has a row for each node. Glimpses have the belief after
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heed.app.schemas import (
    ClassAxisOut,
    GlimpseAxisOut,
    GraphAxisOut,
    GridAxisOut,
    HopAxisOut,
    MapOut,
    SentenceAxisOut,
    TokenAxisOut,
    TraceOut,
)
from heed.models.card import READ
from heed.models.trace import glimpse_names, hop_names

MARKS = {"</s>": "⟨end⟩", "<s>": "⟨start⟩"}
BLANK = "␣"
EMPTY = "⟨no sentence⟩"
"""The empty sentence before a story."""
STRONGEST = 3
"""Cells of a picture that are named for each word."""
MOST_OF_NAME = 1_000
"""Characters of a heading, of which several may name the same long part of a text."""
MOST_CLASSES = 64
"""Classes whose probabilities after each glimpse are given."""

Matrix = npt.NDArray[np.float64]


class Table(NamedTuple):
    """Headings of the columns, rows with their headings, and the largest weight."""

    columns: list[str]
    rows: list[tuple[str, list[float] | list[str]]]
    largest: float


def table_of(trace: TraceOut, *, characters: bool = False) -> Table | None:
    """The weights of each output word, a mean over the heads of the last layer.

    None for a model without attention. Of a picture only the strongest cells are given.
    """
    if isinstance(trace.target, GlimpseAxisOut):
        return _belief_table(trace)
    if trace.task == READ and isinstance(trace.target, TokenAxisOut):
        return _reading_table(trace.target, trace.maps)
    weights = cross_weights(trace.maps)
    if weights is None:
        return None
    if isinstance(trace.target, ClassAxisOut) or isinstance(trace.source, GraphAxisOut):
        return _graph_table(trace, weights)
    if isinstance(trace.target, HopAxisOut) or isinstance(trace.source, SentenceAxisOut):
        return _story_table(trace, weights)
    headings, belongs = _units(trace.target, characters=characters)
    weights = (belongs / belongs.sum(axis=0)).T @ weights
    if isinstance(trace.source, GridAxisOut):
        weights = weights[:, len(trace.source.marks or ()) :]
        chances = np.asarray([step.probability for step in trace.steps])
        columns, cells = (
            ["probability", "strongest cells"],
            [
                [
                    f"{chances[word > 0].prod():.2f}" if len(chances) else "",
                    _strongest(row, trace.source.columns),
                ]
                for row, word in zip(weights, belongs.T, strict=True)
            ],
        )
        return Table(columns, list(zip(headings, cells, strict=True)), float(weights.max()))
    columns, merged = _units(trace.source, characters=characters)
    weights = weights @ merged
    return Table(columns, list(zip(headings, weights.tolist(), strict=True)), float(weights.max()))


def cross_weights(maps: Sequence[MapOut]) -> Matrix | None:
    """The weights from output to input, the mean of the heads of the last layer; None without."""
    cross = [
        one
        for one in maps
        if one.kind in ("cross", "rollout") and (one.query, one.key) == ("target", "source")
    ]
    last = max((one.layer for one in cross), default=0)
    heads = [one.weights for one in cross if one.layer == last]
    if not heads or not heads[0] or not heads[0][0]:
        return None
    weights: Matrix = sum(map(np.asarray, heads), np.zeros(())) / len(heads)
    return weights


def _story_table(trace: TraceOut, weights: Matrix) -> Table | None:
    """A row for each sentence, a column for each hop."""
    if not isinstance(trace.source, SentenceAxisOut) or not len(weights):
        return None
    names = [EMPTY if each.special else each.text for each in trace.source.sentences]
    return Table(
        list(hop_names(len(weights))),
        list(zip(names, weights.T.tolist(), strict=True)),
        float(weights.max()),
    )


def _graph_table(trace: TraceOut, weights: Matrix) -> Table | None:
    """A row for each node: the class that was found, its probability, and the strongest nodes."""
    if not isinstance(trace.target, ClassAxisOut) or not isinstance(trace.source, GraphAxisOut):
        return None
    chances = [f"{step.probability:.2f}" for step in trace.steps] or [""] * len(weights)
    names = [node.text[:MOST_OF_NAME] for node in trace.source.nodes]
    read = (
        "; ".join(
            f"{names[place]}: {row[place]:.2f}"
            for place in np.argsort(-row, kind="stable")[:STRONGEST].tolist()
            if row[place] > 0
        )
        for row in weights
    )
    found = zip(trace.target.classes, chances, read, strict=True)
    return Table(
        ["class", "probability", "reads most from"],
        list(zip(names, map(list, found), strict=True)),
        float(weights.max()),
    )


def _reading_table(target: TokenAxisOut, maps: Sequence[MapOut]) -> Table | None:
    """A row for each word, a column for the start and each word before."""
    headings, _ = _units(target, characters=False)
    weights = np.asarray(maps[0].weights if maps else ())
    if not headings or weights.shape != (len(headings), len(headings)):
        return None
    columns = [MARKS["<s>"], *headings[:-1]]
    return Table(columns, list(zip(headings, weights.tolist(), strict=True)), float(weights.max()))


def _belief_table(trace: TraceOut) -> Table | None:
    """A row for each glimpse, a column for each class, and the probabilities in them."""
    beliefs = [{one.text: one.probability for one in step.alternatives} for step in trace.steps]
    classes = sorted(beliefs[0])[:MOST_CLASSES] if beliefs else []
    if not classes:
        return None
    rows = [[belief.get(name, 0.0) for name in classes] for belief in beliefs]
    names = glimpse_names(len(rows))
    return Table(classes, list(zip(names, rows, strict=True)), max(map(max, rows)))


def _units(axis: TokenAxisOut, *, characters: bool) -> tuple[list[str], Matrix]:
    """The headings of an axis, and which of its tokens (rows) belong to which of them (columns)."""
    places = [at if characters else token.word for at, token in enumerate(axis.tokens)]
    kept = sorted(set(places))
    units = [(axis.tokens if characters else axis.words)[place] for place in kept]
    headings = [
        MARKS.get(unit.text, unit.text)
        if unit.special
        else axis.text[unit.start : min(unit.end, unit.start + MOST_OF_NAME)].strip() or BLANK
        for unit in units
    ]
    return headings, 1.0 * np.equal.outer(places, kept)


def _strongest(row: Matrix, columns: int) -> str:
    places = np.argsort(-row, kind="stable")[:STRONGEST].tolist()
    named = ((*divmod(place, columns), row[place]) for place in places)
    return "; ".join(f"row {y + 1}, column {x + 1}: {weight:.2f}" for y, x, weight in named)
