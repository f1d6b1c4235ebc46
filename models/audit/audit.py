"""An audit: the figures of one output, computed batch by batch.

1. write the output, or force the target  2. take each step again without each key, and under the
controls  3. leave each word out of the input  4. find the best and the worst order of one row.

Shapes: `Q` tokens of the output, `K` keys, `W` words or cells, `R` random seeds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from heed.models.audit import orders
from heed.models.audit.agreement import Agreement, agreement, mean_tau
from heed.models.audit.choices import AuditChoices
from heed.models.audit.forced import (
    AT_ONCE,
    TOKENS_AT_ONCE,
    Doubles,
    ForcedStep,
    ForcedSteps,
    forced_runs,
)
from heed.models.audit.other_trainings import OtherTrainings, compare, forced_maps
from heed.models.audit.row_edits import Maps, RowEdits, RowPlans
from heed.models.audit.run import FigureRun
from heed.models.audit.values import ValueMaps, weighted_by_value
from heed.models.trace import (
    Axis,
    GridAxis,
    TokenAxis,
    Trace,
)

STRONGEST: Final = 3
"""Words that are blocked together; of a picture a tenth of the cells."""
ORDERS: Final = 100  # random ones, of the row whose orders are bounded
PERCENTILES: Final = (2.5, 97.5)

S = TypeVar("S")


class Band(NamedTuple):
    """A figure of several seeds: its mean, and the range of the middle 95 %."""

    mean: float
    low: float
    high: float


class Controls(NamedTuple):
    """The strongest keys of each row taken together, beside as many at random."""

    keys: int
    cost: Doubles  # (Q,), NaN in a row of one key
    random: Doubles  # (R, Q)


class Distances(NamedTuple):
    """The total variation distance by which the distribution of the next token moves."""

    uniform: Doubles  # (Q,)
    permuted: Doubles  # (R, Q)


class LeftOut(NamedTuple):
    """The cost of leaving a word out of the input, or of taking a cell from every step."""

    words: tuple[int, ...]  # of the axis that is read; of a picture, its cells
    cost: Doubles  # (Q, W)
    attention: Doubles  # (Q, W), summed over the tokens of the word
    strongest: tuple[int, ...]  # (Q,), the place of the word that each row attends to most
    taken: Doubles  # (Q,), the cost of taking that word from the row alone


class Agreements(NamedTuple):
    """Agreement of maps with the effects, in order and in the first key."""

    attention: Agreement
    place: Agreement  # the diagonal, or the centre of a picture
    random_tau: Band
    random_first: float  # a key drawn at random
    left_out: Agreement | None  # of the attention to a word with the cost of leaving it out


class RowOrders(NamedTuple):
    """The orders of one row, between its best and its worst."""

    row: int
    keys: tuple[int, ...]  # by their place in orders
    bounds: orders.Bounds
    attention: orders.OrderScore
    effects: orders.OrderScore
    random: tuple[Band, Band] | None  # comprehensiveness and sufficiency
    sets: int  # of keys that were run


@dataclass(frozen=True)
class Audit:
    """The figures of one output. Costs are differences of natural logarithms; NaN means none."""

    trace: Trace
    choices: AuditChoices
    maps: Maps
    log_probabilities: Doubles  # (Q,)
    attention: Doubles  # (Q, K)
    costs: Doubles  # (Q, K): log p(y) - log p(y, key taken)
    given_back: Doubles | None  # (Q, K): log p(y, uniform but for the key) - log p(y, uniform)
    controls: Controls
    distances: Distances
    values: ValueMaps
    left_out: LeftOut | None
    agreements: Agreements
    orders: RowOrders | None  # None for a row of too many keys, or of one
    trainings: OtherTrainings | None  # None of models that were trained once
    rows: int  # of forced steps that were run


class AuditRun(FigureRun[S, Audit]):
    """The run of an audit."""

    def _price(self, source: Axis, written: int) -> int:
        again = forced_maps(self._pipeline.trainings) * written
        return _rows(written, source, self._choices) + again

    def _steps(self, trace: Trace) -> Iterator[None]:
        """Compute all figures; yields after each batch."""
        target = trace.output.tokens
        tokens = [token.id for token in target.tokens]
        self._expect(trace.source, len(tokens))
        made: list[_Row] = []
        left = LeavingOut(trace.source, self.maps, self._choices.removal)
        steps = self._forced(tokens)
        vectors = steps.value_vectors()
        for step in steps:
            row = _Row(self.maps, step, self._choices, left)
            row.weighted = weighted_by_value(self.maps, vectors, step)
            yield from self._answered(steps, step, row)
            row.let_go()
            made.append(row)
        costs = np.zeros((len(tokens), 0))
        if left.words:
            costs = np.full((len(tokens), len(left.words)), np.nan)
            yield from self._leave_out(left, tokens, made, costs)
        figures = _Figures(trace, made, self._choices, left.result(made, costs))
        chosen = figures.chosen_row()
        values: list[float] = []
        if figures.bounded(chosen):
            yield from self._value_sets(steps, made[chosen], values)
        taus: list[float] = []
        for tau in figures.random_taus():
            taus.append(tau)
            yield
        trainings = yield from self._compare(trace, tokens, made)
        self._result = figures.audit(self.maps, chosen, values, taus, trainings, self.rows)

    def _compare(
        self, trace: Trace, tokens: Sequence[int], made: Sequence[_Row]
    ) -> Generator[None, None, OtherTrainings | None]:
        """Force the output with the other trainings of the model, if there are any."""
        own = np.array([row.weights for row in made], np.float64)
        source: Any = self._prepared.source
        others = yield from compare(
            self._pipeline.trainings, source, tokens, own, trace.source, self.maps
        )
        self.rows += 0 if others is None else others.rows
        return others

    def _answered(self, steps: ForcedSteps[S], step: ForcedStep, row: _Row) -> Iterator[None]:
        """Take a step again under every edit of its row."""
        for answers in steps.again(step, row.edits.plans):
            row.edits.note(answers)
            self.rows += len(answers.log_probabilities)
            yield

    def _leave_out(
        self, left: LeavingOut, tokens: Sequence[int], made: Sequence[_Row], costs: Doubles
    ) -> Iterator[None]:
        """Force the output once more for each word that is left out, some at a time."""
        runtime, source = self._pipeline.runtime, self._prepared.source
        at_once = left.at_once(len(tokens))
        for first in range(0, len(left.words), at_once):
            some = slice(first, first + at_once)
            sources, plans = left.inputs(source, some)
            for row, logs in enumerate(forced_runs(runtime, sources, tokens, plans)):
                costs[row, some] = made[row].step.log_probability - logs
                self.rows += len(logs)
                yield

    def _value_sets(self, steps: ForcedSteps[S], row: _Row, values: list[float]) -> Iterator[None]:
        """Take the step of a row again with every set of its keys alone."""
        count = len(row.seen)
        plans = [
            row.plans.without([row.seen[key] for key in range(count) if not some >> key & 1])
            for some in orders.subsets(count)
        ]
        values.append(np.nan)  # the empty set
        for answers in steps.again(row.step, plans, distances=False):
            values.extend(answers.log_probabilities)
            self.rows += len(answers.log_probabilities)
            yield


def _rows(written: int, source: Axis, choices: AuditChoices) -> int:
    read, of_picture = len(source), isinstance(source, GridAxis)
    sets = 0 if read > orders.MOST_EXACT + 1 else 2**orders.MOST_EXACT
    edits = 2  # taken, and left out
    if not of_picture:  # it would take too long
        edits += 1 if choices.removal == "silence" else 2  # given back, and with its value zeroed
    return written * (edits * read + 2 * choices.seeds + 2) + sets


class _Row:
    """One row of the map: its attention, and the edits under which its step is taken again."""

    def __init__(
        self, maps: Maps, step: ForcedStep, choices: AuditChoices, left: LeavingOut
    ) -> None:
        self.step = step
        weights, self.seen = maps.attention(step)
        self.weights = np.pad(weights, (0, left.keys - len(weights)))  # later rows may have more
        self.plans = RowPlans(maps, step, choices.removal)
        self.edits = RowEdits()
        several = len(self.seen) > 1
        self._single = [
            self.edits.add(self.plans.without([key])) if several else None for key in self.seen
        ]
        ranked = sorted(self.seen, key=lambda key: -self.weights[key])
        wanted = round(len(self.seen) / 10) if left.cells else STRONGEST
        self.strongest = max(min(wanted, len(self.seen) - 1), 0)
        self._strongest = self._taken(ranked[: self.strongest])
        self.word = left.strongest(self.weights)
        of_word = [] if self.word is None else left.tokens[self.word]
        self._of_word = self._taken([key for key in self.seen if key in of_word])
        self._random = [self._taken(self._drawn(seed)) for seed in range(choices.seeds)]
        self._uniform = self.edits.add(self.plans.uniform())
        self._permuted = [
            self.edits.add(self.plans.permuted(seed)) for seed in range(choices.seeds)
        ]
        self._given = (
            None
            if left.cells
            else [self.edits.add(self.plans.given_back(key)) for key in self.seen]
        )
        self.weighted: Doubles | None = None  # by the values
        self._zeroed: list[int | None] | None = None
        if choices.removal == "silence":
            self._zeroed = self._single
        elif not left.cells:
            self._zeroed = [
                self.edits.add(self.plans.zeroed(key)) if several else None for key in self.seen
            ]

    def _drawn(self, seed: int) -> list[int]:
        random = np.random.default_rng([seed, self.step.query])
        return [int(key) for key in random.choice(self.seen, self.strongest, replace=False)]

    def _taken(self, keys: Sequence[int]) -> int | None:
        if not 0 < len(keys) < len(self.seen):
            return None
        return self.edits.add(self.plans.without(keys))

    def _cost(self, place: int | None) -> float:
        if place is None:
            return float("nan")
        return self.step.log_probability - self.edits.log_probabilities[place]

    def let_go(self) -> None:
        """Drop what only a row whose orders are bounded needs again: a state may be large."""
        if len(self.seen) > orders.MOST_EXACT:
            none = np.zeros(0)
            self.step = self.step._replace(state=None, distribution=none, logits=none)

    def costs(self) -> Doubles:
        """Return the cost of taking each key (K,)."""
        return self._on_keys([self._cost(place) for place in self._single])

    def given_back(self) -> Doubles | None:
        """Return what each key's own weight adds to a uniform row (K,); None if it was not run."""
        if self._given is None:
            return None
        logs = self.edits.log_probabilities
        return self._on_keys([logs[place] - logs[self._uniform] for place in self._given])

    def zeroed(self) -> Doubles | None:
        """Return how far the output turns if the value of each key is zeroed (K,)."""
        if self._zeroed is None:
            return None
        turns = self.edits.turns
        return self._on_keys([np.nan if at is None else turns[at] for at in self._zeroed])

    def weighted_by_value(self) -> Doubles | None:
        """Return the norm of what each key adds to the output (K,)."""
        return None if self.weighted is None else self._on_keys(self.weighted[self.seen])

    def controls(self) -> tuple[float, list[float]]:
        """Return the cost of taking the strongest keys, and of as many at random (R,)."""
        return self._cost(self._strongest), [self._cost(place) for place in self._random]

    def word_cost(self) -> float:
        """Return the cost of taking the word that the row attends to most from the row."""
        return self._cost(self._of_word)

    def distances(self) -> tuple[float, list[float]]:
        """Return the distances under uniform and under permuted attention (R,)."""
        distances = self.edits.distances
        return distances[self._uniform], [distances[place] for place in self._permuted]

    def _on_keys(self, values: Sequence[float] | Doubles) -> Doubles:
        row = np.full(len(self.weights), np.nan)
        row[self.seen] = values
        return row


