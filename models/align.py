"""Word alignments read off attention, against links that people made.

Precision, recall and alignment error rate are those of Och and Ney (2003): with sure links S,
possible links P ⊇ S and the links A of a map, precision is |A∩P| / |A|, recall |A∩S| / |S|, and
AER = 1 - (|A∩S| + |A∩P|) / (|A| + |S|).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from heed.models.heads import Links, words_of
from heed.models.trace import AttentionMap, Floats, TokenAxis, Trace

SHIFTS: Final = (0, -1, 1)
"""Rows by which a map may be late or early."""
DRIFTS: Final = 0.05
"""AER by which a shift must be better to be called a drift."""


class Gold(NamedTuple):
    """The links of a pair of texts; `possible` has the sure ones, too."""

    sure: Links
    possible: Links


class Alignment(NamedTuple):
    """A head's links over all pairs. Without a head, it is the mean of the heads of a layer."""

    layer: int
    head: int | None
    shift: int  # -1: the links stand in the row before that of their word; 1: in the one behind
    precision: float
    recall: float
    error: float  # AER
    links: int

    @property
    def drifts(self) -> bool:
        """Return true if its rows are not those of their words."""
        return self.shift != 0


class Counts(NamedTuple):
    """Links of a map, counted over pairs."""

    made: int = 0
    sure: int = 0
    right: int = 0  # made and sure
    possible: int = 0  # made and possible

    def plus(self, links: Links, gold: Gold) -> Counts:
        """Return the counts with one more pair."""
        return Counts(
            self.made + len(links),
            self.sure + len(gold.sure),
            self.right + len(links & gold.sure),
            self.possible + len(links & gold.possible),
        )

    @property
    def error(self) -> float:
        """The alignment error rate."""
        total = self.made + self.sure
        return 1 - (self.right + self.possible) / total if total else 0.0


def alignments(traces: Sequence[Trace], golds: Sequence[Gold]) -> list[Alignment]:
    """Return the alignment of each head and of each layer's mean, the least error first.

    Each has the shift of its rows with the least error; another than 0 only if that is clearly
    better.
    """
    counts: dict[tuple[int, int | None], dict[int, Counts]] = {}
    for trace, gold in zip(traces, golds, strict=True):
        source, target = trace.source, trace.output.target
        if not (isinstance(source, TokenAxis) and isinstance(target, TokenAxis)):
            raise TypeError("links are between the words of two texts")
        for place, weights in _maps(trace):
            of = counts.setdefault(place, dict.fromkeys(SHIFTS, Counts()))
            for shift in SHIFTS:
                links = links_of(weights, source, target, shift)
                of[shift] = of[shift].plus(links, gold)
    return sorted(
        (_alignment(*place, by_shift) for place, by_shift in counts.items()),
        key=lambda alignment: alignment.error,
    )


def links_of(weights: Floats, source: TokenAxis, target: TokenAxis, shift: int = 0) -> Links:
    """Link each word of the output to the word of the input that it looks at most.

    With a shift, the rows of a word are those so many further on.
    """
    keys = words_of(source)
    links = set()
    for place, tokens in enumerate(words_of(target)):
        rows = [row for token in tokens if 0 <= (row := token + shift) < len(weights)]
        if rows and keys:
            row = weights[rows].mean(axis=0)
            links.add((int(np.argmax([row[columns].sum() for columns in keys])), place))
    return frozenset(links)


def landed(trace: Trace, alignment: Alignment, words: Iterable[int]) -> list[int]:
    """Return the words of the output that are linked to these words of the input."""
    weights = next(
        weights for place, weights in _maps(trace) if place == (alignment.layer, alignment.head)
    )
    source, target = trace.source, trace.output.tokens
    if not isinstance(source, TokenAxis):
        raise TypeError("links are between the words of two texts")
    links = links_of(weights, source, target, alignment.shift)
    wanted = set(words)
    return sorted(place for key, place in links if key in wanted)


def _maps(trace: Trace) -> Iterable[tuple[tuple[int, int | None], Floats]]:
    """Yield the maps of cross-attention by layer and head, and the mean of layers of several."""
    layers: dict[int, list[AttentionMap]] = {}
    for attention in trace.output.maps:
        if attention.kind == "cross" and attention.key == "source":
            layers.setdefault(attention.layer, []).append(attention)
    for layer, maps in layers.items():
        for attention in maps:
            yield (layer, attention.head), attention.weights
        if len(maps) > 1:
            mean: Floats = np.mean([attention.weights for attention in maps], axis=0)
            yield (layer, None), mean


def _alignment(layer: int, head: int | None, by_shift: dict[int, Counts]) -> Alignment:
    shift = min(SHIFTS, key=lambda rows: by_shift[rows].error)
    if by_shift[shift].error > by_shift[0].error - DRIFTS:
        shift = 0
    made, sure, right, possible = counts = by_shift[shift]
    return Alignment(
        layer,
        head,
        shift,
        possible / made if made else 0.0,
        right / sure if sure else 0.0,
        counts.error,
        made,
    )
