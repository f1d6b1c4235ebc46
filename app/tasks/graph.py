"""Graphs whose nodes are to be classified."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from heed.app.errors import FieldError
from heed.app.schemas import GraphAxisOut, GraphIn
from heed.app.tasks.checks import check_text
from heed.app.tasks.edits import edits_of
from heed.app.tasks.task import EDITS, Command, GalleryCard, Operation, Page, Query, Task
from heed.models.card import Card
from heed.models.errors import InputError
from heed.models.generation.requests import GraphRequest
from heed.models.graphs.notation import (
    NamedGraph,
    NamedNode,
    example_named,
    parse_graph,
    write_graph,
)


def graph_request(request: GraphIn, card: Card) -> GraphRequest:
    """Return the request for a model, or raise a `FieldError`."""
    if request.graph is not None and (request.nodes is not None or request.edges is not None):
        message = "Give either 'graph', or 'nodes' and 'edges'."
        raise FieldError("unknown_field", message, "graph")
    if request.graph is None:
        if request.nodes is None:
            message = "The field 'graph' is missing. Give it, or 'nodes' and 'edges'."
            raise FieldError("missing_field", message, "graph")
        return replace(_listed(request), edits=edits_of(request.edits))
    text = check_text(request.graph, "graph", "graph")
    if len(text) > card.limits.characters:
        message = f"The text of the graph has {len(text):,} characters; {card.id} reads at most "
        message += f"{card.limits.characters:,}, and {card.limits.tokens} nodes. Leave some out."
        raise FieldError("graph_too_large", message, "graph")
    text = example_named(text, card.examples) or text
    try:
        return GraphRequest(parse_graph(text), text, edits_of(request.edits))
    except InputError as error:
        raise FieldError(error.code, error.message, error.field) from None


def _listed(request: GraphIn) -> GraphRequest:
    """Return the request with nodes and edges in lists."""
    for index, node in enumerate(request.nodes or ()):
        for name in (node.name, node.known, node.hint):
            if name:
                check_text(name, f"nodes[{index}]")
    nodes = (NamedNode(node.name, node.known, node.hint) for node in request.nodes or ())
    edges = ((node, other) for node, other in request.edges or ())
    graph = NamedGraph(tuple(nodes), tuple(edges))
    return GraphRequest(graph, write_graph(graph))


GRAPH: Final = Task(
    id="graph",
    does="classifies the nodes of graphs",
    schema=GraphIn,
    prepared=graph_request,
    operation=Operation(
        summary="Classify the nodes of a graph",
        description="Run a graph attention network on a graph, and return its trace.\n\n"
        "There is a map for each head of each layer. Its rows are the nodes that attend, its "
        "columns\nthose that are read: a node attends to its neighbours and to itself, and to no "
        "other.",
        tag="graphs",
        codes=(
            *("empty_graph", "blank_graph", "invalid_graph", "no_known_class", "graph_too_large"),
            *EDITS,
        ),
        examples={
            "an example by its title": {"graph": "Karate club"},
            "a graph as text": {"graph": "Ann: A\nAnn - Bob - Cid - Dan\nDan: B"},
            "nodes and edges": {
                "nodes": [
                    {"name": "Ann", "known": "A"},
                    {"name": "Bob"},
                    {"name": "Cid", "hint": "B"},
                ],
                "edges": [["Ann", "Bob"], ["Bob", "Cid"]],
            },
        },
    ),
    command=Command(
        help="classify the nodes of a graph",
        description="Print the class of each node, and below it the weights between the nodes, a "
        "mean over the heads and layers.",
        inputs={"graph": "file with the graph, the title of an example, or - for standard input"},
        answer="classes",
        default="the first for graphs",
        opens_files=True,
    ),
    page=Page(
        "graph",
        "js/views/graph/view.js",
        GalleryCard(
            "A network attends along the edges of a graph",
            "Each node attends to its neighbours, in three layers, and finds its class from the "
            "few classes that are known. Cut an edge or colour a node, and others change their "
            "class.",
            "Veličković et al. 2018, Graph Attention Networks; Brody et al. 2022",
        ),
        shows=lambda trace: isinstance(trace.source, GraphAxisOut),
    ),
    query=Query(("graph",)),
)
