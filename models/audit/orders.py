"""Orders of keys, and what taking keys away in that order does, between the best and the worst.

A set of keys that are left is a number whose bits are the keys. Comprehensiveness takes the first
keys of an order away, sufficiency leaves nothing but them (DeYoung et al. 2020). Both visit a chain
of nested sets of 1 … n - 1 keys, so their bounds are those of the sums along all chains
(NAOPC, Edin et al. 2024).

Shapes: `n` keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
MOST_EXACT: Final = 12
"""Keys of a row whose orders are all known: from the 4,096 sets of them."""
NOTHING: Final = 1e-9


class Bounds(NamedTuple):
    """The least and the greatest mean of a log-probability along a chain, with such an order.

    Each order takes keys away: the first one of the order first.
    """

    least: float
    greatest: float
    best: tuple[int, ...]  # takes away what costs most
    worst: tuple[int, ...]


class OrderScore(NamedTuple):
    """The place of an order between the worst (0) and the best (1), for both ways.

    The curves have the log-probability with 0 … n - 1 keys taken away, and with 1 … n keys left.
    """

    comprehensiveness: float | None
    sufficiency: float | None
    taken: tuple[float, ...]
    left: tuple[float, ...]


def subsets(keys: int) -> range:
    """Return every set of some of these keys."""
    return range(1, 1 << keys)


def bounds(values: Doubles) -> Bounds:
    """Find the best and the worst of all orders, from the value of every set (2ⁿ,)."""
    count = len(values).bit_length() - 1
    if count < 2:
        whole = float(values[-1])
        return Bounds(whole, whole, (*range(count),), (*range(count),))
    least, best = _chain(values, count)
    greatest, worst = _chain(-values, count)
    return Bounds(least, -greatest, best, worst)


def score(values: Doubles, order: Sequence[int], known: Bounds) -> OrderScore:
    """Place an order, whose first key is the most important, between the bounds."""
    count = len(order)
    whole = (1 << count) - 1
    prefixes = [0]
    for key in order:
        prefixes.append(prefixes[-1] | 1 << key)
    taken = [float(values[whole ^ prefix]) for prefix in prefixes[:-1]]
    left = [float(values[prefix]) for prefix in prefixes[1:]]
    return placed(taken, left, known)


def placed(taken: Sequence[float], left: Sequence[float], known: Bounds) -> OrderScore:
    """Place the two curves of an order between the bounds."""
    room = known.greatest - known.least
    if len(taken) < 2 or room <= NOTHING:
        return OrderScore(None, None, tuple(taken), tuple(left))
    return OrderScore(
        (known.greatest - float(np.mean(taken[1:]))) / room,
        (float(np.mean(left[:-1])) - known.least) / room,
        tuple(taken),
        tuple(left),
    )


def _chain(values: Doubles, count: int) -> tuple[float, tuple[int, ...]]:
    """Return the least mean along a chain from n - 1 keys to one, and the order that takes it.

    Set by set, from small to large: the least sum of a chain below a set is its own value and the
    least of the sets with one key fewer.
    """
    sizes = np.array([some.bit_count() for some in range(1 << count)])
    sums = values.astype(np.float64).copy()
    gone = np.full(1 << count, -1)  # the key that is taken from a set next
    for size in range(2, count + 1):
        here = np.flatnonzero(sizes == size)
        below = np.full((len(here), count), np.inf)
        for key in range(count):
            has = (here >> key & 1).astype(bool)
            below[has, key] = sums[here[has] ^ (1 << key)]
        gone[here] = below.argmin(axis=1)
        sums[here] = below.min(axis=1) + (values[here] if size < count else 0.0)
    some, order = (1 << count) - 1, []
    while gone[some] >= 0:
        order.append(int(gone[some]))
        some ^= 1 << order[-1]
    order.append(some.bit_length() - 1)
    return float(sums[-1]) / (count - 1), tuple(order)
