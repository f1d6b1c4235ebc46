"""The task of a network that reads word by word: the next word of English sentences.

Among the sentences are templates in which a verb agrees with a distant noun.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from torch.nn import functional as F

from heed.models.families.lstmn.network import LSTMN
from heed.models.text.words import PADDING
from training.common.batches import buckets
from training.common.command_line import DATA, RUNS, Baseline
from training.common.loss import projected_cross_entropy
from training.common.mixed_precision import CPU, mixed_precision
from training.common.task import Loss, Quality, Task, language, limits
from training.reading.deferred import DeferredLSTMN
from training.reading.measure import dev_perplexity, reader_of
from training.reading.plain import PlainLSTM
from training.reading.quality import evaluate_agreement
from training.reading.recipe import ReadingRecipe
from training.reading.sentences import Batch, Row, collate, load_sentences, rows

CHARACTERS = 2000  # of a sentence, at most
WORDS = 100
DEV_SENTENCES = 3000  # at every save
DEV_TEMPLATES = 300


class ReadingTask(Task[ReadingRecipe, Batch]):
    """A language model with a tape; the baseline has none."""

    recipe_type = ReadingRecipe
    baseline_of = Baseline("plain", "train an LSTM without a tape")
    model: LSTMN | PlainLSTM

    def __init__(
        self, recipe: ReadingRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        self.sentences = load_sentences(recipe, data)
        self.model = (PlainLSTM if baseline else DeferredLSTMN)(recipe.network)

    def epoch(self, number: int) -> Iterator[Batch]:
        """Yield batches of sentences of similar length: every sentence once."""
        schedule = self.recipe.schedule
        stream = rows(self.sentences, self.recipe.templates, f"{schedule.seed} 0 {number}")
        for part in buckets(stream, _length, schedule.batch, number):
            yield collate(part)

    def losses(self, batch: Batch) -> Iterator[Loss]:
        """Yield the cross-entropy of the words, with that of the attention in templates."""
        with mixed_precision(CPU):
            read = self.model(batch.words)
        real = batch.target != PADDING
        weight, bias = self.model.embedding.weight, self.model.output_bias
        shown = projected_cross_entropy(read.readouts[real], weight, bias, batch.target[real], 0.0)
        total = shown
        if self.recipe.guide and len(batch.rows) and read.weights is not None:
            guided = read.scores[batch.rows, batch.verbs].float()
            total = total + self.recipe.guide * F.cross_entropy(guided, batch.heads)
        yield Loss(total, shown)
        if isinstance(self.model, DeferredLSTMN):
            self.model.finish()  # after the backward pass

    def evaluate(self) -> Quality:
        """Measure perplexity on dev sentences, and agreement in templates."""
        vocabulary = self.sentences.vocabulary
        lost = dev_perplexity(self.model, self.sentences.dev[:DEV_SENTENCES])
        quality = evaluate_agreement(reader_of(self.model, vocabulary), DEV_TEMPLATES)
        figures = ", ".join(f"{name} {value:.3f}" for name, value in quality.items())
        return Quality(f"perplexity {lost:.2f}, {figures}")

    def write(self, folder: Path) -> None:
        """Write a checkpoint with the words by id."""
        super().write(folder)
        self.sentences.vocabulary.save(folder)

    def card(self) -> dict[str, Any]:
        """Return the languages and the limits."""
        return {
            "source": language("en", "English sentence"),
            "target": language("en", "English sentence"),
            "limits": limits(CHARACTERS, WORDS, WORDS + 1),
            "guided": "attention guided by the subjects of verbs in template sentences",
        }


def _length(row: Row) -> tuple[int, int]:
    return len(row.ids), 0
