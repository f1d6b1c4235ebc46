"""`heed graph`: the class of every node, and the weights between nodes in a terminal."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from heed.app.commands.answer import print_answer
from heed.app.commands.errors import RefusedError
from heed.app.commands.options import read_stdin
from heed.app.inference.graphs import graph_request
from heed.app.schemas import GraphIn


def graph(options: argparse.Namespace) -> int:
    """Print the classes of the nodes, and the weights between them; return the exit code."""
    return print_answer(options, "graph", GraphIn, _inputs(options), graph_request)


def _inputs(options: argparse.Namespace) -> dict[str, object]:
    """Return the graph as text, or the fields of a request in JSON."""
    text = _read(options.graph)
    if not text.lstrip().startswith("{"):
        return {"graph": text}
    try:
        fields: dict[str, object] = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError("The graph begins like JSON, but is not valid JSON.") from None
    return fields


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
