"""A trace on the standard output: as JSON, or the text that the model wrote, and its map."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from heed.app.commands.terminal_heatmap import END_SIGN, draw, heat_of, printable_text
from heed.app.inference.execution import trace_bytes
from heed.app.schemas import Detail
from heed.app.traces.input_note import trace_note
from heed.models.edits.operations import fields_of
from heed.models.trace import Baseline, ClassAxis, TargetAxis, TokenAxis, Trace


def print_trace(trace: Trace, detail: Detail, *, as_json: bool, with_map: bool = False) -> None:
    """Print a trace as JSON, or its text and, if wanted, the map below it."""
    if as_json:
        print(trace_bytes(trace, detail).decode())
        return
    text = _text_of(trace)
    print(printable_text(text) if sys.stdout.isatty() else text)
    if with_map:
        _print_map(trace)


def print_changes(trace: Trace, baseline: Baseline) -> None:
    """Print both texts, and the effect of the edits on each token of the run without them."""
    console = Console(highlight=False)
    console.print()
    console.print(f"without edits: {printable_text(baseline.output.text)}", markup=False)
    table = Table(box=None, pad_edge=False)
    for name in ("step", "output", "p before", "p after", "Δ log p", "KL"):
        table.add_column(name, justify="left" if name == "output" else "right")
    names = _names_of(baseline.output.target)
    for step, (name, change) in enumerate(zip(names, baseline.changes, strict=True)):
        table.add_row(
            str(step),
            Text(printable_text(name)),
            *(f"{math.exp(log):.3f}" for log in (change.before, change.after)),
            f"{change.after - change.before:+.2f}",
            f"{change.divergence:.3f}",
            style="bold" if step == baseline.parts_at else None,
        )
    console.print(table)
    unused = [fields_of(trace.request.edits[place])["op"] for place in baseline.unused]
    if unused:
        console.print(f"Not reached: {', '.join(unused)}.", style="dim")


def _names_of(target: TargetAxis) -> Sequence[str]:
    """Return the names of the steps of an output: its tokens, hops or nodes."""
    if isinstance(target, ClassAxis):
        return target.nodes
    if isinstance(target, TokenAxis):
        return [END_SIGN if token.special else token.text for token in target.tokens]
    return target.names


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
