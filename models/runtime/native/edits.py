"""The edits of a batch as the kernels read them: a list for each row of scores (edits.c)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heed.models.edits.rows import RowEdit
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import Plans, row_of
from heed.models.runtime.native.kernels import address

OPERATIONS: Final = (
    *("block", "only", "scale", "set", "temperature"),
    *("uniform", "permute", "row", "silence"),
)
"""In the order of edits.c."""
EDIT: Final = np.dtype(
    [("keys", "u8"), ("weights", "u8"), ("number", "f8"), ("op", "i4"), ("count", "i4")]
)
ROW: Final = np.dtype([("first", "u8"), ("count", "i8")])


class RowTable:
    """Lists of edits for rows of scores, which the kernels read while it is alive."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows = np.zeros(shape, ROW)
        self._lists: dict[tuple[int, ...], NDArray[Any]] = {}

    @property
    def address(self) -> int:
        """The address of the rows."""
        return address(self.rows)

    def put(self, place: tuple[int, ...], edits: Sequence[RowEdit]) -> None:
        """Give a row its edits, which must live as long as the table."""
        if not edits:
            return
        name = tuple(map(id, edits))
        if name not in self._lists:
            self._lists[name] = np.array([_packed(edit) for edit in edits], EDIT)
        self.rows[place] = address(self._lists[name]), len(edits)


def _packed(edit: RowEdit) -> tuple[int, int, float, int, int]:
    keys = address(edit.keys) if len(edit.keys) else 0
    weights = address(edit.weights) if len(edit.weights) else 0
    count = len(edit.keys) or len(edit.weights)
    return keys, weights, edit.number, OPERATIONS.index(edit.op), count


def step_table(groups: Sequence[MapGroup], plans: Plans, query: int) -> RowTable | None:
    """Return the edits of the rows of a step: (groups, rows, heads). None if there are none.

    All groups must have as many heads.
    """
    table: RowTable | None = None
    edited = [
        (row, plan) for row, plan in enumerate(plans) if plan is not None and plan.edits_at(query)
    ]
    for place, group in enumerate(groups):
        for row, plan in edited:
            if not (edits := plan.at(group, query)):
                continue
            table = table or RowTable((len(groups), len(plans), group.heads))
            for head in range(group.heads):
                table.put((place, row, head), row_of(edits, head, query))
    return table


def encoder_table(groups: Sequence[MapGroup], plans: Plans, keys: int) -> RowTable | None:
    """Return the edits of an encoder: (groups, texts, heads, queries). None if there are none."""
    if not any(plan and any(map(plan.of, groups)) for plan in plans):
        return None
    table = RowTable((len(groups), len(plans), groups[0].heads, keys))
    for place, group in enumerate(groups):
        for row, plan in enumerate(plans):
            if plan is None or not (edits := plan.of(group)):
                continue
            for head in range(group.heads):
                for query in range(keys):
                    table.put((place, row, head, query), row_of(edits, head, query))
    return table
