"""Folders and arguments of the training commands."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NamedTuple

RUNS = Path("runs")
DATA = Path(os.environ.get("HEED_DATA", "data"))


class Baseline(NamedTuple):
    """The network without attention, or without a picture, that a model is compared with."""

    name: str  # of its flag and of its folder
    description: str


def training_parser(baseline: Baseline | None) -> argparse.ArgumentParser:
    """Return the parser of `python -m training`, for a task with this baseline."""
    parser = argparse.ArgumentParser(
        prog="python -m training", description="Train a model by its recipe, or continue."
    )
    parser.add_argument("model", help="id of a recipe in training/recipes, or the path of one")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where trainings are kept")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, help="instead of the recipe's, in a folder of its own")
    parser.set_defaults(baseline=False)
    if baseline is not None:
        flags = dict.fromkeys(("--baseline", f"--{baseline.name}"))
        description = f"{baseline.description}, for comparison"
        parser.add_argument(*flags, dest="baseline", action="store_true", help=description)
    return parser
