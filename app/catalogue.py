"""The models there are: from their cards to the wire, and from a name to one of them."""

from __future__ import annotations

import difflib
from pathlib import Path

from app.errors import FieldError, quoted
from app.exits import StartError
from app.schemas import LanguageOut, ModelOut
from models.errors import CheckpointError
from models.zoo import Card, Zoo

LONGEST_ID = 100


def open_zoo(directory: Path) -> Zoo:
    """The models of a directory, or a `StartError` that says why there are none."""
    if not directory.is_dir():
        raise StartError(f"There is no folder {directory} to read models from. Set HEED_WEIGHTS.")
    try:
        return Zoo(directory)
    except CheckpointError as error:
        raise StartError(f"The models cannot be read: {error}.") from None


def default_model(zoo: Zoo, wished: str | None) -> str:
    """The id of the model that answers where none is named."""
    if wished is None:
        return next(iter(zoo.cards))
    if wished not in zoo.cards:
        raise StartError(f"HEED_DEFAULT_MODEL={wished} cannot be used. {_whats_there(zoo, wished)}")
    return wished


def preloaded_models(zoo: Zoo, wished: str, default: str) -> list[str]:
    """Ids of the models whose weights are read at start."""
    match wished.strip():
        case "default":
            return [default]
        case "all":
            return list(zoo.cards)
        case "none":
            return []
    ids = list(dict.fromkeys(part.strip() for part in wished.split(",") if part.strip()))
    for model in ids:
        if model not in zoo.cards:
            raise StartError(f"HEED_PRELOAD={wished} cannot be used. {_whats_there(zoo, model)}")
    return ids


def known_model(zoo: Zoo, wished: str | None, default: str) -> str:
    """The id that was asked for, the default if none was, or a `FieldError` with the nearest."""
    if wished is None or wished in zoo.cards:
        return wished or default
    message = f"There is no model {quoted(wished)}. {_whats_there(zoo, wished)}"
    raise FieldError("unknown_model", message, "model")


def _whats_there(zoo: Zoo, wished: str) -> str:
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
        default=default,
        loaded=loaded,
        card=card.text,
    )


def models_out(zoo: Zoo, default: str) -> list[ModelOut]:
    """The whole catalogue, the best model first."""
    return [
        model_out(card, default=card.id == default, loaded=zoo.loaded(card.id))
        for card in zoo.cards.values()
    ]
