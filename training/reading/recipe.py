"""Recipe of a network that reads sentences word by word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heed.models.config import LSTMNConfig
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule


@dataclass(frozen=True, slots=True)
class ReadingRecipe:
    """A reader and its training."""

    id: str
    name: str
    task: str
    network: LSTMNConfig
    schedule: Schedule
    templates: int = 0  # one sentence of a template before so many others; 0: none
    guide: float = 0.0  # weight of the cross-entropy of the head's weight at the verb of a template
    examples: tuple[str, ...] = ()
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100

    @classmethod
    def read(cls, path: Path) -> ReadingRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_toml(path)
        values["network"] = read_section(path, "network", LSTMNConfig, values.get("network", {}))
        values["schedule"] = read_section(path, "schedule", Schedule, values.get("schedule", {}))
        values["examples"] = tuple(values.get("examples", ()))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> ReadingRecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
