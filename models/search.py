"""Greedy, beam, sampled and forced decoding: one loop over the runtime's `step`, for every model.

Every text of a batch has its own plan; all live hypotheses of all texts share each step. What a
hypothesis looked at is carried with it, so a beam's maps are its own.

Shapes: `N` rows (live hypotheses), `V` vocabulary, `H` heads, `K` what is looked at, `D` width.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.runtime import Attended, Ints, Runtime, Step
from models.tokenizer import END, PAD, START
from models.trace import AxisName, Drawn, Floats, SearchRequest

ALTERNATIVES = 5

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


@dataclass(frozen=True, slots=True)
class Record:
    """The numbers of one step of one hypothesis."""

    log_probability: float
    alternatives: tuple[tuple[int, float], ...]  # token and probability, the likeliest first
    attended: tuple[Attended, ...]  # (H, K) of each group, and (H, D) of its query
    query: Floats  # (D,)
    context: Floats  # (D,)
    state: Floats  # (D,)
    gate: float | None = None
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
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

    def __init__(self, plan: Plan, keys: Sequence[int | None]) -> None:
        self.plan = plan
        self.live: list[Hypothesis] = [ROOT]
        self.finished: list[Hypothesis] = []
        self._keys = keys  # of each group; None where they are not those of what was read
        self._width = plan.search.beam if plan.search.kind == "beam" and not plan.forced else 1
        self._random = np.random.default_rng(plan.search.seed)

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

    def advance(self, step: Step, rows: range) -> list[int]:
        """Take the step of the live hypotheses, which are these rows of it.

        The rows of the step that the new live hypotheses go on from.
        """
        logits = step.logits[rows.start : rows.stop].astype(np.float64)
        logits[:, [PAD, START]] = -np.inf
        log_probabilities = logits - _log_sum_exp(logits)
        chosen = self._choose(log_probabilities)
        alternatives: dict[int, tuple[tuple[int, float], ...]] = {}
        live, parents = [], []
        for place, token in chosen:
            row = rows.start + place
            if place not in alternatives:
                alternatives[place] = _likeliest(log_probabilities[place])
            log_probability = float(log_probabilities[place, token])
            old = self.live[place]
            hypothesis = Hypothesis(
                old,
                token,
                self._record(step, row, log_probability, alternatives[place]),
                old.length + 1,
                old.log_probability + log_probability,
            )
            if hypothesis.ended or hypothesis.length >= self.plan.longest:
                self.finished.append(hypothesis)
            else:
                live.append(hypothesis)
                parents.append(row)
        self.live = [] if self._complete(live) else live
        return parents if self.live else []

    def _choose(self, log_probabilities: LogProbabilities) -> list[tuple[int, int]]:
        """Which hypotheses go on (by place) with which token."""
        if self.plan.forced:
            return [(0, self.plan.target[self.live[0].length])]
        log_probabilities = _not_empty(log_probabilities, self.live)
        if self.plan.search.kind == "sample":
            return [(0, self._draw(log_probabilities[0]))]
        return self._best(log_probabilities)

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

    def _complete(self, live: Sequence[Hypothesis]) -> bool:
        """Whether enough is finished, so that the live hypotheses need not go on."""
        return not live or len(self.finished) >= self._width

    def _record(
        self,
        step: Step,
        row: int,
        log_probability: float,
        alternatives: tuple[tuple[int, float], ...],
    ) -> Record:
        return Record(
            log_probability=log_probability,
            alternatives=alternatives,
            attended=tuple(
                Attended(
                    group.scores[row, :, :count],
                    group.weights[row, :, :count],
                    None if group.query is None else group.query[row],
                )
                for group, count in zip(step.attended, self._keys, strict=True)
            ),
            query=step.query[row],
            context=step.context[row],
            state=step.state[row],
            gate=None if step.gates is None else float(step.gates[row]),
            drawn=step.drawn
            and Drawn(int(step.drawn.cells[row]), float(step.drawn.log_probabilities[row])),
        )


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
        Decoding(plan, [length.get(key) for key in keys])
        for plan, length in zip(plans, lengths, strict=True)
    ]
    rows = list(range(len(plans)))
    while not all(decoding.done for decoding in decodings):
        tokens = [hypothesis.token for decoding in decodings for hypothesis in decoding.live]
        step, state = runtime.step(state, _ints(rows), _ints(tokens))
        rows, start = [], 0
        for decoding in decodings:
            if decoding.done:
                continue
            mine = range(start, start + len(decoding.live))
            start = mine.stop
            rows += decoding.advance(step, mine)
        yield decodings


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _log_sum_exp(logits: LogProbabilities) -> LogProbabilities:
    top = logits.max(axis=-1, keepdims=True)
    total: LogProbabilities = top + np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return total


def _likeliest(log_probabilities: LogProbabilities) -> tuple[tuple[int, float], ...]:
    best = _largest(log_probabilities, ALTERNATIVES)
    return tuple(
        (int(token), float(np.exp(log_probabilities[token])))
        for token in best
        if np.isfinite(log_probabilities[token])
    )


def _largest(values: LogProbabilities, count: int) -> Ints:
    """Places of the largest values, the largest first; of equal ones, the first."""
    count = min(count, len(values))
    best = np.argpartition(-values, count - 1)[:count]
    return best[np.lexsort((best, -values[best]))]


def _not_empty(log_probabilities: LogProbabilities, live: Sequence[Hypothesis]) -> LogProbabilities:
    """The same, but for the end mark at the very start: an empty text is no answer."""
    if live[0].length:
        return log_probabilities
    log_probabilities = log_probabilities.copy()
    log_probabilities[:, END] = -np.inf
    return log_probabilities
