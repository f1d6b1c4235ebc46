"""`heed export`: models as ONNX graphs, or one as a model of Hugging Face transformers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from heed.app.commands.errors import DONE, RefusedError
from heed.app.commands.options import request_errors
from heed.app.errors import StartError
from heed.app.inference.catalogue import known_id, open_catalogue
from heed.app.settings import Settings
from heed.models.errors import CheckpointError, RecordingError


def export(model_ids: Sequence[str]) -> int:
    """Export these models, or all, and print the paths; return the exit code."""
    if find_spec("onnx") is None:
        raise StartError(
            'Graphs are written by onnx. Install it with: pip install "heed-attention[onnx]".'
        )
    catalogue = open_catalogue(Settings.from_environment().weights)
    with request_errors():
        known = [known_id(catalogue, model) for model in model_ids]
    for model in known or [card.id for card in catalogue.cards.values() if card.exportable]:
        try:
            paths = catalogue.export(model)
        except (CheckpointError, OSError) as error:
            raise StartError(f"The graphs of {model} cannot be written: {error}.") from None
        for path in paths:
            print(path)
    return DONE


def convert(model_ids: Sequence[str], form: str, folder: str) -> int:
    """Write one model in another format and print the paths; return the exit code."""
    if form != "hf":
        raise RefusedError(f"--to has no format {form!r}: use hf, for Hugging Face transformers.")
    if len(model_ids) != 1:
        raise RefusedError("--to writes one model: name it, such as en-fr-transformer.")
    catalogue = open_catalogue(Settings.from_environment().weights)
    with request_errors():
        model = known_id(catalogue, model_ids[0])
    try:
        paths = catalogue.convert(model, Path(folder))
    except RecordingError as error:
        raise RefusedError(str(error)) from None
    except (CheckpointError, OSError) as error:
        raise StartError(f"{model} cannot be written: {error}.") from None
    for path in paths:
        print(path)
    return DONE
