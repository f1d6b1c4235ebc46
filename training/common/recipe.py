"""Recipes: one TOML file holds all settings of a training; its sections become dataclasses."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar, get_args, get_type_hints

from heed.models.config import NetworkConfig
from heed.models.families import read_network
from training.common.errors import RecipeError
from training.common.schedule import Schedule

RECIPES = Path(__file__).parents[1] / "recipes"

Section = TypeVar("Section")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A model and its training: the settings of every task.

    A task adds its own. A field whose type is a dataclass is a section of the file.
    """

    id: str
    name: str
    task: str
    network: Any  # the configuration of its family
    schedule: Schedule
    examples: Any = ()  # inputs that the page offers
    hints: Mapping[str, str] = field(default_factory=dict)  # a remark on each example
    learned_from: str = ""  # the kind of examples, in a few words, for the page
    rank: int = 100  # position in the catalogue; the first model is the default

    fixed_network: ClassVar[Mapping[str, Any]] = {}  # values that follow from the data

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a recipe; missing and unknown keys raise `RecipeError`."""
        values = _as_tuples(read_toml(path))
        for name, kind in get_type_hints(cls).items():
            if name == "network":
                values[name] = cls._read_network(path, kind, values.get(name, {}))
            elif section := _section(kind, given=name in values):
                values[name] = read_section(path, name, section, values.get(name, {}))
        recipe = read_section(path, "the recipe", cls, values)
        if strays := [text for text in recipe.hints if text not in recipe.examples]:
            raise RecipeError(f"{path}: hints for texts that are not examples: {'; '.join(strays)}")
        for problem in recipe.problems():
            raise RecipeError(f"{path}: {problem}")
        return recipe

    @classmethod
    def named(cls, name: str) -> Self:
        """Read the recipe of a shipped model by its id, or any recipe by its path."""
        path = path_of(name)
        if path.parent == RECIPES and not path.exists():
            known = ", ".join(sorted(file.stem for file in RECIPES.glob("*.toml")))
            raise RecipeError(f"no recipe is called {name!r}; available: {known}")
        return cls.read(path)

    def problems(self) -> Iterator[str]:
        """Yield what makes the recipe impossible."""
        yield from ()

    @classmethod
    def _read_network(cls, path: Path, kind: Any, values: Mapping[str, Any]) -> NetworkConfig:
        """Read the network, of one of the families that the field `network` can have."""
        families: tuple[type[NetworkConfig], ...] = get_args(kind) or (kind,)
        default = families[0].family_name()
        try:
            network = read_network({"family": default} | dict(cls.fixed_network) | dict(values))
        except (TypeError, ValueError) as error:
            raise RecipeError(f"{path}: network: {error}") from error
        if not isinstance(network, families):
            raise RecipeError(f"{path}: network: {network.family} is a family of another task")
        return network


def path_of(name: str) -> Path:
    """Return the file of a recipe, which is named by its id or its path."""
    return Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml"


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"{path}: {error}") from error


def read_section(path: Path, name: str, kind: type[Section], values: Mapping[str, Any]) -> Section:
    """Read one section of a recipe; unknown keys raise `RecipeError`."""
    known = {item.name for item in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(values) - known):
        raise RecipeError(f"{path}: {name} has unknown keys: {', '.join(unknown)}")
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise RecipeError(f"{path}: {name}: {error}") from error


def _section(kind: Any, *, given: bool) -> Any:
    """Return the dataclass of a field, if it is a section; an optional one only if it is given."""
    kinds = [option for option in (kind, *get_args(kind)) if is_dataclass(option)]
    return kinds[0] if kinds and (kind is kinds[0] or given) else None


def _as_tuples(value: Any) -> Any:
    """Turn lists into tuples, at any depth."""
    if isinstance(value, dict):
        return {name: _as_tuples(item) for name, item in value.items()}
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value
