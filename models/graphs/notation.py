"""Graphs as text: a line for an edge, `Ann - Bob`, or for a node, `Ann: A`.

A node is named by its first line, so that an edge may name new ones. Behind the colon of a node
stands its known class, its hint (`~A`), or both; `a - b - c` are two edges. A line that begins with
`#` is the title. Commas and semicolons end a line, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from heed.models.errors import InputError

HINT: Final = "~"
TITLE: Final = "#"
MOST_PARTS: Final = 5_000
"""Nodes and ends of edges in a text, more than any model reads."""

TOO_LARGE: Final = f"The graph has more than {MOST_PARTS:,} nodes and edges. Leave some out."

_LINE = re.compile(r"[\n,;]")
# Spaces are tried from the first of a run only: from each, a run would take the square of its time.
_EDGE = re.compile(r"(?:^|(?<!\s)\s++)[-–—]+(?:\s+|$)|--+")
_CLASSES = re.compile(r"(?P<known>[^\s~]+)?\s*(?:~\s*(?P<hint>\S+))?")


class NamedNode(NamedTuple):
    """A node with the names of the classes that are given for it."""

    name: str
    known: str | None = None
    hint: str | None = None


class NamedGraph(NamedTuple):
    """Nodes, and edges between their names, as a person gives them."""

    nodes: tuple[NamedNode, ...]
    edges: tuple[tuple[str, str], ...]
    title: str = ""


def parse_graph(text: str) -> NamedGraph:
    """Read the text of a graph, or raise `InputError`; edges are not checked."""
    nodes: dict[str, NamedNode] = {}
    edges: list[tuple[str, str]] = []
    title = ""
    parts = 0
    for number, whole in enumerate(text.splitlines(), 1):
        if whole.lstrip().startswith(TITLE):
            title = title or whole.strip().lstrip(TITLE).strip()
            continue
        for line in filter(None, map(str.strip, _LINE.split(whole))):
            parts += 1
            if parts + 2 * len(edges) > MOST_PARTS:
                raise InputError("graph_too_large", TOO_LARGE, "graph")
            name, colon, classes = (part.strip() for part in line.rpartition(":"))
            if colon:
                node = _node(name, classes, number)
                if name in nodes and nodes[name] != NamedNode(name):
                    raise _refused(number, f"the node “{name}” has classes already")
                nodes[name] = node
                continue
            ends = [end.strip() for end in _EDGE.split(line)]
            if not all(ends):
                raise _refused(number, "an edge needs a node on either side, as in “Ann - Bob”")
            for end in ends:
                nodes.setdefault(end, NamedNode(end))
            edges += pairwise(ends)
    return NamedGraph(tuple(nodes.values()), tuple(edges), title)


def write_graph(graph: NamedGraph) -> str:
    """Write a graph as text: its nodes, as far as its edges do not name them, and its edges."""
    shown = [node for node in graph.nodes if node.known is not None or node.hint is not None]
    named = dict.fromkeys([node.name for node in shown])
    named |= dict.fromkeys(end for edge in graph.edges for end in edge)
    if list(named) != [node.name for node in graph.nodes]:
        shown = list(graph.nodes)
    lines = [f"{TITLE} {graph.title}"] if graph.title else []
    lines += _lines((node.known is None and node.hint is None, _line(node)) for node in shown)
    lines += _lines((node, f"{node} - {other}") for node, other in graph.edges)
    return "\n".join(lines)


def _line(node: NamedNode) -> str:
    hint = None if node.hint is None else f"{HINT}{node.hint}"
    classes = " ".join(label for label in (node.known, hint) if label is not None)
    return f"{node.name}: {classes}" if classes else node.name


def _lines(parts: Iterable[tuple[object, str]]) -> list[str]:
    """Join consecutive parts with the same key to lines."""
    return [", ".join(text for _, text in group) for _, group in groupby(parts, itemgetter(0))]


def example_named(name: str, examples: Sequence[str]) -> str | None:
    """Return the example with this title, whatever the case; None if there is none."""
    wanted = name.strip().casefold()
    titles = {title_of(example).casefold(): example for example in examples}
    return titles.get(wanted)


def title_of(text: str) -> str:
    """Return the title of the text of a graph, or nothing."""
    first = text.split("\n", 1)[0]
    return first.lstrip(TITLE).strip() if first.startswith(TITLE) else ""


def _node(name: str, classes: str, number: int) -> NamedNode:
    match = _CLASSES.fullmatch(classes)
    if not name:
        raise _refused(number, "a node needs a name before the colon")
    if match is None or not classes:
        raise _refused(number, "behind the colon stands a class, a hint, or both: “Ann: A ~B”")
    return NamedNode(name, match["known"], match["hint"])


def _refused(number: int, why: str) -> InputError:
    return InputError("invalid_graph", f"Line {number} of the graph: {why}.", "graph")
