"""The pipeline of graph attention networks, which classify the nodes of a graph.

There is no search, and all nodes are updated at once: a batch has one step, and the rows of a map
are the nodes that attend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from heed.models.card import Card
from heed.models.edits.operations import Edit
from heed.models.families.graph.result import GraphResult
from heed.models.families.graph.runtime import NumpyGraph
from heed.models.generation.computed_batch import ComputedPipeline, ComputedRequest
from heed.models.generation.edits import EditedModel, ResolvedEdits, plan_of, resolve
from heed.models.generation.protocol import wrong_request
from heed.models.generation.requests import GraphRequest, Request
from heed.models.graphs.check import read_graph
from heed.models.graphs.graph import CLASSES, NONE, Graph, Places
from heed.models.graphs.layout import layout
from heed.models.graphs.notation import NamedGraph
from heed.models.runtime.edited import missing_weight
from heed.models.trace import (
    AttentionMap,
    Axis,
    AxisName,
    ClassAxis,
    Floats,
    GraphAxis,
    HeadVectors,
    Node,
    Output,
    TraceHeader,
    TraceRequest,
    TraceStep,
    likeliest,
)

__all__ = ["GraphPipeline", "GraphRequest"]


@dataclass(frozen=True, slots=True)
class PreparedGraph(ComputedRequest):
    """A graph that was checked and can be run."""

    axis: GraphAxis
    graph: Graph


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
        edits = self._resolved(request.edits, graph, axis) if request.edits else None
        asked = TraceRequest(request.text, edits=edits.edits if edits else ())
        header = TraceHeader(self._stamp(), self.card.task, asked, axis)
        return PreparedGraph(header, edits, axis, graph)

    def _resolved(
        self, edits: Sequence[Edit], graph: Graph, axis: GraphAxis
    ) -> ResolvedEdits | None:
        """Resolve edits; a node sees its neighbours alone, and itself."""
        sources, targets, _ = graph.neighbours
        seen = np.zeros((len(graph), len(graph)), np.bool_)
        seen[targets, sources] = True
        groups = self._runtime.groups
        axes: dict[AxisName, Axis] = {"source": axis}
        return resolve(edits, EditedModel(self.card.id, groups, axes, len(graph), seen=seen))

    def answer(self, prepared: Sequence[PreparedGraph]) -> list[GraphResult]:
        """Compute every update of a batch."""
        plans = [plan_of(item.edits) for item in prepared]
        return self._runtime.classify([item.graph for item in prepared], plans)

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
            maps=tuple(self._maps(given, read)),
            steps=tuple(_step(read, node) for node in range(len(given.graph))),
            log_probability=certainty,
            score=certainty,
            finish="end",
        )

    def _maps(self, given: PreparedGraph, read: GraphResult) -> Iterator[AttentionMap]:
        plan, groups = plan_of(given.edits), self._runtime.groups
        for attention in _maps(given.graph, read):
            group, weights = groups[attention.layer], attention.weights
            yield attention._replace(sinks=missing_weight(plan, group, attention.head, weights))


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
    return TraceStep(
        log_probability=float(logs.max()),
        alternatives=likeliest(logs, CLASSES.__getitem__),
        query=read.queries[-1, node].ravel(),
        context=read.contexts[-1, node],
        state=read.states[-1, node],
    )
