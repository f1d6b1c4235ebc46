"""The pipeline of graph attention networks, which classify the nodes of a graph.

There is no search, and all nodes are updated at once: a batch has one step, and the rows of a map
are the nodes that attend.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from heed.models.card import Card
from heed.models.generation.computed_batch import ComputedPipeline
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import GraphRequest, Request
from heed.models.graphs.check import read_graph
from heed.models.graphs.graph import CLASSES, NONE, Graph, Places
from heed.models.graphs.layout import layout
from heed.models.graphs.notation import NamedGraph
from heed.models.runtime.graph import GraphResult
from heed.models.runtime.numpy.graph import NumpyGraph
from heed.models.trace import (
    Alternative,
    AttentionMap,
    ClassAxis,
    Floats,
    GraphAxis,
    HeadVectors,
    Node,
    Output,
    TraceHeader,
    TraceRequest,
    TraceStep,
)

__all__ = ["GraphPipeline", "GraphRequest"]


class PreparedGraph(NamedTuple):
    """A graph that was checked and can be run."""

    opening: TraceHeader
    axis: GraphAxis
    graph: Graph
    rows: int = 1


class GraphPipeline(ComputedPipeline[PreparedGraph, GraphResult]):
    """A graph attention network."""

    def __init__(self, card: Card, runtime: NumpyGraph) -> None:
        self.card = card
        self._runtime = runtime

    def prepare(self, request: Request) -> PreparedGraph:
        """Check a graph and lay it out, or raise `InputError`."""
        if not isinstance(request, GraphRequest):
            raise wrong_request(self.card, request)
        graph = read_graph(request.graph, CLASSES, self.card.limits.tokens)
        axis = _axis(request.graph, graph)
        asked = TraceRequest(request.text)
        return PreparedGraph(TraceHeader(self._stamp(), self.card.task, asked, axis), axis, graph)

    def answer(self, prepared: Sequence[PreparedGraph]) -> list[GraphResult]:
        """Compute every update of a batch."""
        return self._runtime.classify([item.graph for item in prepared])

    def steps(self, _computed: GraphResult, /) -> int:
        """Count one step: all nodes are classified in it."""
        return 1

    def output(self, given: PreparedGraph, read: GraphResult, _steps: int, /) -> Output:
        """Build the output of a graph."""
        classes = [CLASSES[place] for place in read.log_probabilities.argmax(axis=1)]
        certainty = float(read.log_probabilities.max(axis=1).mean())
        return Output(
            target=ClassAxis(
                _counted(classes), tuple(node.text for node in given.axis.nodes), tuple(classes)
            ),
            maps=tuple(_maps(given.graph, read)),
            steps=tuple(_step(read, node) for node in range(len(given.graph))),
            log_probability=certainty,
            score=certainty,
            finish="end",
        )


def _axis(given: NamedGraph, graph: Graph) -> GraphAxis:
    """Return the nodes of a graph at their places."""
    places = layout(graph).tolist()
    nodes = zip(given.nodes, places, graph.known, graph.hints, strict=True)
    return GraphAxis(
        given.title or f"{_count(len(graph), 'node')}, {_count(len(graph.edges), 'edge')}",
        tuple(
            Node(node.name, x, y, *(None if label == NONE else label for label in classes))
            for node, (x, y), *classes in nodes
        ),
        graph.edges,
        CLASSES,
    )


def _count(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def _counted(classes: Sequence[str]) -> str:
    """Say how many nodes have each class, such as `17 A, 17 B`."""
    return ", ".join(f"{count} {name}" for name, count in sorted(Counter(classes).items()))


def _maps(graph: Graph, read: GraphResult) -> Iterator[AttentionMap]:
    """Yield the map of each head, with no weight and no score where there is no edge."""
    sources, targets, _ = graph.neighbours
    layers, _, heads = read.weights.shape
    for layer in range(layers):
        for head in range(heads):
            values = read.values[layer, :, head]
            yield AttentionMap(
                "cross",
                layer,
                head,
                "target",
                "source",
                _square(len(graph), (targets, sources), read.weights[layer, :, head], 0.0),
                _square(len(graph), (targets, sources), read.scores[layer, :, head], -np.inf),
                HeadVectors(read.queries[layer, :, head], values, values),
            )


def _square(size: int, places: tuple[Places, Places], values: Floats, otherwise: float) -> Floats:
    matrix = np.full((size, size), otherwise, np.float32)
    matrix[places] = values
    return matrix


def _step(read: GraphResult, node: int) -> TraceStep:
    logs = read.log_probabilities[node]
    likeliest = np.argsort(-logs, kind="stable").tolist()
    return TraceStep(
        log_probability=float(logs.max()),
        alternatives=tuple(Alternative(id, CLASSES[id], math.exp(logs[id])) for id in likeliest),
        query=read.queries[-1, node].ravel(),
        context=read.contexts[-1, node],
        state=read.states[-1, node],
    )
