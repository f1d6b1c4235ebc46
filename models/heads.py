"""The heads of a model, ranked by what they do: alignment, entropy, diagonal and sink share.

Shapes: `Q` queries, `K` keys.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import numpy as np

from heed.models.trace import (
    AttentionMap,
    Axis,
    Floats,
    GridAxis,
    MapKind,
    TargetAxis,
    TokenAxis,
    Trace,
)

Measure = Literal["alignment", "entropy", "diagonal", "sink", "moved"]
Links = frozenset[tuple[int, int]]
"""Pairs of words, counted from 0 in texts split at spaces: of the input, and of the output."""
Key = tuple[MapKind, int, int]
ASCENDING: tuple[Measure, ...] = ("entropy",)
"""Measures whose smallest value comes first: a sharp head has little entropy."""
MAX_SHOWN = 60  # characters of invalid links in a message
BAND = 1.0  # keys on either side of the diagonal
WORD = re.compile(r"\S+")


class Head(NamedTuple):
    """A head with its measures, averages over all rows of all traces."""

    kind: MapKind
    layer: int  # counted from 0
    head: int
    entropy: float  # in bits
    diagonal: float  # the share of the weight within one key of the diagonal
    sink: float  # the share on marks and, in self-attention, on the first key
    alignment: float | None = None  # the share of linked words that the head looks at most
    moved: float | None = None  # half the mean difference of rows to another model, from 0 to 1


def parse_links(text: str) -> Links:
    """Read the sure links of the format of Pharaoh; possible ones, such as `0?1`, are left out.

    >>> sorted(parse_links("0-0 2-1 2?3"))
    [(0, 0), (2, 1)]
    """
    return read_links(text, "-")


def read_links(text: str, signs: str) -> Links:
    """Read the links whose sign is one of these: `-` for sure, `?` for possible."""
    pairs = [re.fullmatch(r"(\d{1,9})([-?])(\d{1,9})", part) for part in text.split()]
    if not all(pairs):
        raise ValueError(f"links are pairs such as 0-0 1-2, not {text.strip()[:MAX_SHOWN]!r}")
    return frozenset((int(pair[1]), int(pair[3])) for pair in pairs if pair and pair[2] in signs)


class _LinkedWords(NamedTuple):
    """The words of an input and of an output that are linked."""

    keys: Sequence[Sequence[int]]  # the tokens of each word of the input
    pairs: Sequence[tuple[Sequence[int], set[int]]]  # the tokens of a word, and its linked words


def rank_heads(
    traces: Any,
    links: Sequence[Links | None] | None = None,
    *,
    by: Measure | None = None,
    others: Sequence[Any] | None = None,
) -> list[Head]:
    """Return the heads of one or several traces of a model, the first by a measure first.

    `links` has the word alignments of each trace; `others` are traces of another model, of the same
    inputs and targets. Without `by`, the measure is `moved` if there are others, else `alignment`
    if there are links, else `entropy`.
    """
    runs = _runs(traces)
    linked = [None] * len(runs) if links is None else list(links)
    if len(linked) != len(runs):
        raise ValueError(f"there are {len(linked)} sets of links for {len(runs)} traces")
    compared = None if others is None else _runs(others)
    if compared is not None and len(compared) != len(runs):
        raise ValueError(f"there are {len(compared)} other traces for {len(runs)} traces")
    sums: dict[Key, dict[str, list[tuple[float, int]]]] = {}
    for place, run in enumerate(runs):
        beside = {} if compared is None else _maps(compared[place])
        words = _linked_words(run, linked[place])
        for key, attention in _maps(run).items():
            measured = sums.setdefault(key, {})
            for name, value in _measures(run, attention, words, beside.get(key)).items():
                measured.setdefault(name, []).append(value)
    heads = [_head(key, measures) for key, measures in sums.items()]
    measure = by or _default(heads)
    return sorted(heads, key=lambda head: _order(head, measure))


def _runs(traces: Any) -> list[Trace]:
    """Return the records of one trace or several, each as `heed.trace` gives it or as it is."""
    single = isinstance(traces, Trace) or hasattr(traces, "run")
    several: Iterable[Any] = [traces] if single else traces
    return [getattr(item, "run", item) for item in several]


def _default(heads: Sequence[Head]) -> Measure:
    if any(head.moved is not None for head in heads):
        return "moved"
    return "alignment" if any(head.alignment is not None for head in heads) else "entropy"


def _order(head: Head, by: Measure) -> tuple[bool, float]:
    """Return the place of a head; one without the measure stands last."""
    value: float | None = getattr(head, by)
    if value is None:
        return True, 0.0
    return False, value if by in ASCENDING else -value


def _head(key: Key, measured: Mapping[str, Sequence[tuple[float, int]]]) -> Head:
    """Average the measures of a head."""
    means: dict[str, float] = {}
    for name, values in measured.items():
        if count := sum(rows for _, rows in values):
            means[name] = sum(total for total, _ in values) / count
    return Head(
        *key,
        entropy=means.get("entropy", 0.0),
        diagonal=means.get("diagonal", 0.0),
        sink=means.get("sink", 0.0),
        alignment=means.get("alignment"),
        moved=means.get("moved"),
    )


def _maps(run: Trace) -> Mapping[Key, AttentionMap]:
    kinds = ("cross", "decoder-self", "encoder-self")
    return {
        (attention.kind, attention.layer, attention.head): attention
        for attention in run.output.maps
        if attention.kind in kinds
    }


def _measures(
    run: Trace, attention: AttentionMap, linked: _LinkedWords | None, other: AttentionMap | None
) -> dict[str, tuple[float, int]]:
    """Return the sum of each measure over the rows of a map, and their number."""
    weights = attention.weights
    rows = len(weights)
    measures = {
        "entropy": (float(_entropy(weights).sum()), rows),
        "diagonal": (float(weights[_band(*weights.shape)].sum()), rows),
        "sink": (float(weights[:, _sinks(run, attention)].sum()), rows),
    }
    if linked is not None and attention.kind == "cross":
        measures["alignment"] = _aligned(weights, linked)
    if other is not None and other.weights.shape == weights.shape:
        measures["moved"] = (float(np.abs(weights - other.weights).sum()) / 2, rows)
    return measures


def _entropy(weights: Floats) -> Floats:
    positive = np.where(weights > 0, weights, 1)
    bits: Floats = -(weights * np.log2(positive)).sum(axis=-1)
    return bits


def _band(rows: int, columns: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return the cells near the line from the first cell to the last."""
    place = np.arange(rows)[:, None] * ((columns - 1) / max(rows - 1, 1))
    near: np.ndarray[Any, np.dtype[np.bool_]] = np.abs(np.arange(columns) - place) <= BAND
    return near


