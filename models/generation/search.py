"""Greedy, beam, sampled and forced decoding: one loop over the runtime's `step`, for every model.

Every text of a batch has its own plan; all live hypotheses of all texts share each step. What a
hypothesis looked at is carried with it, so a beam's maps are its own.

Shapes: `N` rows (live hypotheses), `V` vocabulary, `H` heads, `K` what is looked at, `D` width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from heed.models.runtime.protocol import NEVER_WRITTEN, Ints, Runtime, Step
from heed.models.text.tokenizer import END, START
from heed.models.trace import AxisName, Drawn, Floats, SearchRequest

ALTERNATIVES = 5
NO_LOGITS = np.zeros((0, 0), np.float32)

LogProbabilities = NDArray[np.float64]
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Plan:
    """How one text's output is chosen, and how long it may be."""

    search: SearchRequest
    longest: int
    target: tuple[int, ...] = ()  # with its end mark; given, there is nothing to choose

    @property
    def forced(self) -> bool:
        """Whether the user said what is written."""
        return bool(self.target)


class StepRows(NamedTuple):
    """One step as decodings want it: what is asked of every row is taken out of its arrays once."""

    kept: Step  # without the logits, which are a runtime's to write over with the next step
    tokens: list[list[int]]  # the likeliest of each row
    log_probabilities: list[list[float]]
    normalizers: list[float]


class Record(NamedTuple):
    """The numbers of one step of one hypothesis: a row of what the runtime told."""

    log_probability: float
    told: StepRows
    row: int
    keys: Sequence[int | None]  # of each group; None where they are not those of what was read

    @property
    def likeliest(self) -> list[int]:
        """The tokens that are told as alternatives, the likeliest first."""
        return self.told.tokens[self.row][:ALTERNATIVES]

    @property
    def log_probabilities(self) -> list[float]:
        """Those of the likeliest."""
        return self.told.log_probabilities[self.row][:ALTERNATIVES]

    @property
    def query(self) -> Floats:
        """What asked, (D,)."""
        return self.told.kept.query[self.row]

    @property
    def context(self) -> Floats:
        """What it got, (D,)."""
        return self.told.kept.context[self.row]

    @property
    def state(self) -> Floats:
        """The new state, (D,)."""
        return self.told.kept.state[self.row]

    @property
    def gate(self) -> float | None:
        """How much of the context was wanted, where a model has such a gate."""
        gates = self.told.kept.gates
        return None if gates is None else float(gates[self.row])

    @property
    def drawn(self) -> Drawn | None:
        """The cell that was looked at alone, where attention is hard."""
        drawn = self.told.kept.drawn
        if drawn is None:
            return None
        return Drawn(int(drawn.cells[self.row]), float(drawn.log_probabilities[self.row]))


class Hypothesis(NamedTuple):
    """A text as far as it is written: its last token, and the hypothesis it goes on from."""

    parent: Hypothesis | None
    token: int
    record: Record | None
    length: int
    log_probability: float

    @property
    def ended(self) -> bool:
        """Whether it came to its end mark."""
        return self.token == END

    def path(self) -> list[Hypothesis]:
        """The hypotheses from the first token to this one."""
        path: list[Hypothesis] = []
        here: Hypothesis | None = self
        while here is not None and here.parent is not None:
            path.append(here)
            here = here.parent
        return path[::-1]

    def score(self, length_penalty: float) -> float:
        """Log-probability over length to the power of the penalty, by which beams are ranked."""
        return self.log_probability / max(self.length, 1) ** length_penalty


ROOT = Hypothesis(None, START, None, 0, 0.0)


