"""Arguments that every training command takes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

RUNS = Path("runs")
DATA = Path(os.environ.get("HEED_DATA", "data"))


def training_parser(prog: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the arguments of every training."""
    parser = argparse.ArgumentParser(prog=f"python -m {prog}", description=description)
    parser.add_argument("model", help="id of a recipe in training/recipes, or the path of one")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where runs are kept")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    return parser
