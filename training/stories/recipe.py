"""Recipe of a memory network that answers questions about stories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heed.models.config import MemoryConfig
from training.common.errors import RecipeError
from training.common.recipe import RECIPES, read_section, read_toml
from training.common.schedule import Schedule
from training.stories.grammar import MOST
from training.stories.questions import HOPS, KINDS, Kind
from training.stories.vocabulary import ANSWERS, WORDS


@dataclass(frozen=True, slots=True)
class MemoryRecipe:
    """A memory network and its training."""

    id: str
    name: str
    task: str
    network: MemoryConfig
    schedule: Schedule
    kinds: Mapping[Kind, float]  # shares of the kinds of questions in a batch
    stories: int = 50_000  # in the pool of the training, varied in every batch
    unanswerable: float = 0.2  # of the questions
    unknown: float = 0.1  # examples of which one word is replaced by the unknown word
    guide: float = 0.0  # weight of the cross-entropy between the weights and the supporting facts
    each_hop: float = 0.0  # weight of the answers after the hops before the last
    examples: tuple[Mapping[str, str], ...] = field(default=())
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100

    @classmethod
    def read(cls, path: Path) -> MemoryRecipe:
        """Read a recipe; a missing or unknown key is refused."""
        values = read_toml(path)
        fixed: dict[str, Any] = {
            "vocabulary": len(WORDS),
            "answers": len(ANSWERS),
            "sentences": MOST,
            "hops": HOPS,
        }
        values["network"] = read_section(
            path, "network", MemoryConfig, fixed | values.get("network", {})
        )
        values["schedule"] = read_section(path, "schedule", Schedule, values.get("schedule", {}))
        if unknown := sorted(set(values.get("kinds", {})) ^ set(KINDS)):
            raise RecipeError(f"{path}: kinds: unknown or missing: {', '.join(unknown)}")
        values["examples"] = tuple(values.get("examples", ()))
        return read_section(path, "the recipe", cls, values)

    @classmethod
    def named(cls, name: str) -> MemoryRecipe:
        """Read the recipe of the shipped model by its id, or any recipe by its path."""
        return cls.read(Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml")
