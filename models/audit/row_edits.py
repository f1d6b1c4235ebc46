"""The edits of one row that an audit runs, each set of keys once.

Shapes: `K` keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heed.models.audit.forced import Answers, Doubles, ForcedStep
from heed.models.edits.rows import RowEdit
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, MapEdit


@dataclass(frozen=True, slots=True)
class Maps:
    """The heads that an audit is about: those of one layer or of all, one of them or all."""

    step_groups: tuple[MapGroup, ...]
    groups: tuple[MapGroup, ...]
    layer: int | None
    head: int | None

    @property
    def layers(self) -> int:
        """The layers of the model."""
        return 1 + max(group.layer for group in self.groups)

    @property
    def heads(self) -> int:
        """The heads of each layer."""
        return self.groups[0].heads

    def chosen(self) -> list[tuple[int, int]]:
        """Return the layers and heads that it is about."""
        heads = range(self.heads) if self.head is None else (self.head,)
        layers = [group.layer for group in self.groups if self.layer in (None, group.layer)]
        return [(layer, head) for layer in layers for head in heads]

    def by_layer(self) -> dict[int, list[int]]:
        """Return the heads that it is about, by layer."""
        layers: dict[int, list[int]] = {}
        for layer, head in self.chosen():
            layers.setdefault(layer, []).append(head)
        return layers

    def place(self, layer: int) -> int:
        """Return the place of a layer among the groups of a step."""
        return self.step_groups.index(next(group for group in self.groups if group.layer == layer))

    def edit(self, row: RowEdit, places: Sequence[tuple[int, int]] | None = None) -> MapEdit:
        """Return an edit of one row or of all, in all of these heads or in some."""
        of = self.chosen() if places is None else places
        layers, heads = (frozenset(several) for several in zip(*of, strict=True))
        first = self.groups[0]
        return MapEdit(first.kind, first.key, layers, heads, None, row)

    def plan(self, op: str, keys: Sequence[int]) -> EditPlan:
        """Return the plan of one operation on keys."""
        return EditPlan([self.edit(RowEdit(op, np.array(sorted(keys), np.int32)))])

    def weights(self, step: ForcedStep) -> list[tuple[tuple[int, int], Doubles]]:
        """Return the weights (K,) of each head in a step."""
        attended = dict(zip(self.step_groups, step.attended, strict=True))
        by_layer = {group.layer: attended[group].weights[0] for group in self.groups}
        return [
            ((layer, head), by_layer[layer][head].astype(np.float64))
            for layer, head in self.chosen()
        ]

    def attention(self, step: ForcedStep) -> tuple[Doubles, list[int]]:
        """Return the mean weights (K,) of the heads in a step, and the keys that it sees."""
        weights: Doubles = np.mean([row for _, row in self.weights(step)], axis=0)
        scores = [step.attended[self.place(group.layer)].scores[0] for group in self.groups]
        seen = np.isfinite(np.concatenate(scores)).any(axis=0)  # a layer may have a window
        return weights, np.flatnonzero(seen).tolist()


class RowPlans:
    """Makes the plans of the edits of one step."""

    def __init__(self, maps: Maps, step: ForcedStep, removal: str) -> None:
        self._maps, self._removal = maps, removal
        self._weights = maps.weights(step)

    def without(self, keys: Sequence[int]) -> EditPlan | None:
        """Return the plan that takes keys away; None if there are none."""
        return self._maps.plan(self._removal, keys) if len(keys) else None

    def zeroed(self, key: int) -> EditPlan:
        """Return the plan under which the value of a key counts nothing."""
        return self._maps.plan("silence", [key])

    def uniform(self) -> EditPlan:
        """Return the plan that makes the row uniform."""
        return EditPlan([self._maps.edit(RowEdit("uniform"))])

    def permuted(self, seed: int) -> EditPlan:
        """Return the plan that permutes the scores of the row."""
        return EditPlan([self._maps.edit(RowEdit("permute", number=seed))])

    def given_back(self, key: int) -> EditPlan:
        """Return the plan that gives one key its own weight, and the others equal ones."""
        keys = np.array([key], np.int32)
        own = [
            self._maps.edit(RowEdit("set", keys, float(weights[key])), [place])
            for place, weights in self._weights
        ]
        return EditPlan([self._maps.edit(RowEdit("uniform")), *own])


class RowEdits:
    """The edits of one step, and what the step answers under each of them."""

    def __init__(self) -> None:
        self.plans: list[EditPlan | None] = []
        self.log_probabilities: list[float] = []
        self.distances: list[float] = []
        self.turns: list[float] = []

    def add(self, plan: EditPlan | None) -> int:
        """Add an edit; return its place."""
        self.plans.append(plan)
        return len(self.plans) - 1

    def note(self, answers: Answers) -> None:
        """Note the answers to the next edits."""
        self.log_probabilities.extend(answers.log_probabilities.tolist())
        self.distances.extend(answers.distances.tolist())
        self.turns.extend(answers.turns.tolist())
