"""`python -m training MODEL`: train a model by its recipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import torch

from training.caption.task import CaptionTask
from training.common.command_line import training_parser
from training.common.errors import RecipeError, TrainingError
from training.common.recipe import path_of, read_toml
from training.common.task import Task
from training.common.trainer import train
from training.glimpses.task import GlimpseTask
from training.graphs.task import GraphTask
from training.reading.task import ReadingTask
from training.stories.task import StoryTask
from training.text.task import TextTask
from training.vision.task import VisionTask
from training.vqa.task import VQATask

TASKS: dict[str, type[Task[Any, Any]]] = {
    "translate": TextTask,
    "dates": TextTask,
    "caption": CaptionTask,
    "ask": VQATask,
    "see": VisionTask,
    "story": StoryTask,
    "graph": GraphTask,
    "glimpse": GlimpseTask,
    "read": ReadingTask,
}
"""The task of each recipe, by its `task`."""


def task_of(model: str) -> type[Task[Any, Any]]:
    """Return the task of a recipe; of one that cannot be read, any task can say why."""
    try:
        task = read_toml(path_of(model)).get("task")
    except RecipeError:
        return TextTask
    return TASKS.get(str(task), TextTask)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    given = sys.argv[1:] if arguments is None else arguments
    model = next((argument for argument in given if not argument.startswith("-")), "")
    kind = task_of(model)
    options = training_parser(kind.baseline_of).parse_args(given)
    torch.set_num_threads(options.threads)
    try:
        recipe = kind.recipe_type.named(options.model)
        more = {"baseline": options.baseline, "seed": options.seed}
        print(train(kind, recipe, options.runs, options.data, **more))
    except TrainingError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
