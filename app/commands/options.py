"""Command-line options as a request, and errors of the request as errors of the options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heed.app.commands.errors import RefusedError
from heed.app.errors import FieldError
from heed.models.card import Card
from heed.models.errors import InputError
from heed.models.mechanisms import HARD

OPTIONS = {
    "search.beam": "--beam",
    "search.seed": "--seed",
    "search.temperature": "--temperature",
    "layer": "--layer",
    "head": "--head",
    "edits": "--edit",
    "continue_from": "--continue-from",
    "text": "The text",
    "target": "The target",
    "question": "The question",
    "story": "The story",
    "graph": "The graph",
}
"""The name of a field of the request on the command line."""


@contextmanager
def request_errors() -> Iterator[None]:
    """Turn errors of a request into a `RefusedError` that names the option."""
    try:
        yield
    except FieldError as error:
        option = OPTIONS.get((error.field or "").partition("[")[0], "It")
        message = error.message.replace(f"The field '{error.field}'", option)
        raise RefusedError(message) from None
    except InputError as error:
        raise RefusedError(error.message) from None


def read_stdin() -> str:
    """Return the text of the standard input, or raise a `RefusedError`."""
    try:
        return sys.stdin.read().strip("\r\n")
    except UnicodeDecodeError:
        raise RefusedError("The standard input is not UTF-8.") from None


def read_file(name: str, most: int) -> bytes:
    """Return so many bytes of a file, or of the standard input for `-`."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(most)
        with Path(name).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise RefusedError(f"{name} cannot be read: {error.strerror}.") from None


def search_options(options: argparse.Namespace, card: Card) -> dict[str, object]:
    """Return the search of a request that these options stand for.

    Hard attention draws its cells from the seed in every kind of search.
    """
    search: dict[str, object] = {}
    if card.mechanism == HARD and options.seed is not None and options.temperature is None:
        beam = {} if options.beam is None else {"kind": "beam", "beam": options.beam}
        return {**beam, "seed": options.seed}
    if options.beam is not None:
        search |= {"kind": "beam", "beam": options.beam}
    if options.seed is not None or options.temperature is not None:
        if search:
            message = (
                "Use either --beam, or --seed and --temperature: a beam search samples nothing."
            )
            raise RefusedError(message)
        search = {"kind": "sample", "seed": options.seed or 0}
        search["temperature"] = 1.0 if options.temperature is None else options.temperature
    if search and options.target is not None:
        raise RefusedError("With --target there is no search: leave --beam and --seed out.")
    return search
