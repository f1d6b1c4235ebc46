"""Checkpoints of glimpse networks: config.json and 16-bit weights."""

from __future__ import annotations

from pathlib import Path

from heed.models.checkpoint import save_checkpoint
from heed.models.networks.glimpse_network import GlimpseNetwork
from training.glimpses.recipe import GlimpseRecipe


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
        "examples": [],
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
    }
    save_checkpoint(folder, about, network, dict(model.named_parameters()))
