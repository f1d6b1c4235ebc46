"""The orders of a row of any number of keys: bounds exact up to 12 keys, else by beam search.

A beam finds an order that is nearly the best, so the bounds of many keys are an estimate: the true
best is at least as good, and the true worst at least as bad (NAOPC, Edin et al. 2024, with beams of
five).

Shapes: `n` keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from heed.models.audit import orders
from heed.models.audit.audit import RowOrders, band
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import Doubles, ForcedStep, ForcedSteps
from heed.models.audit.row_edits import Maps, RowPlans
from heed.models.audit.run import FigureRun, S
from heed.models.errors import InputError
from heed.models.trace import Axis, Trace

WIDTH: Final = 5  # chains that a beam keeps


@dataclass(frozen=True)
class SearchedOrders:
    """The orders of one row, with bounds that are estimated unless they are exact."""

    trace: Trace
    choices: AuditChoices
    maps: Maps
    orders: RowOrders
    exact: bool
    rows: int  # forced steps that were run


class OrdersRun(FigureRun[S, SearchedOrders]):
    """The run that bounds the orders of one row."""

    def _price(self, source: Axis, written: int) -> int:
        self._choices.needed_row()
        return written + sets_of(len(source), self._choices.seeds)

    def _steps(self, trace: Trace) -> Iterator[None]:
        """Force the output up to the row, and run the sets of keys that the search asks for."""
        ids = [token.id for token in trace.output.tokens.tokens]
        row = self._choices.needed_row()
        steps = self._forced(ids[: row + 1])
        for step in steps:
            if step.query == row:
                break
            yield
        weights, seen = self.maps.attention(step)
        if len(seen) < 2:
            raise InputError("out_of_range", f"Row {row} sees a single key.", "row")
        self._take(sets_of(len(seen), self._choices.seeds))  # a prompt grows by what is written
        values = _Values(steps, step, RowPlans(self.maps, step, self._choices.removal), seen)
        for _ in values.bounded(weights[seen], self._choices.seeds):
            self.rows = values.run
            yield
        self._result = SearchedOrders(
            trace,
            self._choices,
            self.maps,
            values.result(row, weights[seen], self._choices.seeds),
            values.exact,
            values.run,
        )


def sets_of(keys: int, seeds: int) -> int:
    """Return how many sets of so many keys are run at most."""
    if keys <= orders.MOST_EXACT:
        return 1 << keys
    return 2 * WIDTH * keys * keys // 2 + (2 + seeds) * 2 * keys


class _Values:
    """The log-probability of a token with each set of the keys of its row left."""

    def __init__(
        self, steps: ForcedSteps[S], step: ForcedStep, plans: RowPlans, seen: Sequence[int]
    ) -> None:
        self._steps, self._step, self._plans, self._seen = steps, step, plans, seen
        self.whole = (1 << len(seen)) - 1
        self.exact = len(seen) <= orders.MOST_EXACT
        self._values: dict[int, float] = {self.whole: step.log_probability}
        self._best: tuple[float, tuple[int, ...]] = (np.inf, ())
        self._worst: tuple[float, tuple[int, ...]] = (-np.inf, ())

    @property
    def run(self) -> int:
        """The sets that were run."""
        return len(self._values)

    def bounded(self, weights: Doubles, seeds: int) -> Iterator[None]:
        """Run the sets that the bounds need, and those of the orders that are placed between."""
        count = len(self._seen)
        singles = [self.whole ^ 1 << key for key in range(count)]
        yield from self._of(singles)
        self.costs = self._step.log_probability - np.array([self._values[some] for some in singles])
        if self.exact:
            yield from self._of(list(orders.subsets(count)))
        else:
            for sign in (1.0, -1.0):
                yield from self._beam(sign)
        for order in self.orders_of(weights, seeds):
            yield from self._of(_chain(order, self.whole))

    def orders_of(self, weights: Doubles, seeds: int) -> list[list[int]]:
        """Return the orders of the weights and of the costs, and random ones."""
        ranked = [[int(key) for key in np.argsort(-map_)] for map_ in (weights, self.costs)]
        random = np.random.default_rng(self._step.query)
        return ranked + [random.permutation(len(self._seen)).tolist() for _ in range(seeds)]

    def result(self, row: int, weights: Doubles, seeds: int) -> RowOrders:
        """Place the orders between the bounds."""
        attention, effects, *drawn = self.orders_of(weights, seeds)
        bounds = self._bounds([attention, effects, *drawn])
        scores = [self._score(order, bounds) for order in (attention, effects, *drawn)]
        taken = [
            score.comprehensiveness for score in scores[2:] if score.comprehensiveness is not None
        ]
        left = [score.sufficiency for score in scores[2:] if score.sufficiency is not None]
        return RowOrders(
            row,
            tuple(self._seen),
            bounds,
            scores[0],
            scores[1],
            (band(taken), band(left)) if taken else None,
            self.run,
        )

    def _bounds(self, known: Sequence[Sequence[int]]) -> orders.Bounds:
        """Return the bounds of all orders that were run: no order lies outside them."""
        count = len(self._seen)
        if self.exact:
            values = [np.nan, *(self._values[some] for some in orders.subsets(count))]
            return orders.bounds(np.array(values))
        least, greatest = self._best, self._worst
        for order in known:
            for way in (list(order), list(order)[::-1]):
                mean = self._mean(_chain(way, self.whole)[: count - 1])
                least = min(least, (mean, tuple(way)))
                greatest = max(greatest, (mean, tuple(way)))
        return orders.Bounds(least[0], greatest[0], least[1], greatest[1])

    def _score(self, order: Sequence[int], bounds: orders.Bounds) -> orders.OrderScore:
        chain = _chain(order, self.whole)
        count = len(self._seen)
        taken = [self._values[self.whole], *(self._values[some] for some in chain[: count - 1])]
        left = [*(self._values[some] for some in chain[count - 1 :]), self._values[self.whole]]
        return orders.placed(taken, left, bounds)

    def _mean(self, chain: Sequence[int]) -> float:
        return float(np.mean([self._values[some] for some in chain]))

    def _beam(self, sign: float) -> Iterator[None]:
        """Search for the chain of the least sum, or of the greatest if the sign is negative."""
        beam: list[tuple[float, int, tuple[int, ...]]] = [(0.0, self.whole, ())]
        count = len(self._seen)
        for _ in range(count - 1):
            nexts: dict[int, tuple[float, int, tuple[int, ...]]] = {}
            yield from self._of(
                [some ^ 1 << key for _, some, _ in beam for key in range(count) if some >> key & 1]
            )
            for total, some, order in beam:
                for key in range(count):
                    if some >> key & 1:
                        after = some ^ 1 << key
                        entry = (total + sign * self._values[after], after, (*order, key))
                        nexts[after] = min(nexts.get(after, entry), entry)
            beam = sorted(nexts.values())[:WIDTH]
        total, last, order = beam[0]
        mean = sign * total / (count - 1)
        whole_order = (*order, last.bit_length() - 1)
        if sign > 0:
            self._best = (mean, whole_order)
        else:
            self._worst = (mean, whole_order)

    def _of(self, sets: Sequence[int]) -> Iterator[None]:
        """Run those sets that were not run before."""
        fresh = [some for some in dict.fromkeys(sets) if some not in self._values]
        plans = [
            self._plans.without(
                [key for place, key in enumerate(self._seen) if not some >> place & 1]
            )
            for some in fresh
        ]
        done = 0
        for answers in self._steps.again(self._step, plans, distances=False):
            for value in answers.log_probabilities:
                self._values[fresh[done]] = float(value)
                done += 1
            yield


def _chain(order: Sequence[int], whole: int) -> list[int]:
    """Return the sets with the first 1 … n - 1 keys taken, then with the first 1 … n - 1 left."""
    prefixes = [0]
    for key in order[:-1]:
        prefixes.append(prefixes[-1] | 1 << key)
    return [whole ^ prefix for prefix in prefixes[1:]] + prefixes[1:]
