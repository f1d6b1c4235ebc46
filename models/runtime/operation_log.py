"""A log of the operations of a run, which the kernels write, each with its times."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

Kind = Literal[
    "forwards", "backwards", "attention", "update", "self", "cross", "feed-forward", "output"
]
"""A word of a direction of a recurrent encoder, the parts of a step of its decoder, and those of a
layer of a Transformer, in the order of kernels.c."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ROOM: Final = 4_096  # operations, beyond which none is kept
HEAD: Final = 2  # numbers before the operations: their count, and the room
FIELDS: Final = 4  # numbers of an operation


class Operation(NamedTuple):
    """An operation, and when it ran, in nanoseconds of one clock."""

    kind: Kind
    place: int  # of a word in the text, or of a layer
    began: int
    ended: int


class OperationLog:
    """The operations of one run; empty if its runtime logs none."""

    def __init__(self) -> None:
        self.numbers: NDArray[np.int64] = np.zeros(HEAD + ROOM * FIELDS, np.int64)
        self.numbers[1] = ROOM

    @property
    def operations(self) -> list[Operation]:
        """The operations, in the order in which they ended."""
        count = min(int(self.numbers[0]), ROOM)
        rows = self.numbers[HEAD : HEAD + count * FIELDS].reshape(count, FIELDS).tolist()
        return [Operation(KINDS[kind], place, *times) for kind, place, *times in rows]
