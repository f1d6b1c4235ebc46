"""`heed caption` and `heed ask`: what a model sees in a picture, in a terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from heed.app.commands.attention_figure import figure
from heed.app.commands.errors import DONE, RefusedError, StartError
from heed.app.commands.terminal_heatmap import visible
from heed.app.commands.translate import asked_model, refusing, search_options
from heed.app.http.validation_errors import checked
from heed.app.inference.captioning import Task, words_of
from heed.app.inference.catalogue import default_models, known_model, open_catalogue
from heed.app.inference.execution import trace_bytes
from heed.app.schemas import AskIn, CaptionIn
from heed.app.settings import Settings
from heed.models.generation.captioner import HARD, ImageRequest
from heed.models.images.read import Picture, read_picture
from heed.models.trace import Trace


def caption(given: argparse.Namespace) -> int:
    """Print what a model writes below a picture."""
    return _see(given, "caption")


def ask(given: argparse.Namespace) -> int:
    """Print what a model answers to a question about a picture."""
    return _see(given, "ask")


def _see(given: argparse.Namespace, task: Task) -> int:
    settings = Settings.from_environment()
    with refusing():
        body = {
            "model": given.model,
            "target": given.target,
            "search": _search(given, settings, task),
            "detail": given.detail,
            "vectors": given.vectors,
        }
        if task == "ask":
            asked: CaptionIn = checked({**body, "question": given.question}, AskIn)
        else:
            asked = checked(body, CaptionIn)
        model = asked_model(settings, asked.model, task)
        words = words_of(asked, model.card)
        request = ImageRequest(_picture(given.picture, settings), *words)
        model.check(request)
        (trace,) = model.run([request])
    if given.overlay:
        _draw(trace, given.overlay)
    if given.json:
        print(trace_bytes(trace, asked.detail).decode())
    else:
        print(visible(trace.text) if sys.stdout.isatty() else trace.text)
    return DONE


def _search(given: argparse.Namespace, settings: Settings, task: Task) -> dict[str, object]:
    """The search; the seed of a hard model draws its cells, whatever else is drawn or not."""
    if given.seed is None or given.temperature is not None:
        return search_options(given)
    zoo = open_catalogue(settings.weights, settings.runtime)
    model = known_model(zoo, given.model, default_models(zoo, settings.default_model), task)
    if zoo.cards[model].mechanism != HARD:
        return search_options(given)
    beam = {} if given.beam is None else {"kind": "beam", "beam": given.beam}
    return {**beam, "seed": given.seed}


def _picture(name: str, settings: Settings) -> Picture:
    most = settings.max_image_bytes
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise RefusedError(f"{name} cannot be read: {error.strerror}.") from None
    return read_picture(data, most_bytes=most, most_pixels=settings.max_image_pixels)


def _draw(trace: Trace, name: str) -> None:
    try:
        figure(trace).save(name)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise StartError(f"{name} cannot be written: {why}.") from None
