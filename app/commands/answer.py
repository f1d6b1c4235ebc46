"""One request of the API on the command line: its model runs, and its trace is printed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_stdin, request_errors
from heed.app.commands.output import print_trace
from heed.app.http.validation_errors import validated
from heed.app.inference.catalogue import Kind
from heed.app.schemas import RunOptions
from heed.app.settings import Settings
from heed.models.card import Card

Asked = TypeVar("Asked", bound=RunOptions)


def print_answer(
    options: argparse.Namespace,
    kind: Kind,
    schema: type[Asked],
    inputs: Mapping[str, object],
    prepared: Callable[[Asked, Card], Any],
) -> int:
    """Print the answer of a model to these inputs, and its map; return the exit code.

    `prepared` makes the input of a model from a request.
    """
    with request_errors():
        body = {"model": options.model, "detail": options.detail, **inputs}
        request = validated(body, schema)
        model = load_model(Settings.from_environment(), request.model, kind)
        (trace,) = model.run([prepared(request, model.card)])
    print_trace(trace, request.detail, as_json=options.json, with_map=not options.quiet)
    return DONE


def given(text: str) -> str:
    """Return the text of an argument, where `-` stands for the standard input."""
    return read_stdin() if text == "-" else text
