"""Figures of a shipped model that reads sentences word by word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heed.models.families.lstmn.pipeline import TapePipeline, TapeRequest
from training.common.batches import chunks
from training.common.trainer import STATE, Trainer
from training.reading.corpus import english_sentences, is_used
from training.reading.measure import dev_perplexity, reader_of
from training.reading.quality import BATCH, Read, evaluate_agreement, perplexity
from training.reading.recipe import ReadingRecipe
from training.reading.task import ReadingTask
from training.reading.templates import Agreement


def evaluate_tape_model(
    pipeline: TapePipeline, data: Path, runs: Path, count: int
) -> dict[str, float]:
    """Measure a model through the pipeline that serves it, on dev sentences and on templates.

    `perplexity` counts every word and every end; a word that is not known counts as one that is
    named so.
    """

    def read(templates: Sequence[Agreement]) -> list[Read]:
        prepared = [pipeline.prepare(TapeRequest(template.text)) for template in templates]
        results = pipeline.answer(prepared)
        result = []
        for template, item, made in zip(templates, prepared, results, strict=True):
            logs = made.log_probabilities
            forms = pipeline.ids_of([template.words[template.verb], template.wrong_verb])
            ids = [token.id for token in item.axis.tokens]
            chosen = logs[np.arange(len(ids)), ids]
            result.append(Read(chosen, made.weights, logs[template.verb, forms]))
        return result

    every = english_sentences(data, "dev")
    sentences = every[:: max(1, len(every) // count)]
    losses = []
    for part in chunks(iter(sentences), BATCH):
        prepared = [pipeline.prepare(TapeRequest(text)) for text in part]
        prepared = [item for item in prepared if is_used(item.ids[1:])]
        for item, made in zip(prepared, pipeline.answer(prepared), strict=True):
            ids = [token.id for token in item.axis.tokens]
            chosen = made.log_probabilities[np.arange(len(ids)), ids]
            losses.append((-float(chosen.sum()), len(ids)))
    quality = {"sentences": float(len(losses)), "perplexity": perplexity(losses)}
    quality |= evaluate_agreement(read, count)
    quality |= _plain_quality(pipeline.card.id, data, runs, count)
    return {name: round(value, 4) for name, value in quality.items()}


def _plain_quality(model: str, data: Path, runs: Path, count: int) -> dict[str, float]:
    """Measure the baseline on the same, if its training is kept."""
    folder = runs / f"{model}-plain"
    if not (folder / STATE).exists():
        return {}
    task = ReadingTask(ReadingRecipe.named(model), data, runs, baseline=True)
    training = Trainer(task, folder)
    training.resume()
    every, vocabulary = task.sentences.dev, task.sentences.vocabulary
    with training.averaged():
        lost = dev_perplexity(task.model, every[:: max(1, len(every) // count)])
        quality = evaluate_agreement(reader_of(task.model, vocabulary), count)
    return {"plain_perplexity": lost, "plain_agrees": quality["agrees"]}
