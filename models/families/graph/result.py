"""The numbers of a network of graphs, between its runtime and the pipeline.

Shapes: `N` nodes, `E` directed edges, `L` layers, `H` heads, `D` width, `C` classes.
"""

from __future__ import annotations

from typing import NamedTuple

from heed.models.trace import Floats


class GraphResult(NamedTuple):
    """The updates of the nodes of one graph, whose edges are in the order of its neighbours."""

    scores: Floats  # (L, E, H)
    weights: Floats  # (L, E, H)
    queries: Floats  # (L, N, H, D/H)
    values: Floats  # (L, N, H, D/H), which are the keys, too
    contexts: Floats  # (L, N, D)
    states: Floats  # (L, N, D), after each layer
    log_probabilities: Floats  # (N, C)
