"""Checkpoints of other models: of this machine's runs, or as they ship."""

from __future__ import annotations

from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import CONFIG, tokenizer_of
from heed.models.text.tokenizer import BytePieces
from training.common.errors import RecipeError


def sibling(model: str, runs: Path) -> Path:
    """The checkpoint of another model: of its run, or else as it ships."""
    for folder in (runs / model / "checkpoint", DEFAULT_DIRECTORY / model):
        if (folder / CONFIG).exists():
            return folder
    raise RecipeError(f"{model}, to be learned from, is neither among the runs nor shipped")


def has_pieces(folder: Path, tokenizer: BytePieces) -> bool:
    """Whether a checkpoint has the pieces of this tokenizer, each in its place."""
    places = range(len(tokenizer))
    return tokenizer.places_of(tokenizer_of(folder)) == dict(zip(places, places, strict=True))
