"""Recipe of a Vision Transformer that learns from a convolutional network."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from heed.models.config import VisionConfig
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule


@dataclass(frozen=True, slots=True)
class VisionRecipe:
    """A Vision Transformer and its training."""

    id: str
    name: str
    task: str
    network: VisionConfig
    schedule: Schedule
    start: str | None = None  # a model whose weights it starts from
    temperature: float = 1.0  # of the classes
    deep: float = 0.0  # weight of matching the patches with the teacher's map of 7×7
    middle: float = 0.0  # and after a lower layer with that of 14×14
    middle_layer: int = 2  # after how many layers
    guide: float = 0.0  # weight of the cross-entropy between rollout and class activation
    guide_power: float = 2.0  # of the class activation above its mean; a higher one is sharper
    kept: float = 1.0  # share of the patches that are read, until `whole_from`
    whole_from: float = 1.0  # share of the updates after which all patches are read
    examples: tuple[str, ...] = field(default=())
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100

    @classmethod
    def read(cls, path: Path) -> VisionRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_toml(path)
        for name, kind in (("network", VisionConfig), ("schedule", Schedule)):
            values[name] = read_section(path, name, kind, values.get(name, {}))
        values["examples"] = tuple(values.get("examples", ()))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> VisionRecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
