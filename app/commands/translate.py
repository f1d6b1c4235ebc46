"""`heed translate` and `heed models`: answers in a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

from heed.app.commands.errors import DONE, RefusedError, StartError
from heed.app.commands.terminal_heatmap import draw, heat_of, visible
from heed.app.errors import FieldError
from heed.app.http.sse import to_json
from heed.app.http.validation_errors import checked
from heed.app.inference.catalogue import (
    Kind,
    default_models,
    known_id,
    known_model,
    models_out,
    open_catalogue,
)
from heed.app.inference.execution import trace_bytes
from heed.app.inference.translation import ask_of
from heed.app.schemas import ModelOut, ModelsOut, TranslateIn
from heed.app.settings import Settings
from heed.app.traces.input_note import input_note
from heed.models.errors import CheckpointError, InputError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.trace import TokenAxis, Trace

OPTIONS = {
    "search.beam": "--beam",
    "search.seed": "--seed",
    "search.temperature": "--temperature",
    "text": "The text",
    "target": "The target",
    "question": "The question",
}


def translate(given: argparse.Namespace) -> int:
    """Print what a model makes of a text, and what it looked at."""
    with refusing():
        asked = checked(_body(given), TranslateIn)
        trace = _run(asked)
    if given.json:
        print(trace_bytes(trace, asked.detail).decode())
        return DONE
    print(visible(trace.text) if sys.stdout.isatty() else trace.text)
    if not given.quiet:
        _show(trace)
    return DONE


@contextmanager
def refusing() -> Iterator[None]:
    """What is wrong with a request is said of the options it was made with."""
    try:
        yield
    except FieldError as error:
        option = OPTIONS.get(error.field or "", "It")
        message = error.message.replace(f"The field '{error.field}'", option)
        raise RefusedError(message) from None
    except InputError as error:
        raise RefusedError(error.message) from None


def search_options(given: argparse.Namespace) -> dict[str, object]:
    """The options of the search as the body of a request would say them."""
    search: dict[str, object] = {}
    if given.beam is not None:
        search |= {"kind": "beam", "beam": given.beam}
    if given.seed is not None or given.temperature is not None:
        if search:
            raise RefusedError("A beam draws nothing: use --beam, or --seed and --temperature.")
        search = {"kind": "sample", "seed": given.seed or 0}
        search["temperature"] = 1.0 if given.temperature is None else given.temperature
    if search and given.target is not None:
        raise RefusedError("With --target there is nothing to search: leave --beam and --seed out.")
    return search


def asked_model(settings: Settings, wished: str | None, kind: Kind) -> GenerationPipeline:
    """The model that was asked for, its weights read."""
    zoo = open_catalogue(settings.weights, settings.runtime)
    model = known_model(zoo, wished, default_models(zoo, settings.default_model), kind)
    try:
        return zoo.load(model, settings.threads)
    except CheckpointError as error:
        raise StartError(f"The model {model} cannot be read: {error}.") from None


def _body(given: argparse.Namespace) -> dict[str, object]:
    """The options as the body of a request would say them."""
    search = search_options(given)
    text = _from_stdin() if given.text == "-" else given.text
    return {
        "text": text,
        "model": given.model,
        "target": given.target,
        "search": search,
        "detail": given.detail,
        "vectors": given.vectors,
    }


def _from_stdin() -> str:
    try:
        return sys.stdin.read().strip("\r\n")
    except UnicodeDecodeError:
        raise RefusedError("What stands on the standard input is not UTF-8.") from None


def _run(asked: TranslateIn) -> Trace:
    translator = asked_model(Settings.from_environment(), asked.model, "text")
    ask = ask_of(asked)
    translator.check(ask)
    (trace,) = translator.run([ask])
    return trace


def _show(trace: Trace) -> None:
    console = Console(highlight=False)
    heat = heat_of(trace, console.width)
    if heat is None:
        console.print()
        console.print(f"{trace.model.id} has no attention, so there is no map of it.", style="dim")
    else:
        draw(heat, console)
    if isinstance(trace.source, TokenAxis) and (note := input_note(trace.source)):
        console.print(visible(note), style="dim", markup=False)


def models(*, as_json: bool) -> int:
    """Print the catalogue."""
    settings = Settings.from_environment()
    zoo = open_catalogue(settings.weights)
    listed = models_out(zoo, default_models(zoo, settings.default_model))
    if as_json:
        print(to_json(ModelsOut(models=listed)).decode())
        return DONE
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("id", no_wrap=True)
    for title in ("name", "reads at most", "size"):
        table.add_column(title)
    for model in listed:
        table.add_row(*_row(model))
    console.print(table)
    return DONE


def export(wished: Sequence[str]) -> int:
    """Write the graphs of these models, or of all, and print where they are."""
    zoo = open_catalogue(Settings.from_environment().weights)
    with refusing():
        named = [known_id(zoo, model) for model in wished]
    for model in named or zoo.cards:
        try:
            written = zoo.export(model)
        except (CheckpointError, OSError) as error:
            raise StartError(f"The graphs of {model} cannot be written: {error}.") from None
        for path in written:
            print(path)
    return DONE


def _row(model: ModelOut) -> tuple[str, ...]:
    mark = " (default)" if model.default else ""
    return (
        model.id + mark,
        model.name,
        _reads(model),
        f"{model.bytes / 1e6:.1f} MB",
    )


def _reads(model: ModelOut) -> str:
    characters = f"{model.limits['characters']} characters"
    by_kind = {"caption": "a picture", "ask": f"a picture and {characters}"}
    return by_kind.get(model.task, characters)
