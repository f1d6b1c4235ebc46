"""The edits of a batch as its runtime applies them: a list of operations for each row of a map.

Shapes: `N` rows of a batch, `H` heads, `Q` queries, `K` keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.edits.rows import RowEdit, edited_rows
from heed.models.networks.map_group import MapGroup
from heed.models.trace import AxisName, Floats, MapKind


class MapEdit(NamedTuple):
    """An edit of the maps of one kind: its rows, and what it does to each of them."""

    kind: MapKind
    key: AxisName
    layers: frozenset[int]
    heads: frozenset[int]
    queries: frozenset[int] | None  # None for all
    edit: RowEdit

    def concerns(self, group: MapGroup) -> bool:
        """Return true if it changes rows of this group of heads."""
        same = group.kind == self.kind and group.key == self.key
        return same and group.layer in self.layers

    def changes(self, head: int, query: int) -> bool:
        """Return true if it changes this row of a group that it concerns."""
        return head in self.heads and (self.queries is None or query in self.queries)


class EditPlan:
    """The edits of one request. What is found for a row is kept: many rows have the same."""

    def __init__(self, edits: Sequence[MapEdit], gates: Mapping[int, float] | None = None) -> None:
        self._edits = edits
        self._gates = gates or {}
        self._queries = _queries_of(edits)
        self._of_group: dict[MapGroup, list[MapEdit]] = {}

    def silences(self, group: MapGroup, head: int) -> bool:
        """Return true if rows of this head may have less than all of their weight."""
        return any(made.edit.op == "silence" and head in made.heads for made in self.of(group))

    def row(self, group: MapGroup, head: int, query: int) -> tuple[RowEdit, ...]:
        """Return the edits of one row, in their order."""
        return row_of(self.of(group), head, query)

    def gate(self, query: int) -> float | None:
        """Return the value that the gate has at this step; None where the network opens it."""
        return self._gates.get(query)

    def edits_at(self, query: int) -> bool:
        """Return true if it changes a row of this query in any group."""
        return self._queries is None or query in self._queries

    def changes_step(self, step: int) -> bool:
        """Return true if it changes a row, or the gate, of this step."""
        return self.edits_at(step) or step in self._gates

    def of(self, group: MapGroup) -> list[MapEdit]:
        """Return the edits of a group of heads, in their order."""
        if group not in self._of_group:
            self._of_group[group] = [edit for edit in self._edits if edit.concerns(group)]
        return self._of_group[group]

    def changes(self, group: MapGroup, queries: range) -> bool:
        """Return true if it changes a row of a group among these queries."""
        return any(
            edit.queries is None or not edit.queries.isdisjoint(queries) for edit in self.of(group)
        )

    def at(self, group: MapGroup, query: int) -> list[MapEdit]:
        """Return the edits of a group that change a row of this query."""
        edits = self.of(group)
        return [edit for edit in edits if edit.queries is None or query in edit.queries]


def _queries_of(edits: Sequence[MapEdit]) -> frozenset[int] | None:
    """Return the queries whose rows some edits change; None for all."""
    queries: set[int] = set()
    for edit in edits:
        if edit.queries is None:
            return None
        queries |= edit.queries
    return frozenset(queries)


def row_of(edits: Sequence[MapEdit], head: int, query: int) -> tuple[RowEdit, ...]:
    """Return those edits of a group that change one row."""
    return tuple(edit.edit for edit in edits if edit.changes(head, query))


Plans = Sequence[EditPlan | None]
"""The edits of each text of a batch, or of each row of a step."""


def plans_of(plans: Plans, places: Iterable[int]) -> Plans:
    """Return the edits at these places; none if there are none at all."""
    return [plans[place] for place in places] if plans else ()


def edited_weights(
    scores: Floats, weights: Floats, group: MapGroup, plans: Plans, first: int = 0
) -> tuple[Floats, Floats]:
    """Return the weights of a group (N, H, Q, K) after its edits; `first` is its first query.

    The second array is the same without `silence`, by which hard attention draws.
    """
    edited, drawn_by = weights.copy(), weights.copy()
    alike: dict[tuple[int, ...], tuple[tuple[RowEdit, ...], list[tuple[int, int, int]]]] = {}
    for row, plan in enumerate(plans):
        if plan is None or not (of_group := plan.of(group)):
            continue
        for head in range(weights.shape[1]):
            for query in range(weights.shape[2]):
                if edits := row_of(of_group, head, first + query):
                    alike.setdefault(tuple(map(id, edits)), (edits, []))[1].append(
                        (row, head, query)
                    )
    for edits, places in alike.values():
        at = tuple(np.array(places).T)
        made = edited_rows(scores[at], edits)
        edited[at], drawn_by[at] = made.weights, made.softmax
    return edited, drawn_by


def edited_row(
    plan: EditPlan | None, group: MapGroup, query: int, scores: Floats, weights: Floats
) -> Floats:
    """Return the weights (K,) of a row of a group with one head, after its edits."""
    edits = () if plan is None else plan.row(group, 0, query)
    if not edits:
        return weights
    edited: Floats = edited_rows(scores[None], edits).weights[0].astype(np.float32)
    return edited


def missing_weight(
    plan: EditPlan | None, group: MapGroup, head: int, weights: Floats
) -> Floats | None:
    """Return the weight (Q,) that the rows of a head lack if values are silenced, else None."""
    if plan is None or not plan.silences(group, head):
        return None
    missing: Floats = np.maximum(1 - weights.sum(axis=-1), 0)
    return missing


def given_gates(plans: Plans, step: int) -> NDArray[np.float32] | None:
    """Return the gates (N,) that are given at a step, NaN where none is; None without any."""
    gates = [None if plan is None else plan.gate(step) for plan in plans]
    if all(gate is None for gate in gates):
        return None
    return np.array([np.nan if gate is None else gate for gate in gates], np.float32)
