"""Checkpoints of glimpse networks: config.json and 16-bit weights."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.glimpse_network import GlimpseNetwork
from training.glimpses.picture_file import picture_file
from training.glimpses.quality import held_out
from training.glimpses.recipe import GlimpseRecipe

CHOSEN_FROM: Final = 40  # dev pictures of each kind


def save_glimpse(folder: Path, recipe: GlimpseRecipe, model: GlimpseNetwork) -> None:
    """Write the weights as 16-bit floats, and the configuration."""
    network = recipe.network
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "picture", "name": "Picture"},
        "target": {"code": "digits", "name": "Digit"},
        "granularity": "characters",
        "limits": {
            "characters": 1,
            "tokens": network.picture**2,
            "steps": network.glimpses,
        },
        "examples": list(examples(recipe)),
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
    }
    save_checkpoint(folder, about, network, dict(model.named_parameters()))


def examples(recipe: GlimpseRecipe) -> Iterator[str]:
    """Yield the files of the examples as base64, in the alphabet of addresses."""
    for kind, places in recipe.examples.items():
        drawn = held_out("dev", kind, CHOSEN_FROM, recipe.network.picture)
        for place in places:
            file = picture_file(drawn.pictures[place])
            yield base64.urlsafe_b64encode(file).decode().rstrip("=")
