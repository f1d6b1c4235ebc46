"""A graph attention network in NumPy.

Shapes: `N` nodes, `E` directed edges, `H` heads, `D` width.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from heed.models.families.graph.config import GraphConfig
from heed.models.families.graph.result import GraphResult
from heed.models.graphs.graph import FEATURES, Graph
from heed.models.networks.map_group import MapGroup
from heed.models.runtime.edited import EditPlan, Plans, edited_weights
from heed.models.runtime.numpy.operations import Linear, Weights, elu, leaky_relu, log_softmax
from heed.models.trace import Floats


class Layer(NamedTuple):
    """The weights of a layer."""

    query: Linear
    value: Floats  # (D, D)
    own: Linear
    score: Floats  # (H, D/H)


class NumpyGraph:
    """A network of graphs; `network.py` names the formulas."""

    def __init__(self, config: GraphConfig, weights: Weights) -> None:
        self.config = config
        width, heads = config.width, config.heads
        self._embedding = weights.linear("embedding", width, FEATURES)
        self._classes = weights.linear("classes", config.vocabulary, width)
        self._layers = [
            Layer(
                weights.linear(f"layers.{layer}.query", width, width),
                weights(f"layers.{layer}.value.weight", width, width).T.copy(),
                weights.linear(f"layers.{layer}.own", width, width),
                weights(f"layers.{layer}.score", heads, width // heads),
            )
            for layer in range(config.layers)
        ]

    @property
    def groups(self) -> tuple[MapGroup, ...]:
        """The maps, by layer."""
        layers, heads = range(self.config.layers), self.config.heads
        return tuple(MapGroup("cross", at, heads, "target", "source") for at in layers)

    def classify(self, graphs: Sequence[Graph], plans: Plans = ()) -> list[GraphResult]:
        """Classify the nodes of a batch of graphs, one by one, perhaps under edits."""
        plans = plans or [None] * len(graphs)
        return [self._classify(graph, plan) for graph, plan in zip(graphs, plans, strict=True)]

    def _classify(self, graph: Graph, plan: EditPlan | None) -> GraphResult:
        sources, targets, starts = graph.neighbours
        states = elu(self._embedding(graph.features))
        split = (len(graph), self.config.heads, -1)
        updates: list[tuple[Floats, ...]] = []
        for layer, group in zip(self._layers, self.groups, strict=True):
            queries = layer.query(states).reshape(split)
            values = (states @ layer.value).reshape(split)
            both = leaky_relu(queries[targets] + values[sources])
            scores = (both * layer.score).sum(axis=-1)  # (E, H)
            raised = np.exp(scores - np.maximum.reduceat(scores, starts)[targets])
            weights = raised / np.add.reduceat(raised, starts)[targets]
            if plan is not None and plan.of(group):
                weights = _edited(graph, scores, weights, group, plan)
            contexts = np.add.reduceat(weights[..., None] * values[sources], starts)
            contexts = contexts.reshape(len(graph), -1)
            states = elu(layer.own(states) + contexts)
            updates.append((scores, weights, queries, values, contexts, states))
        last = log_softmax(self._classes(states))
        scores, weights, queries, values, contexts, after = map(
            np.stack, zip(*updates, strict=True)
        )
        return GraphResult(scores, weights, queries, values, contexts, after, last)


def _edited(
    graph: Graph, scores: Floats, weights: Floats, group: MapGroup, plan: EditPlan
) -> Floats:
    """Return the weights of edges (E, H) after the edits of the rows of their targets."""
    sources, targets, _ = graph.neighbours
    squares = np.full((2, group.heads, len(graph), len(graph)), -np.inf, np.float32)
    squares[0][:, targets, sources], squares[1][:, targets, sources] = scores.T, weights.T
    edited, _ = edited_weights(squares[:1], squares[1:], group, [plan])
    chosen: Floats = edited[0][:, targets, sources].T
    return np.ascontiguousarray(chosen)
