"""The reference interpreter of edits: a row of scores to its weights.

Kernels and the page have the same in their own language, held to the same vectors
(tests/models/edits/vectors.json). A key that was blocked stays blocked, unless `set` or `row`
revives it; a masked key, whose score is -inf, is never revived. A row that sees none of the keys of
an edit stays as it is, and so does one whose only keys would have a sum below 1.

Letters: `K` keys of a row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.int32]

NO_KEYS: Final[Indices] = np.empty(0, np.int32)
NO_WEIGHTS: Final[Doubles] = np.empty(0, np.float64)
LOWEST: Final = -1e30
"""The least score of a key that is not blocked, so that no difference is NaN."""
WORD: Final = 0xFFFFFFFF


class RowEdit(NamedTuple):
    """An edit of one row, with its keys as indices."""

    op: str
    keys: Indices = NO_KEYS
    number: float = 0.0  # a factor, a weight, a temperature or a seed
    weights: Doubles = NO_WEIGHTS  # of `row`


class EditedRow(NamedTuple):
    """An edited row: its weights are the product of both."""

    softmax: Doubles  # (K,)
    factors: Doubles  # (K,), 0 where a key is silenced

    @property
    def weights(self) -> Doubles:
        """The weights α' (K,)."""
        return self.softmax * self.factors


def edited_row(scores: ArrayLike, edits: Sequence[RowEdit]) -> EditedRow:
    """Apply the edits of a row (K,) in their order. A masked key has the score -inf."""
    row = _Row(np.asarray(scores, np.float64))
    for edit in edits:
        row.apply(edit)
    return EditedRow(row.softmax(), row.factors)


def permutation(count: int, seed: int) -> list[int]:
    """Return the numbers below `count` in a random order: Fisher-Yates with Mulberry32.

    Both are short enough to be written again in C and JavaScript, with the same result.
    """
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        seed = (seed + 0x6D2B79F5) & WORD
        mixed = ((seed ^ seed >> 15) * (seed | 1)) & WORD
        mixed ^= (mixed + (((mixed ^ mixed >> 7) * (mixed | 61)) & WORD)) & WORD
        place = ((mixed ^ mixed >> 14) * (last + 1)) >> 32
        order[last], order[place] = order[place], order[last]
    return order


class _Row:
    """The scores of a row while edits are applied to it."""

    def __init__(self, scores: Doubles) -> None:
        self.seen: Bools = scores > -math.inf
        self.live = self.seen.copy()  # neither masked nor blocked
        self.scores = np.where(self.seen, np.maximum(scores, LOWEST), 0.0)
        self.factors = np.ones(len(scores))

    def apply(self, edit: RowEdit) -> None:
        """Apply one edit."""
        chosen = np.zeros(len(self.scores), bool)
        chosen[edit.keys[edit.keys < len(chosen)]] = True
        match edit.op:
            case "block":
                self.live &= ~chosen
            case "only":
                self._only(chosen)
            case "scale":
                self._scale(chosen, edit.number)
            case "set":
                self._set(chosen, edit.number)
            case "temperature":
                self._temper(edit.number)
            case "uniform":
                self.scores[:] = 0.0
            case "permute":
                self._permute(int(edit.number))
            case "row":
                self._replace(edit.weights)
            case "silence":
                self.factors[chosen] = 0.0
            case _:
                raise ValueError(f"there is no operation {edit.op!r} on a row")

    def softmax(self) -> Doubles:
        """Return the softmax over the keys that are neither masked nor blocked."""
        weights = np.zeros(len(self.scores))
        if self.live.any():
            live = self.scores[self.live]
            exponentials = np.exp(live - live.max())
            weights[self.live] = exponentials / exponentials.sum()
        return weights

    def _only(self, chosen: Bools) -> None:
        if (chosen & self.seen).any():
            self.live &= chosen

    def _scale(self, chosen: Bools, factor: float) -> None:
        if factor == 0:
            self.live &= ~chosen
        else:
            self.scores[chosen] += math.log(factor)

    def _set(self, chosen: Bools, weight: float) -> None:
        chosen, others = chosen & self.seen, ~chosen & self.seen
        if not chosen.any() or (0 < weight < 1 and not others.any()):
            return
        if weight > 0:
            self._revive(chosen)
        if weight < 1:
            self._revive(others)
        if weight in (0, 1):
            self.live &= others if weight == 0 else chosen
            return
        odds = math.log(weight) - math.log1p(-weight)
        now = self._log_sum(chosen) - self._log_sum(others)
        self.scores[chosen] += odds - now

    def _revive(self, keys: Bools) -> None:
        """Give equal scores to keys that are all blocked."""
        if not (keys & self.live).any():
            self.live |= keys
            self.scores[keys] = 0.0

    def _log_sum(self, keys: Bools) -> float:
        """Return the logarithm of the sum of the exponentials of these keys."""
        live = self.scores[keys & self.live]
        top = live.max()
        return float(top + math.log(np.exp(live - top).sum()))

    def _temper(self, temperature: float) -> None:
        if self.live.any():  # relative to the highest, so that only the lowest can overflow
            below = self.scores - self.scores[self.live].max()
            with np.errstate(over="ignore"):
                self.scores = np.maximum(below / temperature, LOWEST)

    def _permute(self, seed: int) -> None:
        places = np.flatnonzero(self.live)
        self.scores[places] = self.scores[places[permutation(len(places), seed)]]

    def _replace(self, weights: Doubles) -> None:
        weights = weights[: len(self.scores)]
        if (weights[self.seen] > 0).any():
            self.live = self.seen & (weights > 0)
            self.scores[self.live] = np.log(weights[self.live])
