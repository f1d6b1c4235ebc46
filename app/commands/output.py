"""A trace on the standard output: as JSON, or the text that the model wrote, and its map."""

from __future__ import annotations

import sys

from rich.console import Console

from heed.app.commands.terminal_heatmap import draw, heat_of, printable_text
from heed.app.inference.execution import trace_bytes
from heed.app.schemas import Detail
from heed.app.traces.input_note import trace_note
from heed.models.trace import ClassAxis, Trace


def print_trace(trace: Trace, detail: Detail, *, as_json: bool, with_map: bool = False) -> None:
    """Print a trace as JSON, or its text and, if wanted, the map below it."""
    if as_json:
        print(trace_bytes(trace, detail).decode())
        return
    text = _text_of(trace)
    print(printable_text(text) if sys.stdout.isatty() else text)
    if with_map:
        _print_map(trace)


def _text_of(trace: Trace) -> str:
    """Return the output, of a graph with a line for each node."""
    if not isinstance(target := trace.output.target, ClassAxis):
        return trace.text
    return "\n".join(
        f"{node}: {name}" for node, name in zip(target.nodes, target.classes, strict=True)
    )


def _print_map(trace: Trace) -> None:
    """Print the attention map of a trace, and the words that the model may not know."""
    console = Console(highlight=False)
    heat = heat_of(trace, console.width)
    if heat is None:
        console.print()
        console.print(f"{trace.model.id} has no attention, so there is no map.", style="dim")
    else:
        draw(heat, console)
    if note := trace_note(trace):
        console.print(printable_text(note), style="dim", markup=False)
