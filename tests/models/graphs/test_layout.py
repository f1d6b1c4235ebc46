"""The places of the nodes on a drawing."""

from __future__ import annotations

import numpy as np
import pytest

from heed.models.graphs.check import read_graph
from heed.models.graphs.graph import CLASSES, Graph
from heed.models.graphs.layout import layout
from heed.models.graphs.notation import parse_graph


def graph_of(text: str) -> Graph:
    return read_graph(parse_graph(text), CLASSES, 200)


@pytest.mark.parametrize("count", range(2, 12))
def test_a_chain_is_laid_out_in_a_row_from_left_to_right(count: int) -> None:
    places = layout(graph_of("n0: A\n" + " - ".join(f"n{node}" for node in range(count))))
    assert np.argsort(places[:, 0]).tolist() == list(range(count))
    assert places.min() >= 0
    assert places.max() <= 1


def test_joined_nodes_stand_closer_than_others() -> None:
    graph = graph_of("a: A\na - b - c - a\nd - e - f - d\nc - d\nalone")
    places = layout(graph)
    distances = np.linalg.norm(places[:, None] - places[None], axis=-1)
    joined = [distances[one, other] for one, other in graph.edges]
    assert max(joined) < distances[0, 4]
    assert np.unique(places, axis=0).shape == places.shape


def test_the_same_graph_has_the_same_layout() -> None:
    graph = graph_of("a: A\na - b, a - c, a - d, a - e")
    assert (layout(graph) == layout(graph)).all()


def test_one_node_stands_in_the_middle() -> None:
    assert layout(graph_of("a: A")).tolist() == [[0.5, 0.5]]
