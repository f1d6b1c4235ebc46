"""The reference interpreter of edits: rows of scores to their weights.

Kernels and the page have the same in their own language, held to the same vectors
(tests/models/edits/vectors.json). A key that was blocked stays blocked, unless `set` or `row`
revives it; a masked key, whose score is -inf, is never revived. A row that sees none of the keys of
an edit stays as it is, and so does one whose only keys would have a sum below 1.

Shapes: `R` rows, `K` keys.
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
TINY: Final = 1e-300
WORD: Final = 0xFFFFFFFF


class RowEdit(NamedTuple):
    """An edit of one row, with its keys as indices."""

    op: str
    keys: Indices = NO_KEYS
    number: float = 0.0  # a factor, a weight, a temperature or a seed
    weights: Doubles = NO_WEIGHTS  # of `row`


class EditedRows(NamedTuple):
    """Edited rows: their weights are the product of both."""

    softmax: Doubles  # (R, K)
    factors: Doubles  # (R, K), 0 where a key is silenced

    @property
    def weights(self) -> Doubles:
        """The weights α' (R, K)."""
        return self.softmax * self.factors


def edited_rows(scores: ArrayLike, edits: Sequence[RowEdit]) -> EditedRows:
    """Apply the same edits to rows (R, K), in their order. A masked key has the score -inf."""
    rows = _Rows(np.asarray(scores, np.float64))
    for edit in edits:
        rows.apply(edit)
    return EditedRows(rows.softmax(), rows.factors)


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


class _Rows:
    """The scores of rows while edits are applied to them."""

    def __init__(self, scores: Doubles) -> None:
        self.seen: Bools = scores > -math.inf
        self.live = self.seen.copy()  # neither masked nor blocked
        self.scores = np.where(self.seen, np.maximum(scores, LOWEST), 0.0)
        self.factors = np.ones(scores.shape)

    def apply(self, edit: RowEdit) -> None:
        """Apply one edit."""
        chosen = np.zeros(self.scores.shape[1], bool)
        chosen[edit.keys[edit.keys < len(chosen)]] = True
        match edit.op:
            case "block":
                self.live &= ~chosen
            case "only":
                self.live &= chosen | ~_any_key(chosen & self.seen)
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
                self.factors[:, chosen] = 0.0
            case _:
                raise ValueError(f"there is no operation {edit.op!r} on a row")

    def softmax(self) -> Doubles:
        """Return the softmax over the keys that are neither masked nor blocked."""
        raised = self._raised(self.live)
        weights: Doubles = raised / np.maximum(raised.sum(axis=1, keepdims=True), TINY)
        return weights

    def _scale(self, chosen: Bools, factor: float) -> None:
        if factor == 0:
            self.live &= ~chosen
        else:
            self.scores[:, chosen] += math.log(factor)

    def _set(self, chosen: Bools, weight: float) -> None:
        mine, others = chosen & self.seen, ~chosen & self.seen
        possible = _any_key(mine) & (_any_key(others) | (weight in (0, 1)))
        mine, others = mine & possible, others & possible
        if weight > 0:
            self._revive(mine)
        if weight < 1:
            self._revive(others)
        if weight in (0, 1):
            self.live &= ~(mine if weight == 0 else others)
            return
        odds = math.log(weight) - math.log1p(-weight)
        shift = odds - (self._log_sum(mine) - self._log_sum(others))
        self.scores = np.where(mine, self.scores + shift, self.scores)

    def _revive(self, keys: Bools) -> None:
        """Give equal scores to keys that are all blocked."""
        blocked = keys & ~_any_key(keys & self.live)
        self.live |= blocked
        self.scores[blocked] = 0.0

    def _highest(self, keys: Bools) -> Doubles:
        """Return the highest score of these keys in each row (R, 1), 0 in a row without any."""
        top = np.where(keys, self.scores, -math.inf).max(axis=1, keepdims=True)
        highest: Doubles = np.where(top > -math.inf, top, 0.0)
        return highest

    def _log_sum(self, keys: Bools) -> Doubles:
        """Return the logarithm of the sum of the exponentials of these keys (R, 1)."""
        live = keys & self.live
        top = self._highest(live)
        total = self._raised(live).sum(axis=1, keepdims=True)
        logs: Doubles = top + np.log(np.maximum(total, TINY))
        return logs

    def _raised(self, keys: Bools) -> Doubles:
        """Return the exponentials of these keys, below the highest of them, and 0 elsewhere."""
        below = np.where(keys, self.scores - self._highest(keys), -math.inf)
        raised: Doubles = np.exp(below)
        return raised

    def _temper(self, temperature: float) -> None:
        # Relative to the highest, so that only the lowest can overflow.
        below = np.where(self.live, self.scores - self._highest(self.live), 0.0)
        with np.errstate(over="ignore"):
            self.scores = np.maximum(below / temperature, LOWEST)

    def _permute(self, seed: int) -> None:
        orders: dict[int, list[int]] = {}
        for scores, live in zip(self.scores, self.live, strict=True):
            places = np.flatnonzero(live)
            if len(places) not in orders:
                orders[len(places)] = permutation(len(places), seed)
            scores[places] = scores[places[orders[len(places)]]]

    def _replace(self, weights: Doubles) -> None:
        count = self.scores.shape[1]
        weights = np.pad(weights[:count], (0, max(count - len(weights), 0)))
        given = self.seen & (weights > 0)
        possible = _any_key(given)
        logs = np.log(np.where(weights > 0, weights, 1.0))
        self.live = np.where(possible, given, self.live)
        self.scores = np.where(possible & given, logs, self.scores)


def _any_key(keys: Bools) -> Bools:
    """Return whether there is any key in each row (…, 1)."""
    return np.asarray(keys.any(axis=-1, keepdims=True))
