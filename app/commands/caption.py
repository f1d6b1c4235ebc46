"""`heed caption`, `heed ask` and `heed see`: pictures on the command line."""

from __future__ import annotations

import argparse

from heed.app.commands.attention_figure import figure
from heed.app.commands.errors import DONE
from heed.app.commands.options import (
    load_model,
    read_picture_file,
    request_errors,
    search_options,
)
from heed.app.commands.output import print_trace
from heed.app.errors import StartError
from heed.app.http.validation_errors import validated
from heed.app.inference.captioning import Fields, Task, caption_options
from heed.app.inference.catalogue import default_models, known_model, open_catalogue
from heed.app.schemas import AskIn, CaptionIn, SeeIn
from heed.app.settings import Settings
from heed.models.generation.captioner import HARD, ImageRequest
from heed.models.images.read import read_picture
from heed.models.trace import Trace


def caption(options: argparse.Namespace) -> int:
    """Print a caption of a picture; return the exit code."""
    return _run(options, "caption")


def ask(options: argparse.Namespace) -> int:
    """Print the answer to a question about a picture; return the exit code."""
    return _run(options, "ask")


def see(options: argparse.Namespace) -> int:
    """Print the likeliest class of a picture, and where it looks; return the exit code."""
    return _run(options, "see")


def _run(options: argparse.Namespace, task: Task) -> int:
    settings = Settings.from_environment()
    with request_errors():
        request = _request(options, settings, task)
        model = load_model(settings, request.model, task)
        picture = read_picture(
            read_picture_file(options.picture, settings),
            max_bytes=settings.max_image_bytes,
            max_pixels=settings.max_image_pixels,
        )
        image_request = ImageRequest(picture, *caption_options(request, model.card))
        model.check(image_request)
        (trace,) = model.run([image_request])
    if options.overlay:
        _write_figure(trace, options.overlay)
    with_map = task == "see" and not options.quiet
    print_trace(trace, request.detail, as_json=options.json, with_map=with_map)
    return DONE


def _request(options: argparse.Namespace, settings: Settings, task: Task) -> Fields:
    if task == "see":
        place = {"layer": options.layer, "head": options.head}
        return validated({"model": options.model, "detail": options.detail, **place}, SeeIn)
    body = {
        "model": options.model,
        "target": options.target,
        "search": _search(options, settings, task),
        "detail": options.detail,
        "vectors": options.vectors,
    }
    if task == "ask":
        return validated({**body, "question": options.question}, AskIn)
    return validated(body, CaptionIn)


def _search(options: argparse.Namespace, settings: Settings, task: Task) -> dict[str, object]:
    """Return the search; hard attention draws its cells from the seed in every kind of search."""
    if options.seed is None or options.temperature is not None:
        return search_options(options)
    catalogue = open_catalogue(settings.weights, settings.runtime)
    model = known_model(
        catalogue, options.model, default_models(catalogue, settings.default_model), task
    )
    if catalogue.cards[model].mechanism != HARD:
        return search_options(options)
    beam = {} if options.beam is None else {"kind": "beam", "beam": options.beam}
    return {**beam, "seed": options.seed}


def _write_figure(trace: Trace, name: str) -> None:
    try:
        figure(trace).save(name)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StartError(f"{name} cannot be written: {why}.") from None
