"""`python -m training.evaluate MODEL`: measure a shipped model on data it never saw.

Measures the checkpoint as it ships, 16-bit weights and all. `--write` puts the figures where the
catalogue reads them, and into the table of the model's card.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

import numpy as np

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import CARD, CONFIG, read_config
from heed.models.errors import CheckpointError, UnknownModelError
from heed.models.generation.captioner import Captioner
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.translator import TextRequest, Translator
from heed.models.trace import Floats, Output, SearchRequest
from training.ask_quality import evaluate_asker
from training.backbone import BackboneError
from training.batches import chunks
from training.caption_evaluate import evaluate_captioner, evaluate_photo_set
from training.corpora import CorpusError
from training.dates import Example, examples
from training.figures import with_figures
from training.train import DATA, RUNS
from training.translation_quality import evaluate_pairs, evaluate_translation

TEST_SEED = 2015
BATCH = 100


def evaluate_dates(translator: Translator, count: int) -> dict[str, float]:
    """Exact match, and agreement of the strongest weight with the known alignment.

    A digit agrees if the source character of its strongest weight is one that says it; only the
    digits of the year and of the day are counted, and only in outputs that are right.
    """
    right = agreed = digits = 0
    chance = entropy = 0.0
    steps = 0
    for chunk in chunks(islice(examples(TEST_SEED, test=True), count), BATCH):
        greedy = SearchRequest("greedy")
        traces = translator.run([TextRequest(example.source, search=greedy) for example in chunk])
        for example, trace in zip(chunk, traces, strict=True):
            if trace.text != example.target:
                continue
            right += 1
            for weights in _cross(trace.output):
                for place in counted(example):
                    digits += 1
                    links = example.links[place]
                    agreed += int(weights[place].argmax()) in links
                    chance += len(links) / len(example.source)
                entropy += float(_entropy(weights).sum())
                steps += len(weights)
    quality: dict[str, float] = {"examples": count, "exact_match": right / count}
    if digits:
        quality |= {"alignment_agreement": agreed / digits, "chance_agreement": chance / digits}
        quality |= {"attention_entropy_bits": entropy / steps}
    return {name: round(float(value), 4) for name, value in quality.items()}


def counted(example: Example) -> list[int]:
    """Places in the target of the digits of a year and of a day, in a date or a year alone."""
    target = example.target
    if target.startswith("--"):
        return [5, 6]
    parts = target.split("-")
    year = [] if len(parts) == 1 and len(target) != 4 else [0, 1, 2, 3]
    return year + ([8, 9] if len(parts) == 3 else [])


def _cross(output: Output) -> Iterator[Floats]:
    return (m.weights for m in output.maps if m.kind == "cross")


def _entropy(weights: Floats) -> Floats:
    """Bits of each row."""
    bits: Floats = -(weights * np.log2(np.maximum(weights, 1e-12))).sum(axis=1)
    return bits


def write_quality(folder: Path, quality: dict[str, float]) -> None:
    """Put measured figures into a checkpoint's config.json, and into its card if it has one."""
    config = read_config(folder) | {"quality": quality}
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, "utf-8")
    card = folder / CARD
    if card.exists():
        card.write_text(with_figures(card.read_text("utf-8"), quality), "utf-8")


def evaluate(model: GenerationPipeline, given: argparse.Namespace) -> dict[str, float]:
    """Every figure of a model, by what it does."""
    if isinstance(model, Captioner):
        if given.pictures:
            return evaluate_photo_set(model, given.pictures, given.count)
        if model.card.task == "ask":
            return evaluate_asker(model, given.data, given.runs, given.count)
        return evaluate_captioner(model, given.data, given.runs, given.count)
    translator = cast(Translator, model)
    if translator.card.task == "dates":
        return evaluate_dates(translator, given.count)
    if given.dev:
        return evaluate_pairs(translator, given.dev, given.count)
    return evaluate_translation(translator, given.data, given.count)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
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
