"""A recipe of what looks at pictures: one TOML file for each shipped model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heed.models.config import CaptionConfig, read_network
from training.caption.augmentation import Augmentation
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, section, whole
from training.common.schedule import Schedule
from training.common.self_critical import Critic


@dataclass(frozen=True, slots=True)
class EyesRecipe:
    """How the eyes learn, if they do; else those of the runs, or as they ship, stay as they are."""

    learned: bool = False
    kept: int = 12  # blocks whose views are made once, and kept on disk
    frozen: int = 12  # blocks that never learn: these, or some more
    rate: float = 0.1  # of the learning rate of the words
    after: int = 0  # updates until they begin, so that words learn to look first
    views: int = 9  # of each photo, the first of them as it is
    settled: int = 4  # views whose cells are written down where the eyes stay as they are


def looking(path: Path, **more: type[Any]) -> dict[str, Any]:
    """The recipe of something that looks at pictures, each of its sections read."""
    values = whole(path)
    kinds = {"schedule": Schedule, "eyes": EyesRecipe, "augmentation": Augmentation, **more}
    for key, kind in kinds.items():
        values[key] = section(path, key, kind, values.get(key, {}))
    try:
        values["network"] = read_network(values.get("network", {}))
    except (TypeError, ValueError) as error:
        raise RecipeError(f"{path}: network: {error}") from error
    return values


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the policy of a hard model learns which cells to draw."""

    rate: float = 0.0  # of its part of the loss
    entropy: float = 0.0  # of the reward for not deciding
    discount: float = 0.7  # of what follows each draw
    softened: float = 0.5  # share of the captions that look at the mean instead


@dataclass(frozen=True, slots=True)
class CaptionRecipe:
    """What a captioner is, and how it learns."""

    id: str
    name: str
    task: str
    network: CaptionConfig
    schedule: Schedule
    eyes: EyesRecipe = field(default_factory=EyesRecipe)
    augmentation: Augmentation = field(default_factory=Augmentation)
    drawing: Drawing = field(default_factory=Drawing)
    critic: Critic = field(default_factory=Critic)
    even: float = 0.0  # of the doubly stochastic penalty
    focus: float = 0.0  # of the penalty for looking everywhere at once
    start: str | None = None  # a sibling whose weights it starts from, where they fit
    rank: int = 100
    steps: int = 40  # the longest caption
    characters: int = 400

    @classmethod
    def read(cls, path: Path) -> CaptionRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = looking(path, drawing=Drawing, critic=Critic)
        network = values["network"]
        if not isinstance(network, CaptionConfig):
            raise RecipeError(f"{path}: network: {network.family} writes no captions")
        return section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> CaptionRecipe:
        """The recipe of a shipped model by its id, or any recipe by the path of its file."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
