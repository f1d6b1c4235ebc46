"""Graphs whose nodes are to be classified: a request of the API to a trace."""

from __future__ import annotations

from heed.app.errors import FieldError
from heed.app.inference.catalogue import known_model
from heed.app.inference.checks import check_text
from heed.app.inference.single import SingleInference
from heed.app.schemas import GraphIn
from heed.models.card import Card
from heed.models.errors import InputError
from heed.models.generation.node_classifier import GraphRequest
from heed.models.graphs.notation import (
    NamedGraph,
    NamedNode,
    example_named,
    parse_graph,
    write_graph,
)


class Graphs(SingleInference[GraphIn]):
    """Classifies the nodes of graphs."""

    async def _prepared(self, request: GraphIn) -> tuple[str, GraphRequest]:
        model = known_model(self._catalogue, request.model, self._defaults, "graph")
        return model, graph_request(request, self._catalogue.cards[model])


def graph_request(request: GraphIn, card: Card) -> GraphRequest:
    """Return the request for a model, or raise a `FieldError`."""
    if request.graph is not None and (request.nodes is not None or request.edges is not None):
        message = "Give either 'graph', or 'nodes' and 'edges'."
        raise FieldError("unknown_field", message, "graph")
    if request.graph is None:
        if request.nodes is None:
            message = "The field 'graph' is missing. Give it, or 'nodes' and 'edges'."
            raise FieldError("missing_field", message, "graph")
        return _listed(request)
    text = check_text(request.graph, "graph", "graph")
    if len(text) > card.limits.characters:
        message = f"The text of the graph has {len(text):,} characters; {card.id} reads at most "
        message += f"{card.limits.characters:,}, and {card.limits.tokens} nodes. Leave some out."
        raise FieldError("graph_too_large", message, "graph")
    text = example_named(text, card.examples) or text
    try:
        return GraphRequest(parse_graph(text), text)
    except InputError as error:
        raise FieldError(error.code, error.message, error.field) from None


def _listed(request: GraphIn) -> GraphRequest:
    """Return the request with nodes and edges in lists."""
    for index, node in enumerate(request.nodes or ()):
        for name in (node.name, node.known, node.hint):
            if name:
                check_text(name, f"nodes[{index}]")
    nodes = (NamedNode(node.name, node.known, node.hint) for node in request.nodes or ())
    edges = ((one, other) for one, other in request.edges or ())
    graph = NamedGraph(tuple(nodes), tuple(edges))
    return GraphRequest(graph, write_graph(graph))
