"""Other trainings: how far the maps differ of a network whose attention learned from other seeds.

The rest of the network is the same in all of them, which makes agreement likelier. The baseline is
the map of another mechanism, whose network was trained as a whole.

Shapes: `S` trainings, `Q` tokens of the output, `K` keys.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from heed.models.audit.forced import Doubles, ForcedSteps
from heed.models.audit.row_edits import Maps
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.protocol import Runtime
from heed.models.runtime.trainings import Trainings
from heed.models.trace import TokenAxis

NUMBERS: Final = {1: "One other training looks", 2: "Two other trainings look"}


class Compared(NamedTuple):
    """A map of the same output, beside the one that is audited."""

    attention: Doubles  # (Q, K)
    distances: Doubles  # (Q,), Jensen–Shannon divergence of the rows in bits, from 0 to 1
    strongest: tuple[int, ...]  # (Q,), the word with the largest weight


class OtherTrainings(NamedTuple):
    """The maps of other trainings, and of another mechanism."""

    strongest: tuple[int, ...]  # (Q,), of the map that is audited
    seeds: tuple[int, ...]
    trainings: tuple[Compared, ...]  # (S,)
    mechanism: str | None
    baseline: Compared | None

    @property
    def agreeing(self) -> list[bool]:
        """The rows in which all trainings look at the same word."""
        columns = zip(self.strongest, *(other.strongest for other in self.trainings), strict=True)
        return [len({*words}) == 1 for words in columns]

    @property
    def rows(self) -> int:
        """The forced steps that were run."""
        maps = len(self.trainings) + (self.baseline is not None)
        return maps * len(self.strongest)


def forced_maps(trainings: Trainings | None) -> int:
    """Return how many times the output is forced for the comparison: its price."""
    if trainings is None or not (seeds := trainings.seeds):
        return 0
    return len(seeds) + (trainings.mechanism is not None)


def compare(
    trainings: Trainings | None,
    source: Sequence[int],
    tokens: Sequence[int],
    attention: Doubles,
    axis: object,
    maps: Maps,
) -> Generator[None, None, OtherTrainings | None]:
    """Force the output with each training; yields after each step. None of most models.

    `attention` is that of `maps`, the layers and heads that the audit is about. A model of another
    mechanism with other layers or heads has the mean of them all.
    """
    if trainings is None or not trainings.seeds or not isinstance(axis, TokenAxis):
        return None
    words = np.array([token.word for token in axis.tokens])
    others = []
    for runtime in trainings.others():
        row = yield from _forced_map(runtime, source, tokens, maps)
        others.append(_compared(attention, row, words))
        del runtime  # before the next is loaded: one is in memory at a time
    baseline = None
    runtime_ = trainings.of_mechanism()
    if runtime_ is not None and _cross(runtime_):
        row = yield from _forced_map(runtime_, source, tokens, maps)
        baseline = _compared(attention, row, words)
    mechanism = None if baseline is None else trainings.mechanism
    own = _strongest(attention, words)
    return OtherTrainings(own, trainings.seeds, tuple(others), mechanism, baseline)


def sentence(compared: OtherTrainings) -> str:
    """Return the comparison in words."""
    count, rows = len(compared.seeds), len(compared.strongest)
    look = NUMBERS.get(count, f"{count} other trainings look")
    agreeing = sum(compared.agreeing)
    beside = ""
    if compared.baseline is not None:
        pairs = zip(compared.strongest, compared.baseline.strongest, strict=True)
        same = sum(own == other for own, other in pairs)
        beside = f" ({compared.mechanism}, another mechanism: {same})"
    return (
        f"{look} at the same word in {agreeing} of {rows} rows{beside}: only the attention was "
        "trained anew, and the borrowed rest makes agreement likelier."
    )


def divergence(ours: Doubles, theirs: Doubles) -> Doubles:
    """Return the Jensen–Shannon divergence of rows (…, K) in bits."""
    middle = (ours + theirs) / 2
    return np.clip((_relative(ours, middle) + _relative(theirs, middle)) / 2, 0, 1)


def _relative(weights: Doubles, middle: Doubles) -> Doubles:
    """Return the Kullback–Leibler divergence of rows (…, K) in bits; 0 log 0 is 0."""
    there = (weights > 0) & (middle > 0)  # half of the least number is 0
    ratio = np.divide(weights, middle, out=np.ones_like(weights), where=there)
    total: Doubles = (weights * np.log2(ratio)).sum(axis=-1)
    return total


def _forced_map(
    runtime: Runtime[Any], source: Sequence[int], tokens: Sequence[int], maps: Maps
) -> Generator[None, None, Doubles]:
    """Return the map (Q, K) of a forced output; yields after each step."""
    if runtime.step_groups != maps.step_groups:
        maps = Maps(runtime.step_groups, _cross(runtime), None, None)
    rows = []
    for step in ForcedSteps(runtime, source, tokens):
        rows.append(maps.attention(step)[0])
        yield
    return np.array(rows)


def _cross(runtime: Runtime[Any]) -> tuple[MapGroup, ...]:
    """Return the groups of a step that attend to the input; none without attention."""
    return tuple(group for group in runtime.step_groups if group.kind == "cross")


def _compared(attention: Doubles, other: Doubles, words: Any) -> Compared:
    return Compared(other, divergence(attention, other), _strongest(other, words))


def _strongest(attention: Doubles, words: Any) -> tuple[int, ...]:
    """Return the word of each row with the largest sum of weights."""
    sums = attention @ (words[:, None] == np.arange(words.max() + 1))
    return tuple(sums.argmax(axis=1).tolist())
