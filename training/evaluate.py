"""`python -m training.evaluate MODEL`: measure a shipped model on held-out data.

Measures the shipped checkpoint, with 16-bit weights. `--write` puts the figures into `config.json`,
where the catalogue reads them, and into the table of the model's card.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import CARD, CONFIG, read_config
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.generation.picture_pipeline import PicturePipeline
from training.caption.evaluate import evaluate_captioner, evaluate_photo_set
from training.caption.steering import steering_quality as steering_of_captions
from training.common.command_line import DATA, RUNS
from training.common.errors import TrainingError
from training.common.metrics_table import with_metrics_table
from training.dates.quality import evaluate_dates
from training.glimpses.shipped import evaluate_glimpse_model as evaluate_glimpses
from training.graphs.shipped import evaluate_classifier
from training.reading.shipped import evaluate_tape_model as evaluate_reading
from training.stories.shipped import evaluate_story_model as evaluate_stories
from training.text.quality.steering import SENTENCES
from training.text.quality.steering import steering_quality as steering_of_texts
from training.text.quality.translation import evaluate_pairs, evaluate_translation
from training.vision.shipped import evaluate_vision_model
from training.vqa.quality import evaluate_vqa


def write_quality(folder: Path, quality: dict[str, float]) -> None:
    """Write figures into a checkpoint's config.json, and into its card if it has one."""
    config = read_config(folder) | {"quality": quality}
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, "utf-8")
    card = folder / CARD
    if card.exists():
        card.write_text(with_metrics_table(card.read_text("utf-8"), quality), "utf-8")


Measure = Callable[[Any, argparse.Namespace], dict[str, float]]


def measure_translator(model: Any, given: argparse.Namespace) -> dict[str, float]:
    """Measure a translator, on a file of pairs if one is given."""
    if given.dev:
        return evaluate_pairs(model, given.dev, given.count)
    quality = evaluate_translation(model, given.data, given.count)
    return quality | measure_steering(model, given) if model.card.heads else quality


def measure_captioner(model: Any, given: argparse.Namespace) -> dict[str, float]:
    """Measure a captioner, on other photos if they are given."""
    if given.pictures:
        return evaluate_photo_set(model, given.pictures, given.count)
    quality = evaluate_captioner(model, given.data, given.runs, given.count)
    return quality | measure_steering(model, given)


def measure_steering(model: Any, given: argparse.Namespace) -> dict[str, float]:
    """Measure how often edits of the attention change the word that is written."""
    if isinstance(model, PicturePipeline):
        figures = steering_of_captions(model)
    else:
        figures = steering_of_texts(model, given.data / "alignments", SENTENCES)
    return {name: round(float(value), 4) for name, value in figures.items()}


def measure_glimpses(model: Any, given: argparse.Namespace) -> dict[str, float]:
    """Measure a glimpse network beside random places."""
    return evaluate_glimpses(model, given.weights / given.model, given.count, given.data)


MEASURES: dict[str, Measure] = {
    "translate": measure_translator,
    "dates": lambda model, given: evaluate_dates(model, given.count),
    "caption": measure_captioner,
    "ask": lambda model, given: evaluate_vqa(model, given.data, given.runs, given.count),
    "see": lambda model, given: evaluate_vision_model(model, given.data, given.runs, given.count),
    "read": lambda model, given: evaluate_reading(model, given.data, given.runs, given.count),
    "story": lambda model, given: evaluate_stories(model, given.count),
    "graph": lambda model, given: evaluate_classifier(model, given.count),
    "glimpse": measure_glimpses,
}
"""The figures of a model, by its task."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    parser.add_argument("model", help="id of a model")
    parser.add_argument("--weights", type=Path, default=DEFAULT_DIRECTORY, help="folder of models")
    parser.add_argument("--count", type=int, default=5000, help="examples (default: 5000)")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the corpora")
    parser.add_argument("--runs", type=Path, default=RUNS, help="folder of the unpacked photos")
    parser.add_argument("--dev", type=Path, help="measure a translator on this file of pairs")
    parser.add_argument(
        "--pictures", type=Path, help="measure a captioner on the photos beside this captions.json"
    )
    parser.add_argument(
        "--steering", action="store_true", help="measure edits of the attention alone"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the figures into config.json")
    given = parser.parse_args(arguments)
    try:
        model = Catalogue(given.weights).load(given.model, given.threads)
        if given.steering:
            quality = {**model.card.quality, **measure_steering(model, given)}
        else:
            quality = MEASURES[model.card.task](model, given)
    except (CheckpointError, UnknownModelError, TrainingError) as error:
        print(error, file=sys.stderr)
        return 2
    for name, value in quality.items():
        print(f"{name:28}{value:g}")
    if given.write:
        write_quality(given.weights / given.model, quality)
    return 0


if __name__ == "__main__":
    sys.exit(main())
