"""`heed heads`: the heads of a model, ranked over sentences."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.options import request_errors
from heed.app.inference.catalogue import known_id, model_named, open_catalogue
from heed.app.settings import Settings
from heed.models.errors import CheckpointError, InputError, RecordingError
from heed.models.generation.requests import TextRequest
from heed.models.heads import Head, Links, parse_links, rank_heads, read_links
from heed.models.trace import Trace

COLUMNS = 3  # of a file: input, output, links


class Pair(NamedTuple):
    """A line of the file."""

    text: str
    target: str | None
    links: Links | None
    possible: Links = frozenset()


def heads(options: argparse.Namespace) -> int:
    """Print the heads of a model, the first by a measure first; return the exit code."""
    pairs = pairs_of(options.pairs)
    traces = traces_of(options.model, pairs)
    others = None if options.beside is None else traces_of(options.beside, pairs)
    if options.by == "moved" and others is None:
        raise RefusedError("--by moved needs another model: name it with --beside.")
    links = [pair.links for pair in pairs]
    try:
        ranked = rank_heads(traces, links, by=options.by, others=others)
    except ValueError as error:
        raise RefusedError(f"{options.pairs}: {error}.") from None
    if options.kind is not None:
        ranked = [head for head in ranked if head.kind == options.kind]
    _print(ranked[: options.top])
    return DONE


def pairs_of(path: str) -> list[Pair]:
    """Return the lines of a file: an input, and behind tabs its output and its links."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"{path} cannot be read: {error}.") from None
    pairs = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) > COLUMNS:
            raise RefusedError(f"{path}, line {number}: an input, an output and links at most.")
        text, target, links = [*cells, "", ""][:COLUMNS]
        try:
            both = read_links(links, "-?")
            pairs.append(Pair(text, target or None, parse_links(links) or None, both))
        except ValueError as error:
            raise RefusedError(f"{path}, line {number}: {error}.") from None
    if not pairs:
        raise RefusedError(f"{path} has no sentences.")
    return pairs


def traces_of(model: str, pairs: Sequence[Pair]) -> list[Trace]:
    """Run a model of Heed, or the one in a folder, on each pair."""
    catalogue = open_catalogue(Settings.from_environment().weights, "torch")
    asked = model_named(catalogue, model)
    with request_errors():
        known = known_id(catalogue, asked)
    if catalogue.cards[known].reads_pictures:
        raise RefusedError(f"{model} reads pictures; the heads of translators are ranked.")
    try:
        pipeline = catalogue.load(known)
        requests = [TextRequest(pair.text, pair.target) for pair in pairs]
        return [trace for request in requests for trace in pipeline.run([request])]
    except (CheckpointError, RecordingError, InputError) as error:
        raise RefusedError(f"{model}: {error}") from None


def _print(ranked: Sequence[Head]) -> None:
    table = Table(box=None)
    names = ("kind", "layer", "head", "alignment", "entropy", "diagonal", "sink", "moved")
    shown = [name for name in names if any(getattr(head, name) is not None for head in ranked)]
    for name in shown:
        table.add_column(name, justify="left" if name == "kind" else "right")
    for head in ranked:
        table.add_row(*(_cell(head, name) for name in shown))
    Console(width=100).print(table)


def _cell(head: Head, name: str) -> str:
    value = getattr(head, name)
    match name:
        case "kind":
            return str(value)
        case "layer" | "head":
            return str(value + 1)
        case "entropy":
            return f"{value:.2f} bits"
    return "–" if value is None else f"{100 * value:.1f} %"
