"""The checks of a graph that a person gave, and its classes and edges as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from heed.models.errors import InputError
from heed.models.graphs.graph import NONE, Edge, Graph
from heed.models.graphs.notation import NamedGraph, NamedNode

MOST_EDGES: Final = 2_000
LONGEST_NAME: Final = 60
MARKS: Final = ("\n", "\r", ",", ";", ":", "--", " - ")
"""The characters that no name may contain, so that every graph can be written as text."""


def read_graph(given: NamedGraph, classes: Sequence[str], most_nodes: int) -> Graph:
    """Check a graph and read it, or raise `InputError` with a sentence that says what to change."""
    _check_size(given, most_nodes)
    places: dict[str, int] = {}
    for node in given.nodes:
        _check_name(node.name)
        if node.name in places:
            _refuse(f"Two nodes have the name “{node.name}”. Rename one of them.", "nodes")
        places[node.name] = len(places)
    ids = {name: id for id, name in enumerate(classes)}
    known = tuple(_class(node, node.known, ids) for node in given.nodes)
    hints = tuple(_class(node, node.hint, ids) for node in given.nodes)
    if all(label == NONE for label in known):
        message = "No node has a known class, so there is nothing to go by. Give one to some nodes."
        raise InputError("no_known_class", message, "nodes")
    return Graph(known, hints, _edges(given.edges, places))


def _check_size(given: NamedGraph, most_nodes: int) -> None:
    if not given.nodes:
        message = "The graph is empty. Give it nodes and edges, such as “Ann - Bob”."
        raise InputError("empty_graph", message, "nodes")
    for count, most, name in (
        (len(given.nodes), most_nodes, "nodes"),
        (len(given.edges), MOST_EDGES, "edges"),
    ):
        if count > most:
            message = f"The graph has {count:,} {name}; at most {most:,} are read. Leave some out."
            raise InputError("graph_too_large", message, name)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _check_name(name: str) -> None:
    if not name or name != name.strip() or not name.isprintable():
        message = f"A node has the name “{_short(name)}”: a name needs visible characters, without "
        _refuse("spaces around them. Rename it.", "nodes", message)
    if len(name) > LONGEST_NAME:
        _refuse(
            f"The name “{_short(name)}” is longer than {LONGEST_NAME} characters. Shorten it.",
            "nodes",
        )
    if name.startswith("#") or any(mark in name for mark in MARKS):
        message = f"The name “{name}” has a mark that separates names, such as a comma, a colon or "
        _refuse("“ - ”. Rename it.", "nodes", message)


def _class(node: NamedNode, name: str | None, ids: dict[str, int]) -> int:
    if name is None:
        return NONE
    if name not in ids:
        message = f"The node “{node.name}” has the class “{_short(name)}”, which does not "
        _refuse(f"exist. The classes are {', '.join(ids)}.", "nodes", message)
    return ids[name]


def _edges(given: Sequence[tuple[str, str]], places: dict[str, int]) -> tuple[Edge, ...]:
    edges: dict[Edge, None] = {}
    for node, other in given:
        for end in (node, other):
            if end not in places:
                message = f"The edge “{_short(node)} - {_short(other)}” names “{_short(end)}”, "
                _refuse("which is no node. Add the node, or remove the edge.", "edges", message)
        if node == other:
            message = f"The edge “{node} - {other}” joins a node to itself. Remove it: every node "
            _refuse("attends to itself anyway.", "edges", message)
        edge = (min(places[node], places[other]), max(places[node], places[other]))
        if edge in edges:
            _refuse(f"The edge “{node} - {other}” is given twice. Remove one of the two.", "edges")
        edges[edge] = None
    return tuple(edges)


def _refuse(message: str, field: str, before: str = "") -> NoReturn:
    raise InputError("invalid_graph", before + message, field)
