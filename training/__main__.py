"""`python -m training MODEL`: train a shipped model again, whatever it is."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from training import ask_train, caption_train, train
from training.recipe import RECIPES

WITH_EYES = {"caption": caption_train.main, "ask": ask_train.main}


def task_of(model: str) -> str | None:
    """What the recipe of a model is for, if there is one that can be read."""
    path = Path(model) if model.endswith(".toml") else RECIPES / f"{model}.toml"
    try:
        task = tomllib.loads(path.read_text(encoding="utf-8")).get("task")
    except (OSError, tomllib.TOMLDecodeError):
        return None
    return task if isinstance(task, str) else None


def main() -> int:
    """Hand over to the training of what the recipe is for."""
    models = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    task = task_of(models[0]) if models else None
    return WITH_EYES.get(task or "", train.main)()


if __name__ == "__main__":
    sys.exit(main())
