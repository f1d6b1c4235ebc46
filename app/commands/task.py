"""The command of a task: one request of the API on the command line, whose trace is printed."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from heed.app.commands.edits import parse_edit
from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.options import read_file, read_stdin, request_errors, search_options
from heed.app.commands.output import print_changes, print_trace
from heed.app.errors import StartError
from heed.app.http.validation_errors import validated
from heed.app.inference.catalogue import Models, default_models, hf_folders, open_catalogue
from heed.app.settings import Settings
from heed.app.tasks.task import PICTURE_FILE, Task, Upload
from heed.models.errors import CheckpointError
from heed.models.generation.protocol import AnyPipeline
from heed.models.pictures.decode import Picture, decode_picture
from heed.models.sounds.read import Sound, read_sound
from heed.models.trace import Trace
from heed.output.word_figure import figure


def run_task(task: Task[Any], options: argparse.Namespace) -> int:
    """Print the answer of a model to the inputs of a command; return the exit code."""
    settings = Settings.from_environment()
    with request_errors():
        inputs, models = _inputs(task, options), _models(settings)
        request = validated(_fields(task, options, models) | inputs, task.schema)
        model = models.known(request.model, task)
        asked = task.prepared(request, models.catalogue.cards[model])
        if task.upload:
            name = getattr(options, next(iter(task.command.inputs)))
            asked = task.upload.filled(asked, _content(name, task.upload, settings))
        pipeline = _loaded(models, model, settings)
        pipeline.check(asked)
        (trace,) = pipeline.run([asked])
    if getattr(options, "overlay", None):
        _write_figure(trace, options.overlay)
    quiet = getattr(options, "quiet", False)
    with_map = task.command.answer is not None and not quiet
    print_trace(trace, request.detail, as_json=options.json, with_map=with_map)
    if trace.baseline is not None and not (options.json or quiet):
        print_changes(trace, trace.baseline)
    return DONE


def _inputs(task: Task[Any], options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of a command that are fields of a request."""
    names = [name for name in task.command.inputs if name in task.schema.model_fields]
    inputs = {name: getattr(options, name) for name in names}
    first = next(iter(task.command.inputs))
    if task.command.opens_files:
        return _file_fields(first, inputs[first])
    if inputs.get(first) == "-":
        inputs[first] = read_stdin()
    return inputs


def _file_fields(name: str, given: str) -> dict[str, Any]:
    """Return an input, perhaps from a file, or the fields of a request in JSON."""
    text = _text_of_file(given)
    if not text.lstrip().startswith("{"):
        return {name: text}
    try:
        fields: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError(f"The {name} begins like JSON, but is not valid JSON.") from None
    return fields


def _text_of_file(given: str) -> str:
    """Return the text of a file, of the standard input, or the argument itself."""
    if given == "-":
        return read_stdin()
    try:
        return Path(given).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return given
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise RefusedError(f"The file {given} cannot be read: {error}.") from None


def _fields(task: Task[Any], options: argparse.Namespace, models: Models) -> dict[str, object]:
    """Return the options of a command that are fields of a request."""
    names = task.schema.model_fields.keys() - task.command.inputs.keys()
    given = {name: value for name, value in vars(options).items() if name in names}
    if "search" in task.schema.model_fields:
        card = models.catalogue.cards[models.known(options.model, task)]
        given["search"] = search_options(options, card)
    if "edits" in names:
        given["edits"] = [parse_edit(edit) for edit in options.edit]
    return given


def _models(settings: Settings) -> Models:
    hf = hf_folders(settings.hf_models)
    catalogue = open_catalogue(settings.weights, settings.runtime, hf)
    return Models(catalogue, default_models(catalogue, settings.default_model))


def _loaded(models: Models, model: str, settings: Settings) -> AnyPipeline:
    try:
        return models.catalogue.load(model, settings.threads)
    except CheckpointError as error:
        raise StartError(f"The model {model} cannot be read: {error}.") from None


def _content(name: str, upload: Upload, settings: Settings) -> Picture | Sound:
    """Return the content of a file, or raise an `InputError`."""
    if upload is PICTURE_FILE:
        most = settings.max_image_bytes
        file = read_file(name, most + 1)
        return decode_picture(file, max_bytes=most, max_pixels=settings.max_image_pixels)
    most = settings.max_sound_bytes
    return read_sound(read_file(name, most + 1), max_bytes=most)


def _write_figure(trace: Trace, name: str) -> None:
    try:
        figure(trace).save(name)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StartError(f"{name} cannot be written: {why}.") from None
