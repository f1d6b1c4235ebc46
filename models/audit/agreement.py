"""Agreement of two rows of numbers about the same keys: Kendall's τ_b, and the first key.

Shapes: `R` rows, `K` keys. NaN marks a key that a row does not have.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
NOISE = 1e-5
"""Costs that differ by less are ties: log-probabilities of 32 bits are no more precise."""


class Agreement(NamedTuple):
    """Agreement of two maps, over the rows that have a figure."""

    tau: float | None  # the mean of Kendall's τ_b
    first: float | None  # the share of rows whose largest number is at the same key
    taus: tuple[float | None, ...]  # of each row


def agreement(weights: Doubles, costs: Doubles) -> Agreement:
    """Compare the rows of a map (R, K) with the costs of taking each key away."""
    taus = taus_of(weights, costs)
    firsts = [same_first(*rows) for rows in zip(weights, costs, strict=True)]
    return Agreement(_mean(taus), _mean(firsts), tuple(taus))


def mean_tau(weights: Doubles, costs: Doubles) -> float | None:
    """Return the mean of Kendall's τ_b over the rows of two maps; None if no row has one."""
    return _mean(taus_of(weights, costs))


def taus_of(weights: Doubles, costs: Doubles) -> list[float | None]:
    """Return Kendall's τ_b of each row of two maps (R, K)."""
    return [kendall(*rows) for rows in zip(weights, costs, strict=True)]


def kendall(weights: Doubles, costs: Doubles) -> float | None:
    """Return Kendall's τ_b of two rows; None if all numbers of a row are equal."""
    known = np.isfinite(weights) & np.isfinite(costs)
    ours, theirs = _signs(weights[known], 0.0), _signs(costs[known], NOISE)
    scale = np.sqrt(float(np.abs(ours).sum()) * float(np.abs(theirs).sum()))
    return float((ours * theirs).sum() / scale) if scale else None


def same_first(weights: Doubles, costs: Doubles) -> float | None:
    """Return 1 if the first key of both rows is the same, else 0; None if a row is constant."""
    known = np.isfinite(weights) & np.isfinite(costs)
    ours, theirs = weights[known], costs[known]
    if not len(ours) or np.ptp(ours) == 0 or np.ptp(theirs) <= NOISE:
        return None
    return float(ours.argmax() == theirs.argmax())


def _signs(row: Doubles, alike: float) -> NDArray[np.int8]:
    """Return the sign of the difference of each pair of keys (K, K), 0 for a tie."""
    differences = row[:, None] - row
    return np.where(np.abs(differences) <= alike, 0, np.sign(differences)).astype(np.int8)


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
