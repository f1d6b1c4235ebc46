"""Reading of recipes: TOML files whose sections become dataclasses."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from training.common.errors import RecipeError

RECIPES = Path(__file__).parents[1] / "recipes"

Section = TypeVar("Section")


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"{path}: {error}") from error


def read_section(path: Path, name: str, kind: type[Section], values: dict[str, Any]) -> Section:
    """Read one section of a recipe; unknown keys raise `RecipeError`."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(values) - known):
        raise RecipeError(f"{path}: {name} has unknown keys: {', '.join(unknown)}")
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:
        raise RecipeError(f"{path}: {name}: {error}") from error
