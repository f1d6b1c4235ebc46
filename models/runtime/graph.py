"""The interface between the classifier of nodes and the runtimes of its network.

Shapes: `N` nodes, `E` directed edges, `L` layers, `H` heads, `D` width, `C` classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from heed.models.config import GraphConfig
from heed.models.graphs.graph import Graph
from heed.models.trace import Floats


class NodesRead(NamedTuple):
    """The updates of the nodes of one graph, whose edges are in the order of its neighbours."""

    scores: Floats  # (L, E, H)
    weights: Floats  # (L, E, H)
    queries: Floats  # (L, N, H, D/H)
    values: Floats  # (L, N, H, D/H), which are the keys, too
    contexts: Floats  # (L, N, D)
    states: Floats  # (L, N, D), after each layer
    log_probabilities: Floats  # (N, C)


class GraphRuntime(Protocol):
    """A network of graphs, ready to classify."""

    @property
    def config(self) -> GraphConfig:
        """The shape of the network."""

    def classify(self, graphs: Sequence[Graph]) -> list[NodesRead]:
        """Classify the nodes of a batch of graphs."""
