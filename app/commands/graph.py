"""`heed graph`: the class of every node, and the weights between nodes in a terminal."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.options import load_model, read_stdin, request_errors
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.graphs import graph_request
from heed.app.schemas import GraphIn
from heed.app.settings import Settings
from heed.models.trace import Trace


def graph(options: argparse.Namespace) -> int:
    """Print the classes of the nodes, and the weights between them; return the exit code."""
    with request_errors():
        request = validated(_body(options), GraphIn)
        trace = _run(request)
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE


def _body(options: argparse.Namespace) -> dict[str, object]:
    """Return the body of the request that these options stand for."""
    text = _read(options.graph)
    body: dict[str, object] = {"model": options.model, "detail": options.detail}
    if not text.lstrip().startswith("{"):
        return {**body, "graph": text}
    try:
        return {**body, **json.loads(text)}
    except ValueError:
        raise RefusedError("The graph begins like JSON, but is not valid JSON.") from None


def _read(graph: str) -> str:
    """Return the text of a file, of the standard input, or the title of an example."""
    if graph == "-":
        return read_stdin()
    try:
        return Path(graph).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return graph
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise RefusedError(f"The file {graph} cannot be read: {error}.") from None


def _run(request: GraphIn) -> Trace:
    classifier = load_model(Settings.from_environment(), request.model, "graph")
    (trace,) = classifier.run([graph_request(request, classifier.card)])
    return trace
