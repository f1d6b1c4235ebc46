"""Greedy, beam, sampled and forced decoding: one loop over the runtime's `step`, for every model.

Every text of a batch has its own plan; all live hypotheses of all texts share each step. A
hypothesis carries its attention, so a beam's maps are its own.

Shapes: `N` rows (live hypotheses), `V` vocabulary, `H` heads, `K` keys, `D` width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, Plans
from heed.models.runtime.protocol import NEVER_WRITTEN, Ints, Step
from heed.models.text.tokenizer import END, START
from heed.models.trace import AxisName, Change, Drawn, Floats, SearchRequest

ALTERNATIVES = 5
NO_LOGITS = np.zeros((0, 0), np.float32)

LogProbabilities = NDArray[np.float64]


class Steps(Protocol):
    """The part of a runtime that does not depend on what it reads."""

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The maps of the encoder."""

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The maps that each step returns a row of."""

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, object]:
        """Continue `rows` of `state`, each with its last token and under its edits, if any."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The search for one output, and its greatest length.

    The tokens of an output may be given: by a target, or by another plan of the batch that it
    follows. They are given to the end, or up to the step from which it is free.
    """

    search: SearchRequest
    longest: int
    target: tuple[int, ...] = ()  # with its end mark
    free_from: int | None = None
    follows: int | None = None  # the place of an earlier plan, whose output has one hypothesis
    row: int | None = None  # of the encoded batch, if it is not the place of the plan
    edits: EditPlan | None = None  # of its steps, if the row was encoded without them
    recorded: bool = True  # false if the tokens alone are wanted: the maps of a step take memory

    @property
    def forced(self) -> bool:
        """Return true if the whole output is given."""
        return self.free_from is None and (bool(self.target) or self.follows is not None)

    @property
    def width(self) -> int:
        """The hypotheses that it needs."""
        return self.search.beam if self.search.kind == "beam" and not self.forced else 1


class StepRows(NamedTuple):
    """One step with its ranking as lists, converted once for all rows."""

    step: Step  # without the logits, which the runtime overwrites in the next step
    tokens: list[list[int]]  # the likeliest of each row
    log_probabilities: list[list[float]]
    normalizers: list[float]


class Record(NamedTuple):
    """The numbers of one step of one hypothesis: a row of a step."""

    log_probability: float
    rows: StepRows
    row: int
    keys: Sequence[int | None]  # their count by group; None where keys are tokens written

    @property
    def likeliest(self) -> list[int]:
        """The tokens that a trace lists as alternatives, the likeliest first."""
        return self.rows.tokens[self.row][:ALTERNATIVES]

    @property
    def log_probabilities(self) -> list[float]:
        """The log-probabilities of the likeliest tokens."""
        return self.rows.log_probabilities[self.row][:ALTERNATIVES]

    @property
    def query(self) -> Floats:
        """The query vector (D,)."""
        return self.rows.step.query[self.row]

    @property
    def context(self) -> Floats:
        """The context vector (D,)."""
        return self.rows.step.context[self.row]

    @property
    def state(self) -> Floats:
        """The new state (D,)."""
        return self.rows.step.state[self.row]

    @property
    def gate(self) -> float | None:
        """The gate β on the context, if the model has one."""
        gates = self.rows.step.gates
        return None if gates is None else float(gates[self.row])

    @property
    def drawn(self) -> Drawn | None:
        """The cell that was drawn, if attention is hard."""
        drawn = self.rows.step.drawn
        if drawn is None:
            return None
        return Drawn(int(drawn.cells[self.row]), float(drawn.log_probabilities[self.row]))


class Hypothesis(NamedTuple):
    """An output so far: its last token, and the hypothesis that it continues."""

    parent: Hypothesis | None
    token: int
    record: Record | None
    length: int
    log_probability: float

    @property
    def ended(self) -> bool:
        """Return true if its last token is the end mark."""
        return self.token == END

    def path(self) -> list[Hypothesis]:
        """Return the hypotheses from the first token to this one."""
        path: list[Hypothesis] = []
        here: Hypothesis | None = self
        while here is not None and here.parent is not None:
            path.append(here)
            here = here.parent
        return path[::-1]

    def score(self, length_penalty: float) -> float:
        """Rank beams: log-probability over length to the power of the penalty."""
        return self.log_probability / max(self.length, 1) ** length_penalty


class _Row(NamedTuple):
    """A row of a step: the row of the state that it continues, with its last token and edits."""

    row: int
    token: int
    edits: EditPlan | None


ROOT = Hypothesis(None, START, None, 0, 0.0)


class Decoding:
    """The search for one output: its live hypotheses and the finished ones."""

    def __init__(
        self,
        plan: Plan,
        keys: Sequence[int | None],
        row: int,
        leader: Decoding | None = None,
    ) -> None:
        self.plan = plan
        self.live: list[Hypothesis] = [ROOT]
        self.rows = [row]  # of the state, one for each live hypothesis
        self.changes: list[Change] = []  # from the output that it follows to the end
        self.finished: list[Hypothesis] = []
        self.broken = False  # the network computed NaN
        self._keys = keys  # their count by group; None where keys are tokens written
        self.leader = leader

    @cached_property
    def _random(self) -> np.random.Generator:
        return np.random.default_rng(self.plan.search.seed)

    @property
    def done(self) -> bool:
        """Return true if no hypothesis is live."""
        return not self.live

    def ranked(self) -> list[Hypothesis]:
        """Return the finished hypotheses, or the live ones if there is none, the best first."""
        penalty = self.plan.search.length_penalty
        candidates = self.finished or self.live
        return sorted(candidates, key=lambda hypothesis: -hypothesis.score(penalty))

    def leading(self) -> Hypothesis:
        """Return the best hypothesis so far, finished or not."""
        penalty = self.plan.search.length_penalty
        return max([*self.finished, *self.live], key=lambda hypothesis: hypothesis.score(penalty))

    def stop(self) -> None:
        """Drop the live hypotheses."""
        self.live, self.rows = [], []

    def next_rows(self) -> Iterator[_Row]:
        """Yield the row of the next step of each live hypothesis."""
        edits = self.plan.edits
        for row, hypothesis in zip(self.rows, self.live, strict=True):
            changed = edits is not None and edits.changes_step(hypothesis.length)
            yield _Row(row, hypothesis.token, edits if changed else None)

    def advance(self, step: StepRows, logits: Floats, rows: Sequence[int]) -> None:
        """Continue the live hypotheses by one step, of which they are these rows."""
        broken = any(math.isnan(step.normalizers[row]) for row in rows)
        if broken or (self.leader and self.leader.broken):
            self.broken = True
            self.stop()
            return
        live, parents = [], []
        for place, token, log_probability in self._choose(step, logits, rows):
            row, old = rows[place], self.live[place]
            record = Record(log_probability, step, row, self._keys)
            hypothesis = Hypothesis(
                old,
                token,
                record if self.plan.recorded else None,
                old.length + 1,
                old.log_probability + log_probability,
            )
            if token == END or hypothesis.length >= self.plan.longest:
                self.finished.append(hypothesis)
            else:
                live.append(hypothesis)
                parents.append(row)
        self.live, self.rows = live, parents
        if len(self.finished) >= self.plan.width:  # enough: drop the others
            self.stop()

    def _choose(
        self, step: StepRows, logits: Floats, rows: Sequence[int]
    ) -> list[tuple[int, int, float]]:
        """Choose the continuations: place of the hypothesis, token, log-probability."""
        row, written = rows[0], self.live[0].length
        if (token := self._given(written)) is not None:
            return [(0, token, float(logits[row, token]) - step.normalizers[row])]
        if self.plan.search.kind == "greedy":
            tokens, logs = step.tokens[row], step.log_probabilities[row]
            place = int(written == 0 and tokens[0] == END)  # an empty output is not allowed
            return [(0, tokens[place], logs[place])]
        mine = logits[list(rows)].astype(np.float64)
        mine[:, :NEVER_WRITTEN] = -np.inf
        log_probabilities = mine - _log_sum_exp(mine)
        likely = log_probabilities if written else _not_empty(log_probabilities)
        if self.plan.search.kind == "sample":
            chosen = [(0, self._draw(likely[0]))]
        else:
            chosen = self._best(likely)
        return [(at, token, float(log_probabilities[at, token])) for at, token in chosen]

    def _given(self, written: int) -> int | None:
        """Return the token that is given at this step; None if the output is free."""
        plan = self.plan
        if plan.free_from is not None and written >= plan.free_from:
            return None
        if self.leader is not None:
            return self.leader.token(written)
        return plan.target[written] if plan.target else None

    def token(self, place: int) -> int | None:
        """Return a token of an output with one hypothesis; None if it was not written."""
        path = self.leading().path()
        return path[place].token if place < len(path) else None

    def compare(self, step: StepRows, logits: Floats, before: int, mine: int) -> None:
        """Note what differs between a row of the output that it follows and its own."""
        token = self.token(-1) or 0
        if before == mine:
            was = float(logits[mine, token]) - step.normalizers[mine]
            self.changes.append(Change(was, was, 0.0))
            return
        was, now = (float(logits[row, token]) - step.normalizers[row] for row in (before, mine))
        others = logits[before, NEVER_WRITTEN:] - logits[mine, NEVER_WRITTEN:]
        chances = np.exp(logits[before, NEVER_WRITTEN:] - np.float32(step.normalizers[before]))
        shift = step.normalizers[mine] - step.normalizers[before]
        divergence = float(chances @ others) + shift
        self.changes.append(Change(was, now, max(divergence, 0.0)))

    def _best(self, log_probabilities: LogProbabilities) -> list[tuple[int, int]]:
        """Choose the best continuations: as many as the beam still needs."""
        wanted = self.plan.width - len(self.finished)
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
        """Draw a token at the temperature of the request."""
        behind = log_probabilities - log_probabilities.max()
        with np.errstate(over="ignore"):  # near temperature 0 only the likeliest is left
            probabilities = np.exp(behind / self.plan.search.temperature)
        return int(self._random.choice(len(probabilities), p=probabilities / probabilities.sum()))


def search(
    runtime: Steps,
    state: object,
    plans: Sequence[Plan],
    lengths: Sequence[Mapping[AxisName, int]],
) -> Iterator[list[Decoding]]:
    """Write every output of an encoded batch; yields the decodings after every step, until done.

    `lengths` are those of the source axes. 1. gather the live hypotheses of all texts; those that
    wrote the same under the same edits share a row  2. step them together  3. choose the
    continuations of each.
    """
    keys = [group.key for group in runtime.step_groups]
    decodings: list[Decoding] = []
    for place, (plan, length) in enumerate(zip(plans, lengths, strict=True)):
        leader = None if plan.follows is None else decodings[plan.follows]
        row = place if plan.row is None else plan.row
        decodings.append(Decoding(plan, [length.get(key) for key in keys], row, leader))
    while live := [decoding for decoding in decodings if not decoding.done]:
        taken: dict[_Row, int] = {}
        rows_of = {
            id(decoding): [taken.setdefault(row, len(taken)) for row in decoding.next_rows()]
            for decoding in live
        }
        rows, tokens, edits = zip(*taken, strict=True)
        step, state = runtime.step(state, _ints(rows), _ints(tokens), edits if any(edits) else ())
        stepped = _rows(step)
        for decoding in live:
            mine = rows_of[id(decoding)]
            decoding.advance(stepped, step.logits, mine)
            if decoding.leader is not None and decoding.plan.forced and not decoding.broken:
                decoding.compare(stepped, step.logits, rows_of[id(decoding.leader)][0], mine[0])
        yield decodings


def _ints(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int64)


def _rows(step: Step) -> StepRows:
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
    """Return the places of the largest values, the largest first; of equal ones, the first."""
    count = min(count, len(values))
    best = np.argpartition(-values, count - 1)[:count]
    return best[np.lexsort((best, -values[best]))]


def _not_empty(log_probabilities: LogProbabilities) -> LogProbabilities:
    """Exclude the end mark at the first step: an empty output is not allowed."""
    log_probabilities = log_probabilities.copy()
    log_probabilities[:, END] = -np.inf
    return log_probabilities
