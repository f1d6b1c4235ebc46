"""`python -m training MODEL`: train a model by its recipe."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from training.caption import train as caption_train
from training.common.recipe import RECIPES
from training.glimpses import train as glimpses_train
from training.graphs import train as graphs_train
from training.reading import train as reading_train
from training.stories import train as stories_train
from training.text import train as text_train
from training.vision import train as vision_train
from training.vqa import train as vqa_train

TRAININGS = {
    "caption": caption_train.main,
    "ask": vqa_train.main,
    "see": vision_train.main,
    "story": stories_train.main,
    "graph": graphs_train.main,
    "glimpse": glimpses_train.main,
    "read": reading_train.main,
}


def task_of(model: str) -> str | None:
    """Return the task of a recipe, or None if it cannot be read."""
    path = Path(model) if model.endswith(".toml") else RECIPES / f"{model}.toml"
    try:
        task = tomllib.loads(path.read_text(encoding="utf-8")).get("task")
    except (OSError, tomllib.TOMLDecodeError):
        return None
    return task if isinstance(task, str) else None


def main() -> int:
    """Run the training of the recipe's task."""
    models = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    task = task_of(models[0]) if models else None
    return TRAININGS.get(task or "", text_train.main)()


if __name__ == "__main__":
    sys.exit(main())
