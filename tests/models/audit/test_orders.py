"""Orders of keys, against an enumeration of all of them, and rank agreement."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from heed.models.audit import orders
from heed.models.audit.agreement import agreement, kendall, same_first


@pytest.mark.parametrize("keys", [2, 3, 5, 7])
def test_the_bounds_are_the_best_and_the_worst_of_all_orders(keys: int) -> None:
    values = np.random.default_rng(keys).normal(size=2**keys)
    whole = 2**keys - 1

    def mean(order: tuple[int, ...]) -> float:
        """Return the mean of the values while the keys are taken away one by one."""
        left = [whole & ~sum(1 << key for key in order[:count]) for count in range(1, keys)]
        return float(np.mean([values[some] for some in left]))

    means = {order: mean(order) for order in permutations(range(keys))}
    known = orders.bounds(values)
    assert known.least == pytest.approx(min(means.values()), abs=1e-12)
    assert known.greatest == pytest.approx(max(means.values()), abs=1e-12)
    assert means[known.best] == pytest.approx(known.least, abs=1e-12)
    assert means[known.worst] == pytest.approx(known.greatest, abs=1e-12)
    room = known.greatest - known.least
    for order in list(means)[:50]:
        scored = orders.score(values, order, known)
        assert scored.comprehensiveness == pytest.approx((known.greatest - means[order]) / room)
        assert scored.sufficiency == pytest.approx((means[order[::-1]] - known.least) / room)


def test_an_order_is_placed_between_the_best_and_the_worst() -> None:
    values = np.random.default_rng(1).normal(size=2**5)
    known = orders.bounds(values)
    assert orders.score(values, known.best, known).comprehensiveness == pytest.approx(1)
    assert orders.score(values, known.worst, known).comprehensiveness == pytest.approx(0)
    assert orders.score(values, known.worst[::-1], known).sufficiency == pytest.approx(1)


def test_orders_of_keys_that_change_nothing_have_no_place() -> None:
    values = np.zeros(2**4)
    scored = orders.score(values, (0, 1, 2, 3), orders.bounds(values))
    assert scored.comprehensiveness is None
    assert scored.sufficiency is None
    assert orders.bounds(np.zeros(2)).best == (0,)


def test_kendall_counts_pairs() -> None:
    rng = np.random.default_rng(4)
    one, other = rng.random(9), np.round(rng.random(9), 1)  # with ties
    agreeing = disagreeing = ties_one = ties_other = 0
    for first in range(9):
        for second in range(first):
            product = (one[first] - one[second]) * (other[first] - other[second])
            agreeing += product > 0
            disagreeing += product < 0
            ties_one += one[first] == one[second]
            ties_other += other[first] == other[second]
    pairs = 36
    wanted = (agreeing - disagreeing) / np.sqrt((pairs - ties_one) * (pairs - ties_other))
    assert kendall(one, other) == pytest.approx(wanted)
    assert kendall(one, one) == pytest.approx(1)
    assert kendall(one, -one) == pytest.approx(-1)


def test_rows_without_an_order_have_no_agreement() -> None:
    flat, row = np.zeros(4), np.array([0.1, 0.7, np.nan, 0.2])
    assert kendall(row, flat) is None
    assert same_first(row, flat) is None
    assert same_first(row, np.array([0.0, 2.0, 9.0, 1.0])) == 1.0
    both = agreement(np.stack([row, row]), np.stack([flat, -row]))
    assert both.taus == (None, pytest.approx(-1))
    assert (both.tau, both.first) == (pytest.approx(-1), 0.0)