def _sinks(run: Trace, attention: AttentionMap) -> list[int]:
    """Return the keys that carry no word: marks, and in self-attention the first."""
    axis: Axis | TargetAxis = run.source if attention.key == "source" else run.output.target
    marks: set[int] = set()
    if attention.key == "decoder_input":  # the target, behind a start mark
        marks = {0}
    elif isinstance(axis, TokenAxis):
        marks = {place for place, token in enumerate(axis.tokens) if token.special}
    elif isinstance(axis, GridAxis):
        marks = set(range(len(axis.marks)))
    if attention.kind != "cross" and attention.weights.shape[1]:
        marks |= {0}
    return sorted(marks)


def _linked_words(run: Trace, links: Links | None) -> _LinkedWords | None:
    """Return the tokens of the words that links are about, or raise `ValueError`."""
    source, target = run.source, run.output.target
    if not (links and isinstance(source, TokenAxis) and isinstance(target, TokenAxis)):
        return None
    keys, queries = words_of(source), words_of(target)
    wanted: dict[int, set[int]] = {}
    for read, written in links:
        wanted.setdefault(written, set()).add(read)
    for written in sorted(wanted):
        if written >= len(queries) or max(wanted[written]) >= len(keys):
            raise ValueError(
                f"a link names a word that the pair does not have: {max(wanted[written])}-{written}"
            )
    return _LinkedWords(keys, [(queries[at], read) for at, read in wanted.items() if queries[at]])


def _aligned(weights: Floats, linked: _LinkedWords) -> tuple[float, int]:
    """Count linked words of the output whose most attended word of the input is linked to them."""
    sums = np.stack([weights[:, places].sum(axis=1) for places in linked.keys], axis=1)
    right = sum(int(np.argmax(sums[rows].mean(axis=0))) in wanted for rows, wanted in linked.pairs)
    return float(right), len(linked.pairs)


def words_of(axis: TokenAxis) -> list[list[int]]:
    """Return the tokens of each word of a text split at spaces."""
    spans = [match.span() for match in WORD.finditer(axis.text)]
    words: list[list[int]] = [[] for _ in spans]
    for place, token in enumerate(axis.tokens):
        word = bisect_right(spans, token.start, key=itemgetter(0)) - 1
        if word >= 0 and not token.special and token.start < spans[word][1]:
            words[word].append(place)
    return words
