"""The catalogue of models: looking up a model by its id, and cards as the API gives them."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from heed.app.errors import FieldError, StartError, quoted
from heed.app.schemas import MissingModelOut, ModelOut
from heed.app.tasks import task_of
from heed.app.tasks.task import Task
from heed.app.tasks.translate import TRANSLATE
from heed.models.card import Card
from heed.models.catalogue import Catalogue, RuntimeName, install_hint
from heed.models.errors import CheckpointError, RecordingError
from heed.models.packages import NAME
from heed.models.recording.hub import fetched, is_hub_id
from heed.output.model import card_out

INSTALL = (
    'Models of Hugging Face need transformers. Install it with: pip install "heed-attention[hf]".'
)
OUTDATED_KERNELS = (
    "The kernels were compiled from another source than this one, so ONNX Runtime is used, at half "
    "the speed and without edits of the attention. `make run` compiles them again."
)
LONGEST_ID = 100
LONGEST_ERROR = 300

Defaults = Mapping[str, str]
"""The default model of each task, used when a request names none."""


class Models(NamedTuple):
    """The models of a server."""

    catalogue: Catalogue
    defaults: Defaults

    def known(self, model_id: str | None, task: Task[Any]) -> str:
        """Return the id of a model of a task (the default if `None`), or raise a `FieldError`."""
        if model_id is None:
            if task.id not in self.defaults:
                message = f"This server has no model of the kind '{task.id}'.{self._hint(task)}"
                raise FieldError("unknown_model", message, "model")
            return self.defaults[task.id]
        known_task = task_of(self.catalogue.cards[known_id(self.catalogue, model_id)])
        if known_task is not task:
            message = (
                f"The model {quoted(model_id)} {known_task.does}: use {known_task.path}, or choose "
            )
            raise FieldError("wrong_task", message + "another model.", "model")
        return model_id

    def _hint(self, task: Task[Any]) -> str:
        missing = (card for card in self.catalogue.missing.values() if task_of(card) is task)
        return next((f" {install_hint(card)}" for card in missing), "")


def open_catalogue(
    directory: Path,
    runtime: RuntimeName = "auto",
    hf: Mapping[str, Path] = MappingProxyType({}),
) -> Catalogue:
    """Open the models in a directory and those in folders, or raise a `StartError`."""
    with _start_errors(hf):
        if not directory.is_dir():
            raise StartError(f"There is no folder {directory} with models. Set HEED_WEIGHTS.")
        catalogue = Catalogue(directory, runtime, hf)
    for card in [*catalogue.cards.values()]:
        if card.package:
            _check_packaged(catalogue, card)
    return catalogue


@contextmanager
def _start_errors(hf: Mapping[str, Path]) -> Iterator[None]:
    """Raise a `StartError` where models cannot be read, those in folders for want of a package."""
    if hf and find_spec("transformers") is None:
        raise StartError(INSTALL)
    try:
        yield
    except CheckpointError as error:
        raise StartError(f"The models cannot be read: {error}.") from None


def _check_packaged(catalogue: Catalogue, card: Card) -> None:
    """Leave out the model of a package whose card the API could not give."""
    try:
        model_out(card, default=False, loaded=False).model_dump_json()
    except Exception as error:  # noqa: BLE001 - the card has values of any kind
        catalogue.leave_out(card.id, f"has no valid card: {str(error)[:LONGEST_ERROR]}")


def hf_folders(setting: str) -> Mapping[str, Path]:
    """Return the folders of a setting `name=PATH:…`, or raise a `StartError`.

    A path that is no folder may be the id of a model of the hub, which is then fetched.
    """
    folders: dict[str, Path] = {}
    for part in setting.split(os.pathsep) if setting != "none" else ():
        name, equals, path = part.partition("=")
        if not equals or not NAME.fullmatch(name):
            raise StartError(
                f"The model {part!r} is not name=PATH, with a name of letters, digits, '.', '_' "
                "and '-'."
            )
        if name in folders:
            raise StartError(f"There are two models named {name}.")
        folders[name] = _hf_folder(name, path)
    return folders


def model_named(catalogue: Catalogue, model: str) -> str:
    """Return the id of a model: one that is known, or that of a folder, which is added."""
    folder = Path(model)
    if not model or model in catalogue.cards or not folder.is_dir():
        return model
    name = f"hf-{folder.resolve().name}"
    with _start_errors({name: folder}):
        catalogue.add_folder(name, folder)
    return name


def _hf_folder(name: str, path: str) -> Path:
    folder = Path(path)
    if folder.is_dir():
        return folder
    if not is_hub_id(path):
        raise StartError(
            f"The model {name} has no folder {path!r}, which is no id of the hub either."
        )
    if find_spec("huggingface_hub") is None:
        raise StartError(INSTALL)
    try:
        return fetched(path)
    except RecordingError as error:
        raise StartError(str(error)) from None


def default_models(catalogue: Catalogue, model_id: str | None) -> Defaults:
    """Return the default model of each task: the first, or the one that the setting names."""
    if model_id is not None and model_id not in catalogue.cards:
        raise StartError(
            f"HEED_DEFAULT_MODEL={model_id} cannot be used. {_suggestion(catalogue, model_id)}"
        )
    first = {task_of(card).id: card.id for card in reversed(list(catalogue.cards.values()))}
    return first if model_id is None else {**first, task_of(catalogue.cards[model_id]).id: model_id}


def preloaded_models(catalogue: Catalogue, model_id: str, defaults: Defaults) -> list[str]:
    """Return the ids of the models that are loaded at start."""
    match model_id.strip():
        case "default":
            return [defaults[TRANSLATE.id]] if TRANSLATE.id in defaults else []
        case "all":
            return list(catalogue.cards)
        case "none":
            return []
    ids = list(dict.fromkeys(part.strip() for part in model_id.split(",") if part.strip()))
    for model in ids:
        if model not in catalogue.cards:
            raise StartError(
                f"HEED_PRELOAD={model_id} cannot be used. {_suggestion(catalogue, model)}"
            )
    return ids


def known_id(catalogue: Catalogue, model_id: str) -> str:
    """Return the id if the model exists, or raise a `FieldError` that suggests others."""
    if model_id not in catalogue.cards:
        unknown = f"There is no model {quoted(model_id)}. "
        known = model_id in catalogue.missing
        message = ("" if known else unknown) + _suggestion(catalogue, model_id)
        raise FieldError("unknown_model", message, "model")
    return model_id


def _suggestion(catalogue: Catalogue, model_id: str) -> str:
    if hint := catalogue.hint(model_id):
        return hint
    near = difflib.get_close_matches(model_id[:LONGEST_ID], catalogue.cards, n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"Available: {', '.join(catalogue.cards)}."


def model_out(card: Card, *, default: bool, loaded: bool) -> ModelOut:
    """Return a card as the API gives it."""
    return ModelOut(**card_out(card), default=default, loaded=loaded, card=card.text)


def missing_out(catalogue: Catalogue) -> list[MissingModelOut]:
    """Return the models that Heed knows and that are not installed."""
    return [
        MissingModelOut(id=card.id, name=card.name, task=card.task, install=install_hint(card))
        for card in catalogue.missing.values()
    ]


def models_out(catalogue: Catalogue, defaults: Defaults) -> list[ModelOut]:
    """Return all cards, the best model first."""
    return [
        model_out(card, default=card.id in defaults.values(), loaded=catalogue.loaded(card.id))
        for card in catalogue.cards.values()
    ]
