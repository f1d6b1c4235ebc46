"""Classes of the nodes of a graph: every number of a trace follows from those before it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.families.graph.pipeline import GraphPipeline, GraphRequest
from heed.models.graphs.graph import CLASSES
from heed.models.graphs.notation import parse_graph, write_graph
from heed.models.trace import ClassAxis, GraphAxis, Trace
from tests.models.tiny import CHAIN, write_tiny_graph

REQUEST = GraphRequest(parse_graph(CHAIN), CHAIN)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_graph(tmp_path_factory.mktemp("graphs") / "graph")


def load(folder: Path) -> GraphPipeline:
    loaded = Catalogue(folder.parent).load(folder.name)
    assert isinstance(loaded, GraphPipeline)
    return loaded


@pytest.fixture(scope="module")
def trace(folder: Path) -> Trace:
    (found,) = load(folder).run([REQUEST])
    return found


def test_rows_and_columns_are_nodes(trace: Trace) -> None:
    assert isinstance(trace.source, GraphAxis)
    assert isinstance(trace.output.target, ClassAxis)
    assert [node.text for node in trace.source.nodes] == ["Ann", "Bob", "Cid", "Dan"]
    assert [node.known for node in trace.source.nodes] == [0, None, None, 1]
    assert trace.source.text == "Chain"
    assert trace.request.text == CHAIN
    assert {(each.layer, each.head) for each in trace.output.maps} == {
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    }
    assert set(trace.output.target.classes) <= set(CLASSES)


def test_a_node_attends_to_its_neighbours_and_to_itself_alone(trace: Trace) -> None:
    assert isinstance(trace.source, GraphAxis)
    joined = np.eye(4, dtype=bool)
    for one, other in trace.source.edges:
        joined[one, other] = joined[other, one] = True
    for each in trace.output.maps:
        assert ((each.weights > 0) == joined).all()
        assert (np.isfinite(each.scores) == joined).all()
        raised = np.exp(each.scores - each.scores.max(axis=1, keepdims=True))
        assert each.weights == pytest.approx(raised / raised.sum(axis=1, keepdims=True), abs=1e-5)


def test_the_last_context_is_the_weighted_sum_of_the_values(trace: Trace) -> None:
    heads = [each for each in trace.output.maps if each.layer == 1]
    contexts = [each.weights @ each.vectors.values for each in heads if each.vectors]
    for node, step in enumerate(trace.output.steps):
        joined = np.concatenate([each[node] for each in contexts])
        assert step.context == pytest.approx(joined, abs=1e-4)
        assert sum(other.probability for other in step.alternatives) == pytest.approx(1)


def test_the_examples_of_the_shipped_model_are_canonical_and_make_sense() -> None:
    model = load(Path(__file__).parents[3] / "models/weights/graph")
    for text in model.card.examples:
        assert write_graph(parse_graph(text)) == text
    club, *_ = model.card.examples
    (found,) = model.run([GraphRequest(parse_graph(club), club)])
    assert isinstance(found.output.target, ClassAxis)
    sides = dict(zip(found.output.target.nodes, found.output.target.classes, strict=True))
    assert {sides[name] for name in ("Mr. Hi", "2", "5", "17")} == {"A"}
    assert {sides[name] for name in ("John A.", "33", "24", "27")} == {"B"}