class Decoding:
    """One text being written: its live hypotheses and the finished ones."""

    def __init__(self, plan: Plan, keys: Sequence[int | None], row: int) -> None:
        self.plan = plan
        self.live: list[Hypothesis] = [ROOT]
        self.rows = [row]  # of the state, one for each live hypothesis
        self.finished: list[Hypothesis] = []
        self.broken = False  # what came out of the network were no numbers
        self._keys = keys  # of each group; None where they are not those of what was read
        self._width = plan.search.beam if plan.search.kind == "beam" and not plan.forced else 1

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(self.plan.search.seed)

    @property
    def done(self) -> bool:
        """Whether nothing is left to go on from."""
        return not self.live

    def ranked(self) -> list[Hypothesis]:
        """The finished hypotheses, and the live ones if there is none, the best first."""
        penalty = self.plan.search.length_penalty
        candidates = self.finished or self.live
        return sorted(candidates, key=lambda hypothesis: -hypothesis.score(penalty))

    def leading(self) -> Hypothesis:
        """The hypothesis that is best so far, finished or not."""
        penalty = self.plan.search.length_penalty
        return max([*self.finished, *self.live], key=lambda hypothesis: hypothesis.score(penalty))

    def stop(self) -> None:
        """Write no more of it."""
        self.live, self.rows = [], []

    def advance(self, told: StepRows, logits: Floats, rows: range) -> None:
        """Take the step of the live hypotheses, which are these rows of it."""
        if any(map(math.isnan, told.normalizers[rows.start : rows.stop])):
            self.broken = True
            self.stop()
            return
        live, parents = [], []
        for place, token, log_probability in self._choose(told, logits, rows):
            row, old = rows.start + place, self.live[place]
            hypothesis = Hypothesis(
                old,
                token,
                Record(log_probability, told, row, self._keys),
                old.length + 1,
                old.log_probability + log_probability,
            )
            if token == END or hypothesis.length >= self.plan.longest:
                self.finished.append(hypothesis)
            else:
                live.append(hypothesis)
                parents.append(row)
        self.live, self.rows = live, parents
        if len(self.finished) >= self._width:  # enough, so that the others need not go on
            self.stop()

    def _choose(self, told: StepRows, logits: Floats, rows: range) -> list[tuple[int, int, float]]:
        """Which hypotheses go on (by place) with which token, and how likely that is."""
        row, written = rows.start, self.live[0].length
        if self.plan.forced:
            token = self.plan.target[written]
            return [(0, token, float(logits[row, token]) - told.normalizers[row])]
        if self.plan.search.kind == "greedy":
            tokens, logs = told.tokens[row], told.log_probabilities[row]
            place = int(written == 0 and tokens[0] == END)  # an empty text is no answer
            return [(0, tokens[place], logs[place])]
        mine = logits[rows.start : rows.stop].astype(np.float64)
        mine[:, :NEVER_WRITTEN] = -np.inf
        log_probabilities = mine - _log_sum_exp(mine)
        likely = log_probabilities if written else _not_empty(log_probabilities)
        if self.plan.search.kind == "sample":
            chosen = [(0, self._draw(likely[0]))]
        else:
            chosen = self._best(likely)
        return [(at, token, float(log_probabilities[at, token])) for at, token in chosen]

    def _best(self, log_probabilities: LogProbabilities) -> list[tuple[int, int]]:
        """The best continuations: of a beam as many as are still to be found."""
        wanted = self._width - len(self.finished)
        so_far = np.array([hypothesis.log_probability for hypothesis in self.live])
        totals = (so_far[:, None] + log_probabilities).ravel()
        best = _largest(totals, wanted)
        places, tokens = np.divmod(best, log_probabilities.shape[1])
        return [
            (int(place), int(token))
            for place, token, total in zip(places, tokens, totals[best], strict=True)
            if np.isfinite(total)
        ]

    def _draw(self, log_probabilities: LogProbabilities) -> int:
        """A token drawn at the temperature asked for."""
        behind = log_probabilities - log_probabilities.max()
        with np.errstate(over="ignore"):  # at next to no temperature, only the likeliest is left
            probabilities = np.exp(behind / self.plan.search.temperature)
        return int(self._random.choice(len(probabilities), p=probabilities / probabilities.sum()))


def search(
    runtime: Runtime[Any, State],
    state: State,
    plans: Sequence[Plan],
    lengths: Sequence[Mapping[AxisName, int]],
) -> Iterator[list[Decoding]]:
    """Write every text of an encoded batch; yields the decodings after every step, until done.

    `lengths` are those of the axes that were read. 1. gather the live hypotheses of all texts
    2. step them together  3. let every text choose how it goes on.
    """
    keys = [group.key for group in runtime.step_groups]
    decodings = [
        Decoding(plan, [length.get(key) for key in keys], row)
        for row, (plan, length) in enumerate(zip(plans, lengths, strict=True))
    ]
    while live := [decoding for decoding in decodings if not decoding.done]:
        rows = [row for decoding in live for row in decoding.rows]
        tokens = [hypothesis.token for decoding in live for hypothesis in decoding.live]
        step, state = runtime.step(state, _ints(rows), _ints(tokens))
        told = _told(step)
        start = 0
        for decoding in live:
            mine = range(start, start + len(decoding.live))
            start = mine.stop
            decoding.advance(told, step.logits, mine)
        yield decodings


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _told(step: Step) -> StepRows:
    ranking = step.ranking
    return StepRows(
        step._replace(logits=NO_LOGITS),
        ranking.tokens.tolist(),
        ranking.log_probabilities.tolist(),
        ranking.normalizer.tolist(),
    )


def _log_sum_exp(logits: LogProbabilities) -> LogProbabilities:
    top = logits.max(axis=-1, keepdims=True)
    total: LogProbabilities = top + np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return total


def _largest(values: LogProbabilities, count: int) -> Ints:
    """Places of the largest values, the largest first; of equal ones, the first."""
    count = min(count, len(values))
    best = np.argpartition(-values, count - 1)[:count]
    return best[np.lexsort((best, -values[best]))]


def _not_empty(log_probabilities: LogProbabilities) -> LogProbabilities:
    """The same, but for the end mark at the very start: an empty text is no answer."""
    log_probabilities = log_probabilities.copy()
    log_probabilities[:, END] = -np.inf
    return log_probabilities
