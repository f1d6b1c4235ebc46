"""Recipe of a network that looks at pictures of digits in glimpses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from heed.models.config import GlimpseConfig
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule


@dataclass(frozen=True, slots=True)
class GlimpseRecipe:
    """A glimpse network and its training."""

    id: str
    name: str
    task: str
    network: GlimpseConfig
    schedule: Schedule
    digits: int = 60_000  # drawn for the training, of which pictures are put together
    alone: float = 0.3  # share of pictures without clutter
    each_glimpse: float = 0.5  # weight of the beliefs before the last
    policy: float = 0.3  # weight of the rewards
    baseline: float = 0.5  # weight of the error of the expected reward
    examples: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Of the first dev pictures of each kind those that the page offers."""
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100

    def __post_init__(self) -> None:
        if not 0 <= self.alone <= 1:
            raise RecipeError("alone is a share, from 0 to 1")

    @classmethod
    def read(cls, path: Path) -> GlimpseRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_toml(path)
        network = {"vocabulary": 10} | values.get("network", {})
        values["network"] = read_section(path, "network", GlimpseConfig, network)
        values["schedule"] = read_section(path, "schedule", Schedule, values.get("schedule", {}))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> GlimpseRecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
