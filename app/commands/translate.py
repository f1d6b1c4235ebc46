"""`heed translate`: a translation and its attention map in a terminal."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from heed.app.commands.errors import DONE
from heed.app.commands.options import load_model, read_stdin, request_errors, search_options
from heed.app.commands.terminal_heatmap import draw, heat_of, printable_text
from heed.app.http.validation_errors import validated
from heed.app.inference.execution import trace_bytes
from heed.app.inference.translation import text_request
from heed.app.schemas import TranslateIn
from heed.app.settings import Settings
from heed.app.traces.input_note import input_note
from heed.models.trace import GridAxis, Trace


def translate(options: argparse.Namespace) -> int:
    """Print the output of a model for a text, and its attention map; return the exit code."""
    with request_errors():
        request = validated(_body(options), TranslateIn)
        trace = _run(request)
    if options.json:
        print(trace_bytes(trace, request.detail).decode())
        return DONE
    print(printable_text(trace.text) if sys.stdout.isatty() else trace.text)
    if not options.quiet:
        print_map(trace)
    return DONE


def _body(options: argparse.Namespace) -> dict[str, object]:
    """Return the body of the request that these options stand for."""
    search = search_options(options)
    text = read_stdin() if options.text == "-" else options.text
    return {
        "text": text,
        "model": options.model,
        "target": options.target,
        "search": search,
        "detail": options.detail,
        "vectors": options.vectors,
    }


def _run(request: TranslateIn) -> Trace:
    translator = load_model(Settings.from_environment(), request.model, "text")
    text = text_request(request)
    translator.check(text)
    (trace,) = translator.run([text])
    return trace


def print_map(trace: Trace) -> None:
    """Print the attention map of a trace, and the words that the model may not know."""
    console = Console(highlight=False)
    heat = heat_of(trace, console.width)
    if heat is None:
        console.print()
        console.print(f"{trace.model.id} has no attention, so there is no map.", style="dim")
    else:
        draw(heat, console)
    if not isinstance(trace.source, GridAxis) and (note := input_note(trace.source)):
        console.print(printable_text(note), style="dim", markup=False)
