"""The task of a model that answers questions about photos.

The image encoder is that of the captioners and stays frozen: its features are computed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from heed.models.networks.vqa import VQANetwork
from heed.models.registry import build_network
from training.caption.features import FeatureLoader
from training.caption.photo_sets import caption_pieces, load_photos
from training.caption.photos import SPLITS, Split
from training.common.command_line import DATA, RUNS, Baseline
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, has_bfloat16, mixed_precision
from training.common.task import Loss, Quality, Task, language, limits
from training.vqa.asked_photos import AskedPhotos, AskedSets, BlankFeatures, questions_of
from training.vqa.batches import (
    Questions,
    VQABatch,
    exact_matches,
    greedy_answers,
    teacher_force,
)
from training.vqa.questions import FORMS
from training.vqa.recipe import VQARecipe

DEV_PHOTOS = 50  # photos in an evaluation batch

SetBatches = Mapping[str, VQABatch]  # a batch of each set, by its name


class VQATask(Task[VQARecipe, SetBatches]):
    """A model that answers questions; the baseline has blank features."""

    recipe_type = VQARecipe
    baseline_of = Baseline("blind", "train on blank features")
    model: VQANetwork

    def __init__(
        self, recipe: VQARecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        photos = {
            split: {name: load_photos(name, data, split, runs) for name in recipe.sets}
            for split in SPLITS
        }
        self.tokenizer = tokenizer = caption_pieces(data, runs, recipe.network.vocabulary)
        network = replace(recipe.network, vocabulary=len(tokenizer))
        self.recipe = recipe = replace(recipe, network=network)
        self.model = build_network(network)
        loader = FeatureLoader.open(recipe, data, runs)
        splits: dict[Split, AskedSets] = {}
        for split in SPLITS:
            features = loader.load_sets(split, photos[split])
            splits[split] = {
                name: AskedPhotos(
                    BlankFeatures(features[name]) if baseline else features[name],
                    Questions(
                        questions_of(name, data, split, photo_set, recipe.least),
                        photo_set.names,
                        tokenizer,
                    ),
                )
                for name, photo_set in photos[split].items()
            }
        self.train, self.dev = splits["train"], splits["dev"]

    def epoch(self, number: int) -> Iterator[SetBatches]:
        """Yield endless batches."""
        seed = self.recipe.schedule.seed * 1_000_003 + number
        sizes, noise = self.recipe.photos_of_sets(), self.recipe.question_noise
        streams = {
            name: part.batches(sizes[name], seed, noise) for name, part in self.train.items()
        }
        while True:
            yield {name: next(stream) for name, stream in streams.items()}

    def losses(self, batch: SetBatches) -> Iterator[Loss]:
        """Yield the loss of each set in nats a token; a set counts by its questions."""
        questions = {name: len(part.target) for name, part in batch.items()}
        for name, part in batch.items():
            share = questions[name] / sum(questions.values())
            yield self._loss(self.train[name], part)._replace(share=share)

    def _loss(self, asked: AskedPhotos, batch: VQABatch) -> Loss:
        """Return the total loss, and the cross-entropy in nats a token, without padding."""
        halved = has_bfloat16(CPU)
        view = int(torch.randint(asked.features.views, ()))
        with mixed_precision(CPU):
            cells = asked.features.cells(batch.places, view)
            cells = cells.bfloat16() if halved else cells
            output = teacher_force(self.model, cells, batch)
        words = projected_cross_entropy(
            output.readouts.bfloat16() if halved else output.readouts,
            self.model.output.weight,
            self.model.output.bias,
            output.target,
            self.recipe.schedule.label_smoothing,
        )
        return Loss(words + self.recipe.score_penalty * output.score_variance, words)

    def evaluate(self) -> Quality:
        """Measure the shares of right answers on each set; the mean decides."""
        steps = self.recipe.steps
        by_set = {name: accuracies(self.model, part, steps) for name, part in self.dev.items()}
        lines = []
        for name, accuracy in by_set.items():
            summary = ", ".join(f"{form} {value:.1%}" for form, value in accuracy.items())
            lines.append(f"right on {name}: {summary}")
        mean = sum(figures.get("all", 0.0) for figures in by_set.values()) / len(by_set)
        wrong = 1 - mean
        return Quality(f"{'; '.join(lines)}; wrong {wrong:.4f}, the mean over the sets", wrong)

    def card(self) -> dict[str, Any]:
        """Return the kinds of input and output."""
        recipe = self.recipe
        return {
            "source": language("picture", "Picture"),
            "target": language("en", "English"),
            "limits": limits(recipe.characters, recipe.tokens, recipe.steps),
        }


@torch.inference_mode()
def accuracies(model: VQANetwork, dev: AskedPhotos, steps: int) -> dict[str, float]:
    """Return the share of right answers: of all questions, and of each form."""
    total: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for batch, questions in dev.questions.in_order(DEV_PHOTOS):
        cells = dev.features.cells(batch.places, 0)
        memory = model.encode(cells, batch.questions, batch.lengths, batch.about)
        matches = exact_matches(greedy_answers(model, memory, steps), batch.target)
        for question, is_right in zip(questions, matches.tolist(), strict=True):
            for form in ("all", question.form):
                total[form] += 1
                counts[form] += is_right
    return {form: counts[form] / total[form] for form in ("all", *FORMS) if total[form]}
