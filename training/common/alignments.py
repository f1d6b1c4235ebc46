"""Agreement of attention with word alignments: strongest weights on linked words.

The links come as JSON lines with `source_text`, `target_text`, their lower-cased tokens `source`
and `target`, and `links` of [source, target] places. The model writes the target text
(forced decoding), and its weights are merged onto the tokens of the file: summed over source
pieces, averaged over target pieces.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heed.models.trace import Floats, TokenAxis

Span = tuple[int, int]
SIDES = ("source", "target")


@dataclass(frozen=True, slots=True)
class Linked:
    """Two sentences, the spans of their words, and the links between them."""

    source_text: str
    target_text: str
    source: tuple[Span, ...]
    target: tuple[Span, ...]
    links: frozenset[tuple[int, int]]
    set: str = ""

    def turned(self) -> Linked:
        """Return the links in the other direction."""
        links = frozenset((written, read) for read, written in self.links)
        return Linked(self.target_text, self.source_text, self.target, self.source, links, self.set)


def read_links(path: Path) -> Iterator[Linked]:
    """Read the linked sentences of a file; a missing text is joined from the tokens."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        source, target = (row.get(f"{side}_text") or " ".join(row[side]) for side in SIDES)
        yield Linked(
            source,
            target,
            spans(source, row["source"]),
            spans(target, row["target"]),
            frozenset((read, written) for read, written in row["links"]),
            row.get("set", ""),
        )


def spans(text: str, tokens: Sequence[str]) -> tuple[Span, ...]:
    """Return the spans of consecutive tokens in a text, ignoring case."""
    folded = text.lower()
    ranges, place = [], 0
    for token in tokens:
        start = folded.find(token.lower(), place)
        if start < 0:
            raise ValueError(f"{token!r} is not in {text!r}")
        place = start + len(token)
        ranges.append((start, place))
    return tuple(ranges)


def merge(weights: Floats, source: TokenAxis, target: TokenAxis, linked: Linked) -> Floats:
    """Merge weights onto words: target rows, source columns and one for the stop token."""
    columns = word_indices(source, linked.source)
    rows = word_indices(target, linked.target)
    read = np.zeros((len(weights), len(linked.source) + 1), dtype=np.float32)
    for token, word in enumerate(columns):
        read[:, word] += weights[:, token]
    merged = np.zeros((len(linked.target), read.shape[1]), dtype=np.float32)
    for word in range(len(linked.target)):
        mine = [token for token, owner in enumerate(rows) if owner == word]
        if mine:
            merged[word] = read[mine].mean(axis=0)
    return merged


def word_indices(axis: TokenAxis, words: Sequence[Span]) -> list[int]:
    """Return the word of each token by largest overlap; the stop token gets a last index."""
    indices = []
    for token in axis.tokens:
        shared = [min(token.end, end) - max(token.start, start) for start, end in words]
        best = int(np.argmax(shared)) if shared else 0
        indices.append(len(words) if token.special or not words or shared[best] <= 0 else best)
    return indices


@dataclass(slots=True)
class Agreement:
    """Counts of linked target words, and of those whose strongest weight is on a linked word."""

    linked: int = 0
    agreed: int = 0

    def add(self, merged: Floats, links: frozenset[tuple[int, int]]) -> None:
        """Count one sentence."""
        for target in sorted({target for _, target in links}):
            self.linked += 1
            self.agreed += (int(merged[target].argmax()), target) in links

    @property
    def rate(self) -> float:
        """Share that agrees."""
        return self.agreed / max(self.linked, 1)


def combined(agreements: Iterable[Agreement]) -> Agreement:
    """Add up the counts of several sets."""
    every = list(agreements)
    return Agreement(
        sum(agreement.linked for agreement in every), sum(agreement.agreed for agreement in every)
    )


def diagonal(linked: Linked) -> Floats:
    """Return the map of a diagonal, as a baseline."""
    rows, columns = len(linked.target), len(linked.source)
    merged = np.zeros((rows, columns + 1), dtype=np.float32)
    for row in range(rows):
        merged[row, int((row + 0.5) * columns / rows)] = 1
    return merged


def error_rate(merged: Floats, links: frozenset[tuple[int, int]]) -> tuple[int, int]:
    """Return right links and all links of both sides; 1 - 2·right/all is the error rate."""
    guessed = {
        (int(row.argmax()), target)
        for target, row in enumerate(merged)
        if row.argmax() < merged.shape[1] - 1
    }
    return len(guessed & links), len(guessed) + len(links)
