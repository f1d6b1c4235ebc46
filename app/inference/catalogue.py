"""The models there are: from their cards to the wire, and from a name to one of them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from heed.app.errors import FieldError, StartError, quoted
from heed.app.schemas import LanguageOut, ModelOut
from heed.models.catalogue import Card, Catalogue, RuntimeName
from heed.models.errors import CheckpointError

LONGEST_ID = 100

Kind = Literal["text", "caption", "ask"]
Defaults = Mapping[str, str]
"""Of each kind of model that there is, the one that answers where none is named."""
DOES: Mapping[str, str] = {
    "text": "reads texts: send it to /api/v1/translate",
    "caption": "describes pictures: send it to /api/v1/caption",
    "ask": "answers questions about pictures: send it to /api/v1/ask",
}


def open_catalogue(directory: Path, runtime: RuntimeName = "auto") -> Catalogue:
    """The models of a directory, or a `StartError` that says why there are none."""
    if not directory.is_dir():
        raise StartError(f"There is no folder {directory} to read models from. Set HEED_WEIGHTS.")
    try:
        return Catalogue(directory, runtime)
    except CheckpointError as error:
        raise StartError(f"The models cannot be read: {error}.") from None


def kind_of(card: Card) -> str:
    """What a model is asked for: of those that read texts all are alike."""
    return card.task if card.reads_pictures else "text"


def default_models(zoo: Catalogue, wished: str | None) -> Defaults:
    """Of each kind the model that answers where none is named: the first, or the one wished for."""
    if wished is not None and wished not in zoo.cards:
        raise StartError(f"HEED_DEFAULT_MODEL={wished} cannot be used. {_whats_there(zoo, wished)}")
    first = {kind_of(card): card.id for card in reversed(list(zoo.cards.values()))}
    return first if wished is None else {**first, kind_of(zoo.cards[wished]): wished}


def preloaded_models(zoo: Catalogue, wished: str, defaults: Defaults) -> list[str]:
    """Ids of the models whose weights are read at start."""
    match wished.strip():
        case "default":
            return [defaults["text"]] if "text" in defaults else []
        case "all":
            return list(zoo.cards)
        case "none":
            return []
    ids = list(dict.fromkeys(part.strip() for part in wished.split(",") if part.strip()))
    for model in ids:
        if model not in zoo.cards:
            raise StartError(f"HEED_PRELOAD={wished} cannot be used. {_whats_there(zoo, model)}")
    return ids


def known_model(zoo: Catalogue, wished: str | None, defaults: Defaults, kind: Kind) -> str:
    """The id that was asked for, the default if none was, or a `FieldError` that says what is."""
    if wished is None:
        if kind not in defaults:
            message = "There is no model here that could do this."
            raise FieldError("unknown_model", message, "model")
        return defaults[kind]
    found = kind_of(zoo.cards[known_id(zoo, wished)])
    if found != kind:
        message = f"The model {quoted(wished)} {DOES[found]}, or name another."
        raise FieldError("wrong_task", message, "model")
    return wished


def known_id(zoo: Catalogue, wished: str) -> str:
    """The id of a model that there is, or a `FieldError` that says which there are."""
    if wished not in zoo.cards:
        message = f"There is no model {quoted(wished)}. {_whats_there(zoo, wished)}"
        raise FieldError("unknown_model", message, "model")
    return wished


def _whats_there(zoo: Catalogue, wished: str) -> str:
    near = difflib.get_close_matches(wished[:LONGEST_ID], zoo.cards, n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"There are: {', '.join(zoo.cards)}."


def model_out(card: Card, *, default: bool, loaded: bool) -> ModelOut:
    """A model's card as the API gives it."""
    return ModelOut(
        id=card.id,
        name=card.name,
        task=card.task,
        source=LanguageOut(code=card.source.code, name=card.source.name),
        target=LanguageOut(code=card.target.code, name=card.target.name),
        mechanism=card.mechanism,
        order=card.order,
        input_feeding=card.input_feeding,
        heads=card.heads,
        layers=card.layers,
        parameters=card.parameters,
        bytes=card.bytes,
        weights=card.weights,
        granularity=card.granularity,
        quality=dict(card.quality),
        limits={
            "characters": card.limits.characters,
            "tokens": card.limits.tokens,
            "steps": card.limits.steps,
        },
        examples=list(card.examples),
        hints=dict(card.hints),
        guided=card.guided,
        default=default,
        loaded=loaded,
        card=card.text,
    )


def models_out(zoo: Catalogue, defaults: Defaults) -> list[ModelOut]:
    """The whole catalogue, the best model first."""
    return [
        model_out(card, default=card.id in defaults.values(), loaded=zoo.loaded(card.id))
        for card in zoo.cards.values()
    ]
