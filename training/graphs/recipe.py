"""Recipe of a network that classifies the nodes of graphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heed.models.config import GraphConfig
from heed.models.graphs.graph import CLASSES
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule


@dataclass(frozen=True, slots=True)
class GraphRecipe:
    """A graph attention network and its training."""

    id: str
    name: str
    task: str
    network: GraphConfig
    schedule: Schedule
    guide: float = 0.0  # weight of the attention to neighbours of the same class
    examples: tuple[str, ...] = field(default=())
    hints: Mapping[str, str] = field(default_factory=dict)
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100

    @classmethod
    def read(cls, path: Path) -> GraphRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_toml(path)
        network = {"vocabulary": len(CLASSES)} | values.get("network", {})
        values["network"] = read_section(path, "network", GraphConfig, network)
        values["schedule"] = read_section(path, "schedule", Schedule, values.get("schedule", {}))
        values["examples"] = tuple(values.get("examples", ()))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> GraphRecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
