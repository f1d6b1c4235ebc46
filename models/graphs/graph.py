"""A graph as a network reads it: nodes with known or hinted classes, and edges.

Shapes: `N` nodes, `E` directed edges with those from each node to itself, `C` classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heed.models.trace import Floats

CLASSES: Final = ("A", "B", "C", "D")
"""The classes that a node can have. They are names only: the training exchanges them."""
NONE: Final = -1
"""In place of a class, where none is given."""
FEATURES: Final = 3 * len(CLASSES) + 1
DEGREES: Final = 3.0  # scales the logarithm of a degree to about 1

Places = NDArray[np.int64]
Edge = tuple[int, int]


class Neighbours(NamedTuple):
    """Directed edges, ordered by the node that reads, and where the edges of each node begin."""

    sources: Places  # (E,), the nodes that are read
    targets: Places  # (E,), the nodes that read, in ascending order
    starts: Places  # (N,)


@dataclass(frozen=True)
class Graph:
    """Nodes by their places, edges without direction, and the classes that are given.

    A known class is certain; a hint, such as the words of a paper, may be wrong.
    """

    known: tuple[int, ...]  # by node: a class, or `NONE`
    hints: tuple[int, ...]  # by node: a class, or `NONE`
    edges: tuple[Edge, ...]  # each once, of two different nodes

    def __len__(self) -> int:
        return len(self.known)

    @cached_property
    def neighbours(self) -> Neighbours:
        """Every node with those it reads: its neighbours and itself."""
        pairs = np.array(self.edges, np.int64).reshape(-1, 2)
        own = np.arange(len(self))
        sources = np.concatenate([pairs[:, 0], pairs[:, 1], own])
        targets = np.concatenate([pairs[:, 1], pairs[:, 0], own])
        order = np.lexsort((sources, targets))
        counts = np.bincount(targets, minlength=len(self))
        return Neighbours(sources[order], targets[order], np.cumsum(counts) - counts)

    @cached_property
    def degrees(self) -> Places:
        """The number of edges of each node."""
        ends = np.array(self.edges, np.int64).ravel()
        return np.bincount(ends, minlength=len(self))

    @cached_property
    def features(self) -> Floats:
        """The features of each node, all that the network has at first: (N, `FEATURES`).

        Its known class, its hint, the classes that some node of the graph is known to have, and
        the logarithm of its degree.
        """
        known, hints = _one_hot(self.known), _one_hot(self.hints)
        present = np.broadcast_to(known.max(axis=0), known.shape)
        degree = np.log1p(self.degrees)[:, None] / DEGREES
        return np.concatenate([known, hints, present, degree], axis=1).astype(np.float32)


def _one_hot(classes: tuple[int, ...]) -> Floats:
    """Return a row for each node, of zeros where it has no class."""
    rows = np.eye(len(CLASSES) + 1, len(CLASSES), dtype=np.float32)
    return rows[np.array(classes, np.int64)]  # the last row, at -1, is that of `NONE`
