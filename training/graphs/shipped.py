"""Figures of a shipped model that reads graphs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heed.models.families.graph.pipeline import GraphPipeline, GraphRequest
from heed.models.graphs.graph import CLASSES, NONE
from heed.models.graphs.notation import NamedGraph, NamedNode, write_graph
from training.graphs.examples import Example
from training.graphs.quality import Found, evaluate_baselines, evaluate_graphs


def evaluate_classifier(classifier: GraphPipeline, count: int) -> dict[str, float]:
    """Measure a model on held-out graphs, through the pipeline that serves it."""

    def classify(tested: Sequence[Example]) -> list[Found]:
        given = [named(example) for example in tested]
        prepared = [classifier.prepare(GraphRequest(graph, write_graph(graph))) for graph in given]
        return [
            Found(read.log_probabilities.argmax(axis=1).astype(np.int64), read.weights)
            for read in classifier.answer(prepared)
        ]

    return evaluate_graphs(classify, count) | evaluate_baselines(count)


def named(example: Example) -> NamedGraph:
    """Give the nodes of a graph names."""
    graph = example.graph
    nodes = (
        NamedNode(f"n{node}", *(None if label == NONE else CLASSES[label] for label in classes))
        for node, *classes in zip(range(len(graph)), graph.known, graph.hints, strict=True)
    )
    edges = tuple((f"n{node}", f"n{other}") for node, other in graph.edges)
    return NamedGraph(tuple(nodes), edges)
