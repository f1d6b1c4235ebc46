"""Checkpoints of networks of graphs: config.json with classes and examples, and 16-bit weights."""

from __future__ import annotations

from pathlib import Path

from heed.models.checkpoint import save_checkpoint
from heed.models.graphs.graph import CLASSES
from heed.models.networks.graph_network import GraphNetwork
from training.graphs.recipe import GraphRecipe

CHARACTERS = 50_000  # of a graph as text
NODES, STEPS = 200, 200


def save_graph_network(folder: Path, recipe: GraphRecipe, model: GraphNetwork) -> None:
    """Write the weights as 16-bit floats, and the configuration with the classes."""
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": "en", "name": "Graph"},
        "target": {"code": "en", "name": "Classes of its nodes"},
        "granularity": "subwords",
        "limits": {"characters": CHARACTERS, "tokens": NODES, "steps": STEPS},
        "examples": list(recipe.examples),
        "hints": dict(recipe.hints),
        "guided": "attention guided by the classes of nodes in training" if recipe.guide else "",
        "learned_from": recipe.learned_from,
        "rank": recipe.rank,
        "classes": list(CLASSES),
    }
    save_checkpoint(folder, about, recipe.network, dict(model.named_parameters()))
