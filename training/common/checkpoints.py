"""Checkpoints of other models: of this machine's runs, or as they ship."""

from __future__ import annotations

from pathlib import Path

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import CONFIG, tokenizer_of
from heed.models.text.tokenizer import BytePieces
from training.common.errors import RecipeError


def find_checkpoint(model: str, runs: Path) -> Path:
    """Return the checkpoint of a model: of its run if there is one, else the shipped one."""
    for folder in (runs / model / "checkpoint", DEFAULT_DIRECTORY / model):
        if (folder / CONFIG).exists():
            return folder
    raise RecipeError(f"{model} is neither among the runs nor shipped")


def has_same_tokenizer(folder: Path, tokenizer: BytePieces) -> bool:
    """Return whether a checkpoint has the pieces of this tokenizer at the same ids."""
    places = range(len(tokenizer))
    return tokenizer.places_of(tokenizer_of(folder)) == dict(zip(places, places, strict=True))
