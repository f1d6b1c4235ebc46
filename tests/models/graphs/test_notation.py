"""Graphs as text: read, checked, and written again."""

from __future__ import annotations

import pytest

from heed.models.errors import InputError
from heed.models.graphs.check import LONGEST_NAME, MOST_EDGES, read_graph
from heed.models.graphs.graph import CLASSES, NONE
from heed.models.graphs.notation import (
    MOST_PARTS,
    NamedGraph,
    NamedNode,
    example_named,
    parse_graph,
    title_of,
    write_graph,
)

TEXT = "# Friends\nAnn: A\nAnn - Bob - Cid; Dan: C ~B\nEve"
GRAPH = NamedGraph(
    (
        NamedNode("Ann", "A"),
        NamedNode("Bob"),
        NamedNode("Cid"),
        NamedNode("Dan", "C", "B"),
        NamedNode("Eve"),
    ),
    (("Ann", "Bob"), ("Bob", "Cid")),
    "Friends",
)


def test_a_graph_is_read_from_its_text() -> None:
    assert parse_graph(TEXT) == GRAPH


@pytest.mark.parametrize("graph", [GRAPH, GRAPH._replace(title="", edges=()), parse_graph("a - b")])
def test_a_graph_that_is_written_is_read_as_it_was(graph: NamedGraph) -> None:
    assert parse_graph(write_graph(graph)) == graph


@pytest.mark.parametrize(
    "text", ["a\n" * MOST_PARTS + "b", "a - b\n" * MOST_PARTS, " - ".join("a" * MOST_PARTS) + "\nb"]
)
def test_reading_ends_where_a_graph_has_more_parts_than_any_model_reads(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_graph(text)
    assert caught.value.code == "graph_too_large"


def test_a_long_name_is_shortened_in_a_message() -> None:
    for text in (
        "\u200b" + "a" * 9_000 + ": A",
        "a: A\na - " + "b" * 9_000 + ":",
        "a: " + "B" * 9_000,
    ):
        with pytest.raises(InputError) as caught:
            read_graph(parse_graph(text), CLASSES, 10)
        assert len(caught.value.message) < 300


def test_nodes_become_numbers() -> None:
    graph = read_graph(GRAPH, CLASSES, 10)
    assert graph.known == (0, NONE, NONE, 2, NONE)
    assert graph.hints == (NONE, NONE, NONE, 1, NONE)
    assert graph.edges == ((0, 1), (1, 2))
    assert graph.degrees.tolist() == [1, 2, 1, 0, 0]
    sources, targets, starts = graph.neighbours
    pairs = list(zip(targets.tolist(), sources.tolist(), strict=True))
    assert pairs == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (4, 4)]
    assert starts.tolist() == [0, 2, 5, 7, 8]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: A\na - ", "an edge needs a node on either side"),
        ("a: A\na: B", "has classes already"),
        (": A", "a node needs a name before the colon"),
        ("a: A B C", "behind the colon stands a class"),
        ("a: A\na - a", "joins a node to itself"),
        ("a: A\na - b\nb - a", "is given twice"),
        ("a: Z", "has the class “Z”, which does not exist. The classes are A, B, C, D."),
        (f"{'x' * (LONGEST_NAME + 1)}: A", "is longer than"),
    ],
)
def test_a_mistake_is_refused_with_a_sentence(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        read_graph(parse_graph(text), CLASSES, 10)
    assert refused.value.code == "invalid_graph"


@pytest.mark.parametrize(
    ("graph", "code", "says"),
    [
        (NamedGraph((), ()), "empty_graph", "The graph is empty"),
        (parse_graph("a - b"), "no_known_class", "No node has a known class"),
        (
            parse_graph("\n".join(map(str, range(11)))),
            "graph_too_large",
            "has 11 nodes; at most 10",
        ),
        (
            NamedGraph((NamedNode("a", "A"),), (("a", "b"),) * (MOST_EDGES + 1)),
            "graph_too_large",
            "has 2,001 edges; at most 2,000",
        ),
        (NamedGraph((NamedNode("a", "A"),), (("a", "b"),)), "invalid_graph", "which is no node"),
        (NamedGraph((NamedNode("a", "A"),) * 2, ()), "invalid_graph", "Two nodes have the name"),
        (NamedGraph((NamedNode("a: b", "A"),), ()), "invalid_graph", "a mark that separates"),
        (NamedGraph((NamedNode(" a", "A"),), ()), "invalid_graph", "without spaces around them"),
    ],
)
def test_a_graph_that_cannot_be_read_is_refused(graph: NamedGraph, code: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        read_graph(graph, CLASSES, 10)
    assert refused.value.code == code


def test_an_example_is_found_by_its_title() -> None:
    assert title_of(TEXT) == "Friends"
    assert title_of("a - b") == ""
    assert example_named(" friends ", [TEXT]) == TEXT
    assert example_named("foes", [TEXT]) is None
