"""The first steps of one text, which a person reads again and again while dragging an edit."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from heed.models.generation.search import Steps
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans
from heed.models.runtime.protocol import Encoded, Ints, Step
from heed.models.trace import Output

MOST_KEPT: Final = 64
"""Tokens of a text that is kept, and of its output: one to three megabytes with its steps."""
MOST_STEPS: Final = 16


class _Taken(NamedTuple):
    """A step from a state with one row, and the state after it."""

    token: int
    step: Step
    state: object


class KeptSteps:
    """An encoded text, with the steps that its runs began with, and its output without edits.

    Runs without tiles give the same bits each time, so that no step is taken twice. Only one run
    at a time may use it, as a runtime may append to a state.
    """

    def __init__(self, runtime: Steps, encoded: Encoded) -> None:
        self.encoded = encoded
        self.output: Output | None = None  # without edits
        self._runtime = runtime
        self._taken: list[_Taken] = []

    def keep_output(self, output: Output) -> None:
        """Keep the output without edits. Its vectors are copied out of the blocks of all rows."""
        steps = (
            step._replace(
                query=step.query.copy(), context=step.context.copy(), state=step.state.copy()
            )
            for step in output.steps
        )
        self.output = replace(output, steps=tuple(steps))

    @property
    def encode_groups(self) -> tuple[MapGroup, ...]:
        """The maps of the encoder."""
        return self._runtime.encode_groups

    @property
    def step_groups(self) -> tuple[MapGroup, ...]:
        """The maps that each step returns a row of."""
        return self._runtime.step_groups

    def step(
        self, state: object, rows: Ints, tokens: Ints, edits: Plans = ()
    ) -> tuple[Step, object]:
        """Continue `rows` of `state`, by a kept step if there is one."""
        place = None if edits or len(rows) > 1 else self._place(state)
        if place is None:
            return self._runtime.step(state, rows, tokens, edits)
        token = int(tokens[0])
        if place == len(self._taken) or self._taken[place].token != token:
            step, after = self._runtime.step(state, rows, tokens)
            if place >= MOST_STEPS:
                return step, after
            kept = step._replace(logits=step.logits.copy())
            self._taken[place:] = [_Taken(token, kept, after)]
        return self._taken[place].step, self._taken[place].state

    def _place(self, state: object) -> int | None:
        """Return the count of steps before a state that is kept."""
        states = [self.encoded.state, *(taken.state for taken in self._taken)]
        return next((place for place, kept in enumerate(states) if kept is state), None)
