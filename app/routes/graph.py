"""Graphs: nodes and edges to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.paths import GRAPH
from heed.app.http.request_body import JSONRoute
from heed.app.http.trace_responses import trace_response
from heed.app.openapi.document import GRAPH_FIELD
from heed.app.openapi.examples import GRAPH_EXAMPLES
from heed.app.routes.dependencies import TraceMediaType, trace_route
from heed.app.schemas import GraphIn

router = APIRouter(prefix=GRAPH, tags=["graphs"], route_class=JSONRoute)


@trace_route(router, "Classify the nodes of a graph", *GRAPH_FIELD)
async def graph(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    body: Annotated[GraphIn, Body(openapi_examples=GRAPH_EXAMPLES)],
) -> Response:
    """Run a graph attention network on a graph, and return its trace.

    There is a map for each head of each layer. Its rows are the nodes that attend, its columns
    those that are read: a node attends to its neighbours and to itself, and to no other.
    """
    return await trace_response(request, media, service.graphs, body)