class LeavingOut:
    """The words of an input that can be left out, or the cells of a picture."""

    def __init__(self, source: Axis, maps: Maps, removal: str) -> None:
        self._maps, self._removal = maps, removal
        self.keys = len(source)
        self.tokens: list[list[int]] = []  # of each word
        self.words: tuple[int, ...] = ()
        self.cells = isinstance(source, GridAxis)
        if isinstance(source, GridAxis):
            self.words = (*range(len(source.marks), len(source)),)
            self.tokens = [[cell] for cell in self.words]
        elif isinstance(source, TokenAxis):
            read = len(source) if source.written is None else source.written
            written = {token.word for token in source.tokens[read:]}
            own = [
                place
                for place, word in enumerate(source.words)
                if not word.special and place not in written
            ]
            if len(own) > 1:  # without its only word there is no text
                self.words = (*own,)
                self.tokens = [
                    [at for at, token in enumerate(source.tokens) if token.word == word]
                    for word in own
                ]

    def strongest(self, weights: Doubles) -> int | None:
        """Return the place of the word with the largest sum of weights; None without words."""
        if not self.words:
            return None
        return int(np.argmax([weights[tokens].sum() for tokens in self.tokens]))

    def at_once(self, written: int) -> int:
        """Return how many are left out in one call, in which each row reads a text of its own."""
        read = 0 if self.cells else self.keys
        return min(AT_ONCE, max(1, TOKENS_AT_ONCE // max(read, written, 1)))

    def inputs(self, source: Any, some: slice) -> tuple[list[Any], list[Any]]:
        """Return the inputs without each of some words, and edits where it is one picture."""
        if self.cells:
            taken = self.tokens[some]
            return [source], [self._maps.plan(self._removal, keys) for keys in taken]
        return [
            [token for place, token in enumerate(source) if place not in left_out]
            for left_out in self.tokens[some]
        ], []

    def result(self, rows: Sequence[_Row], costs: Doubles) -> LeftOut | None:
        """Return the costs beside the attention to each word."""
        if not self.words:
            return None
        weights = np.array([row.weights for row in rows])
        attention = np.stack([weights[:, tokens].sum(axis=1) for tokens in self.tokens], axis=1)
        return LeftOut(
            self.words,
            costs,
            attention,
            tuple(row.word or 0 for row in rows),
            np.array([row.word_cost() for row in rows]),
        )


class _Figures:
    """The figures of all rows."""

    def __init__(
        self,
        trace: Trace,
        rows: Sequence[_Row],
        choices: AuditChoices,
        left_out: LeftOut | None,
    ) -> None:
        self._trace, self._rows, self._choices = trace, rows, choices
        self._left_out = left_out
        self._costs = np.array([row.costs() for row in rows])
        attention = np.array([row.weights for row in rows], np.float64)
        self._attention = np.where(np.isfinite(self._costs), attention, np.nan)

    def chosen_row(self) -> int:
        """Return the row whose orders are bounded: by default that of the largest effect."""
        if self._choices.row is not None:
            return self._choices.row
        sizes = [
            (self.bounded(row), np.nanmax(np.abs(costs), initial=0.0))
            for row, costs in enumerate(self._costs)
        ]
        return max(range(len(sizes)), key=sizes.__getitem__)

    def bounded(self, row: int) -> bool:
        """Return true if every set of the keys of a row can be run."""
        return 1 < len(self._rows[row].seen) <= orders.MOST_EXACT

    def audit(
        self,
        maps: Maps,
        chosen: int,
        values: Sequence[float],
        taus: Sequence[float],
        trainings: OtherTrainings | None,
        count: int,
    ) -> Audit:
        """Put the audit together."""
        controls = [row.controls() for row in self._rows]
        distances = [row.distances() for row in self._rows]
        seeds = self._choices.seeds
        return Audit(
            self._trace,
            self._choices,
            maps,
            np.array([row.step.log_probability for row in self._rows]),
            np.array([row.weights for row in self._rows], np.float64),
            self._costs,
            self._given_back(),
            Controls(
                max(row.strongest for row in self._rows),
                np.array([cost for cost, _ in controls]),
                np.array([random for _, random in controls]).T.reshape(seeds, -1),
            ),
            Distances(
                np.array([uniform for uniform, _ in distances]),
                np.array([permuted for _, permuted in distances]).T.reshape(seeds, -1),
            ),
            self._values(),
            self._left_out,
            self._agreements(taus),
            self._orders(chosen, np.array(values)) if len(values) else None,
            trainings,
            count,
        )

    def _given_back(self) -> Doubles | None:
        return _stacked(map(_Row.given_back, self._rows))

    def _values(self) -> ValueMaps:
        weighted = _stacked(map(_Row.weighted_by_value, self._rows))
        zeroed = _stacked(map(_Row.zeroed, self._rows))
        return ValueMaps(
            weighted,
            zeroed,
            *(
                None if map_ is None else agreement(map_, self._costs)
                for map_ in (weighted, zeroed)
            ),
        )

    def random_taus(self) -> Iterator[float]:
        """Yield the agreement of each of several random maps with the costs."""
        random = np.random.default_rng(0)
        for _ in range(self._choices.seeds):
            yield mean_tau(random.random(self._costs.shape), self._costs) or 0.0

    def _agreements(self, taus: Sequence[float]) -> Agreements:
        left = self._left_out
        keys = [len(row.seen) for row in self._rows]
        return Agreements(
            agreement(self._attention, self._costs),
            agreement(place_map(self._trace.source, len(self._rows)), self._costs),
            band(taus),
            float(np.mean(1 / np.array(keys))),
            None if left is None else agreement(left.attention, left.cost),
        )

    def _orders(self, chosen: int, values: Doubles) -> RowOrders:
        row = self._rows[chosen]
        seen = row.seen
        known = orders.bounds(values)
        attention, effects = (
            orders.score(values, [int(key) for key in np.argsort(-map_[chosen, seen])], known)
            for map_ in (self._attention, self._costs)
        )
        random = np.random.default_rng(chosen)
        drawn = [
            orders.score(values, random.permutation(len(seen)).tolist(), known)
            for _ in range(ORDERS)
        ]
        taken = [score.comprehensiveness for score in drawn if score.comprehensiveness is not None]
        left = [score.sufficiency for score in drawn if score.sufficiency is not None]
        return RowOrders(
            chosen,
            tuple(seen),
            known,
            attention,
            effects,
            (band(taken), band(left)) if taken else None,
            len(values) - 1,
        )


def _stacked(rows: Iterable[Doubles | None]) -> Doubles | None:
    """Return a map of rows (Q, K); None if there are none."""
    known = [row for row in rows if row is not None]
    return np.array(known) if known else None


def place_map(source: object, rows: int) -> Doubles:
    """Return a map (Q, K) that knows places alone: the diagonal, or the centre of a picture."""
    if isinstance(source, GridAxis):
        places = [
            -np.hypot(row - (source.rows - 1) / 2, column - (source.columns - 1) / 2)
            for row in range(source.rows)
            for column in range(source.columns)
        ]
        return np.tile([min(places)] * len(source.marks) + places, (rows, 1))
    count = len(source) if isinstance(source, TokenAxis) else 0
    if isinstance(source, TokenAxis) and source.written is not None:
        before = np.arange(rows)[:, None] + source.written - 1  # the token that each row is at
        near: Doubles = -np.abs(np.arange(count) - before).astype(np.float64)
        return near
    keys = np.linspace(0, 1, count) if count > 1 else np.zeros(count)
    queries = np.linspace(0, 1, rows) if rows > 1 else np.zeros(rows)
    diagonal: Doubles = -np.abs(keys - queries[:, None])
    return diagonal


def band(values: Sequence[float]) -> Band:
    """Return the mean of a figure over seeds, and the range of the middle 95 %."""
    low, high = np.percentile(values, PERCENTILES)
    return Band(float(np.mean(values)), float(low), float(high))
