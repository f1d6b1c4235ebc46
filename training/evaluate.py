"""`python -m training.evaluate MODEL`: measure a shipped model on held-out data.

Measures the shipped checkpoint, with 16-bit weights. `--write` puts the figures into `config.json`,
where the catalogue reads them, and into the table of the model's card.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import CARD, CONFIG, read_config
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.generation.captioner import Captioner
from heed.models.generation.glimpse_reader import GlimpseReader
from heed.models.generation.node_classifier import NodeClassifier
from heed.models.generation.protocol import AnyPipeline
from heed.models.generation.sentence_reader import SentenceReader
from heed.models.generation.story_reader import StoryReader
from heed.models.generation.translator import Translator
from heed.models.generation.vision_reader import VisionReader
from training.caption.evaluate import evaluate_captioner, evaluate_photo_set
from training.common.command_line import DATA, RUNS
from training.common.errors import BackboneError, CorpusError
from training.common.metrics_table import with_metrics_table
from training.dates.quality import evaluate_dates
from training.glimpses.shipped import evaluate_reader as evaluate_glimpse_reader
from training.graphs.shipped import evaluate_classifier
from training.reading.shipped import evaluate_sentence_reader
from training.stories.shipped import evaluate_reader
from training.text.quality.translation import evaluate_pairs, evaluate_translation
from training.vision.shipped import evaluate_viewer
from training.vqa.quality import evaluate_vqa


def write_quality(folder: Path, quality: dict[str, float]) -> None:
    """Write figures into a checkpoint's config.json, and into its card if it has one."""
    config = read_config(folder) | {"quality": quality}
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, "utf-8")
    card = folder / CARD
    if card.exists():
        card.write_text(with_metrics_table(card.read_text("utf-8"), quality), "utf-8")


def evaluate(model: AnyPipeline, given: argparse.Namespace) -> dict[str, float]:
    """Compute every figure of a model, by its task."""
    if isinstance(model, Captioner):
        if given.pictures:
            return evaluate_photo_set(model, given.pictures, given.count)
        if model.card.task == "ask":
            return evaluate_vqa(model, given.data, given.runs, given.count)
        return evaluate_captioner(model, given.data, given.runs, given.count)
    if isinstance(model, VisionReader):
        return evaluate_viewer(model, given.data, given.runs, given.count)
    if isinstance(model, SentenceReader):
        return evaluate_sentence_reader(model, given.data, given.runs, given.count)
    if isinstance(model, StoryReader):
        return evaluate_reader(model, given.count)
    if isinstance(model, NodeClassifier):
        return evaluate_classifier(model, given.count)
    if isinstance(model, GlimpseReader):
        return evaluate_glimpse_reader(model, given.weights / given.model, given.count)
    translator = cast(Translator, model)
    if translator.card.task == "dates":
        return evaluate_dates(translator, given.count)
    if given.dev:
        return evaluate_pairs(translator, given.dev, given.count)
    return evaluate_translation(translator, given.data, given.count)


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
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="put the figures into config.json")
    given = parser.parse_args(arguments)
    try:
        model = Catalogue(given.weights).load(given.model, given.threads)
        quality = evaluate(model, given)
    except (CheckpointError, UnknownModelError, CorpusError, BackboneError) as error:
        print(error, file=sys.stderr)
        return 2
    for name, value in quality.items():
        print(f"{name:28}{value:g}")
    if given.write:
        write_quality(given.weights / given.model, quality)
    return 0


if __name__ == "__main__":
    sys.exit(main())
