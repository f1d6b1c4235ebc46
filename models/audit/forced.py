"""Forced steps that are taken again under edits: one step from the kept state, not a run.

Shapes: `N` edits of a step, or runs; `Q` tokens of the output, `V` vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from heed.models.errors import NonFiniteOutputError
from heed.models.runtime.edited import Plans
from heed.models.runtime.protocol import (
    NEVER_WRITTEN,
    Attended,
    EncodeOptions,
    KnowsValues,
    Runtime,
    Step,
)
from heed.models.text.tokenizer import START
from heed.models.trace import Floats

AT_ONCE: Final = 32
"""Rows of one call: more gain nothing, and the audit pauses between calls."""
LEAST_AT_ONCE: Final = 4
TOKENS_AT_ONCE: Final = 1024  # of all rows of a call, or of all inputs that are read together
LOGITS_AT_ONCE: Final = 2**20  # of all rows of a call: large vocabularies take much memory
EXACT: Final = EncodeOptions(by_tiles=False)

Doubles = NDArray[np.float64]
S = TypeVar("S")


class ForcedStep(NamedTuple):
    """One step of a forced output, and the state from which it can be taken again."""

    query: int
    state: object
    last: int  # the token before
    token: int  # that is forced
    log_probability: float
    distribution: Doubles  # (V,), of the next token
    logits: Doubles  # (V,), less their mean
    attended: tuple[Attended, ...]


class Answers(NamedTuple):
    """The forced token under each of several edits of a step."""

    log_probabilities: Doubles  # (N,)
    distances: Doubles  # (N,), total variation of the next token's distribution, if asked for
    turns: Doubles  # (N,), cosine distance of the logits, if asked for


class ForcedSteps(Generic[S]):
    """The steps of one output that a model is forced to write, without edits."""

    def __init__(self, runtime: Runtime[S], source: S, tokens: Sequence[int]) -> None:
        self._runtime, self._tokens = runtime, tokens
        self._first = runtime.encode([source], EXACT).state

    def value_vectors(self) -> tuple[Floats | None, ...]:
        """Return what each key adds to the output, for each group of a step."""
        if isinstance(self._runtime, KnowsValues):
            return self._runtime.value_vectors(self._first)
        return tuple(None for _ in self._runtime.step_groups)

    def __iter__(self) -> Iterator[ForcedStep]:
        state, last = self._first, START
        for query, token in enumerate(self._tokens):
            step, after = self._runtime.step(state, np.zeros(1, np.int64), np.array([last]))
            yield ForcedStep(
                query,
                state,
                last,
                token,
                float(_log_probabilities(step, [token])[0]),
                _distributions(step)[0],
                _centred(step)[0],
                step.attended,
            )
            state, last = after, token

    def again(self, step: ForcedStep, plans: Plans, *, distances: bool = True) -> Iterator[Answers]:
        """Take a step again under each of these edits, some of them at a time."""
        # Each row has a copy of what a Transformer wrote so far, behind its prompt if it has one.
        at_once = min(AT_ONCE, max(LEAST_AT_ONCE, TOKENS_AT_ONCE // self._held(step)))
        at_once = min(at_once, max(1, LOGITS_AT_ONCE // len(step.logits)))
        for first in range(0, len(plans), at_once):
            some = plans[first : first + at_once]
            rows, tokens = np.zeros(len(some), np.int64), np.full(len(some), step.last)
            made, _ = self._runtime.step(step.state, rows, tokens, some)
            logs = _log_probabilities(made, [step.token] * len(some))
            moved = turned = np.zeros(0)
            if distances:
                moved = np.abs(_distributions(made) - step.distribution).sum(axis=1) / 2
                turned = _turns(_centred(made), step.logits)
            yield Answers(logs, moved, turned)

    def _held(self, step: ForcedStep) -> int:
        """Return the tokens whose keys and values a row has."""
        attended = zip(self._runtime.step_groups, step.attended, strict=True)
        prompts: list[int] = [
            own.weights.shape[-1]
            for group, own in attended
            if group.kind == "decoder-self" and group.key == "source"
        ]
        return max([step.query + 1, *prompts])


def forced_runs(
    runtime: Runtime[S], sources: Sequence[S], tokens: Sequence[int], plans: Plans = ()
) -> Iterator[Doubles]:
    """Force an output for each source, or for one source under each of these edits.

    Yields the log-probabilities (N,) of each token.
    """
    state = runtime.encode(sources, EXACT).state
    count, last = len(plans) or len(sources), START
    rows = np.zeros(count, np.int64) if plans else np.arange(count)
    for token in tokens:
        step, state = runtime.step(state, rows, np.full(count, last), plans)
        yield _log_probabilities(step, [token] * count)
        rows, last = np.arange(count), token


def _log_probabilities(step: Step, tokens: Sequence[int]) -> Doubles:
    """Return the log-probability (N,) of the token of each row, or raise an error if it is NaN."""
    logits = step.logits[np.arange(len(tokens)), tokens].astype(np.float64)
    logs: Doubles = logits - step.ranking.normalizer
    if not np.isfinite(logs).all():
        raise NonFiniteOutputError("the model computed NaN or infinity under an edit")
    return logs


def _distributions(step: Step) -> Doubles:
    """Return the distribution (N, V) of the next token of each row."""
    logits = step.logits[:, NEVER_WRITTEN:]
    chances: Doubles = np.exp(logits - step.ranking.normalizer[:, None]).astype(np.float64)
    return chances


def _centred(step: Step) -> Doubles:
    """Return the logits (N, V) of each row, less their mean."""
    logits = step.logits[:, NEVER_WRITTEN:].astype(np.float64)
    logits -= logits.mean(axis=1, keepdims=True)
    return logits


def _turns(rows: Doubles, usual: Doubles) -> Doubles:
    """Return the cosine distance (N,) of rows (N, V) from one (V,)."""
    products = np.einsum("nv,v->n", rows, usual)
    norms = np.sqrt(np.einsum("nv,nv->n", rows, rows) * np.einsum("v,v->", usual, usual))
    similar = np.divide(products, norms, out=np.ones_like(products), where=norms > 0)
    turned: Doubles = 1 - similar
    return turned
