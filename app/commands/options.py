"""Command-line options as a request, and errors of the request as errors of the options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heed.app.commands.errors import RefusedError
from heed.app.errors import FieldError, StartError
from heed.app.inference.catalogue import (
    Kind,
    default_models,
    hf_folders,
    known_model,
    open_catalogue,
)
from heed.app.settings import Settings
from heed.models.errors import CheckpointError, InputError
from heed.models.generation.protocol import AnyPipeline

OPTIONS = {
    "search.beam": "--beam",
    "search.seed": "--seed",
    "search.temperature": "--temperature",
    "layer": "--layer",
    "head": "--head",
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
        option = OPTIONS.get(error.field or "", "It")
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


def read_picture_file(name: str, settings: Settings) -> bytes:
    """Return the bytes of a file, or of the standard input for `-`, or raise a `RefusedError`."""
    return _read_file(name, settings.max_image_bytes + 1)


def _read_file(name: str, most: int) -> bytes:
    try:
        if name == "-":
            return sys.stdin.buffer.read(most)
        with Path(name).open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise RefusedError(f"{name} cannot be read: {error.strerror}.") from None


def read_sound_file(name: str, settings: Settings) -> bytes:
    """Return the bytes of a file, or of the standard input for `-`, or raise a `RefusedError`."""
    return _read_file(name, settings.max_sound_bytes + 1)


def search_options(options: argparse.Namespace) -> dict[str, object]:
    """Return the search of a request that these options stand for."""
    search: dict[str, object] = {}
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


def load_model(settings: Settings, model_id: str | None, kind: Kind) -> AnyPipeline:
    """Load the weights of this model, or of the default model of its kind."""
    catalogue = open_catalogue(settings.weights, settings.runtime, hf_folders(settings.hf_models))
    model = known_model(
        catalogue, model_id, default_models(catalogue, settings.default_model), kind
    )
    try:
        return catalogue.load(model, settings.threads)
    except CheckpointError as error:
        raise StartError(f"The model {model} cannot be read: {error}.") from None
