"""The task of a translator: pairs of sentences, or dates and their ISO form.

Trains on CPU or CUDA, in 16-bit floats where the processor has instructions for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import filter as fnmatch_filter
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import Tensor

from heed.models.checkpoint import load_text_network
from heed.models.registry import TextNetwork, build_network
from heed.models.text.tokenizer import PAD
from training.common.batches import Batch, bucketed
from training.common.checkpoints import copy_weights, find_checkpoint, has_same_tokenizer
from training.common.command_line import DATA, RUNS
from training.common.errors import RecipeError
from training.common.loss import TeacherLogits, distilled_cross_entropy, projected_cross_entropy
from training.common.mixed_precision import has_bfloat16, mixed_precision
from training.common.schedule import is_self_critical
from training.common.task import Loss, Quality, Task, language, limits
from training.text.attention_snapshots import FILE, take_snapshot
from training.text.datasets import build_dataset
from training.text.guided_alignment import (
    PieceAligner,
    TeacherOutput,
    alignment_loss,
    describe_guidance,
    teacher_alignment_loss,
    teacher_output,
)
from training.text.manual_bptt import readouts, readouts_and_weights
from training.text.recipe import TextRecipe
from training.text.self_critical import (
    SPARE,
    Reward,
    SourceBatch,
    compute_rewards,
    greedy_bleu,
    sample_translations,
    self_critical_loss,
    source_batches,
)


class TextTask(Task[TextRecipe, Batch | SourceBatch]):
    """A translator."""

    recipe_type = TextRecipe
    model: TextNetwork

    def __init__(
        self, recipe: TextRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        dataset = build_dataset(recipe, data, runs)
        # A small corpus may not yield as many pieces as the recipe asks for.
        network = replace(recipe.network, vocabulary=len(dataset.tokenizer))
        super().__init__(replace(recipe, network=network), data, runs, baseline=baseline)
        self.dataset = dataset
        self.tokenizer, self.known_words = dataset.tokenizer, dataset.known_words
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = build_network(network).to(self.device)
        freeze(self.model, recipe.frozen)
        self.phase = recipe.self_critical
        self.snapshots = recipe.attention_snapshots.at
        self._dev = dataset.dev()
        if recipe.start:
            fresh = matching(self.model, recipe.fresh)
            copy_weights(self.model, self.tokenizer, find_checkpoint(recipe.start, runs), fresh)
        self.teachers = self._load_teachers(runs)
        self.aligner: PieceAligner | None = None
        if recipe.guided_alignment.links:
            self.aligner = PieceAligner(dataset.tokenizer, dataset.clean())

    def _load_teachers(self, runs: Path) -> list[TextNetwork]:
        """Load the teachers of guided alignment, which must have the same tokenizer."""
        teachers = []
        for name in self.recipe.guided_alignment.teachers:
            folder = find_checkpoint(name, runs)
            if not has_same_tokenizer(folder, self.dataset.tokenizer):
                raise RecipeError(f"guided_alignment: {name} has another tokenizer")
            teachers.append(load_text_network(folder).to(self.device))
        return teachers

    def epoch(self, number: int) -> Iterator[Batch | SourceBatch]:
        """Yield the batches of the supervised updates; then endless ones of sources."""
        schedule = self.recipe.schedule
        seed = schedule.seed * 1_000_003
        if number:
            yield from source_batches(self.dataset.sources(seed), seed, self.device)
            return
        pairs = self.dataset.stream(seed)
        stream = bucketed(pairs, schedule.batch, seed, by_tokens=schedule.by_tokens)
        for batch in islice(stream, max(schedule.updates - self.phase.updates, 0)):
            yield batch.to(self.device)

    def losses(self, batch: Batch | SourceBatch) -> Iterator[Loss]:
        """Yield the loss in nats a token, or the self-critical loss and the mean reward."""
        if isinstance(batch, SourceBatch):
            yield self._self_critical(batch)
        else:
            yield self.supervised(batch)

    def _self_critical(self, sources: SourceBatch) -> Loss:
        """Return the self-critical loss, and the mean reward."""
        phase, batch = self.phase, sources.batch
        self.model.eval()  # no dropout: samples and loss come from the same network
        with mixed_precision(self.device):
            longest = sources.longest + SPARE
            texts = sample_translations(self.model, batch, phase.draws, longest, phase.temperature)
            rewards = compute_rewards(texts, sources.sources, Reward(self.dataset.tokenizer))
            total = self_critical_loss(self.model, batch, texts, rewards, phase.temperature)
        if phase.reference_weight:
            total = total + phase.reference_weight * self.supervised(batch).total
        return Loss(total, rewards.mean())

    def supervised(self, batch: Batch) -> Loss:
        """Return the loss of the references, in nats a token, and the total with guidance."""
        guide, smoothing = self.recipe.guided_alignment, self.recipe.schedule.label_smoothing
        if not self.teachers and not self.aligner:
            loss = cross_entropy(self.model, batch, smoothing)
            return Loss(loss, loss)
        with mixed_precision(self.device):
            outputs = [teacher_output(teacher, batch) for teacher in self.teachers]
            written, attended = readouts_and_weights(
                self.model, batch.source, batch.lengths, batch.fed
            )
        loss = total = token_loss(self.model, written, batch, smoothing, outputs, guide.words)
        if guide.maps:
            guided = attended[guide.layer][:, guide.head]
            real = batch.target != PAD
            total = total + guide.maps * teacher_alignment_loss(guided, outputs, real)
        if self.aligner:
            guided = attended[guide.layer][:, guide.head]
            total = total + guide.links * alignment_loss(guided, self.aligner.targets(batch))
        return Loss(total, loss)

    def evaluate(self) -> Quality:
        """Measure the loss on the dev sets; in the self-critical phase, minus BLEU."""
        if not self._dev:
            return Quality("saved")
        lost = self._dev_loss()
        return Quality(f"dev loss {lost:.4f}", lost)

    @torch.no_grad()
    def _dev_loss(self) -> float:
        schedule = self.recipe.schedule
        if is_self_critical(schedule, self.phase, self.update - 1):
            with mixed_precision(self.device):
                settings = self.dataset.tokenizer, self.recipe.limits.steps, self.device
                return -greedy_bleu(self.model, self.dataset.dev_sources(), *settings)
        total = tokens = 0.0
        for batch in bucketed(self._dev, schedule.batch, 0, by_tokens=schedule.by_tokens):
            count = int((batch.target != PAD).sum())
            total += count * float(cross_entropy(self.model, batch.to(self.device)))
            tokens += count
        return total / tokens

    def card(self) -> dict[str, Any]:
        """Return languages, limits, and what guided the attention."""
        recipe = self.recipe
        most = recipe.limits
        return {
            "source": language(recipe.source.code, recipe.source.name),
            "target": language(recipe.target.code, recipe.target.name),
            "granularity": "characters" if recipe.corpus is None else "subwords",
            "limits": limits(most.characters, most.tokens, most.steps),
            "guided": describe_guidance(recipe.guided_alignment, recipe.network),
            "unguided": recipe.unguided,
        }

    def snapshot(self, folder: Path) -> None:
        """Record the attention."""
        model = self.recipe.id
        with TemporaryDirectory() as weights:
            self.write(Path(weights) / model)
            settings = self.recipe.attention_snapshots
            loss = self._dev_loss() if self._dev else None
            take_snapshot(settings, Path(weights), model, folder / FILE, self.update, loss)


def freeze(model: torch.nn.Module, patterns: Sequence[str]) -> None:
    """Freeze the parameters whose names match these patterns."""
    frozen = matching(model, patterns)
    for name, value in model.named_parameters():
        if name in frozen:
            value.requires_grad = False


def matching(model: torch.nn.Module, patterns: Sequence[str]) -> set[str]:
    """Return the names of the parameters that match these patterns, each at least one."""
    names = [name for name, _ in model.named_parameters()]
    matches: set[str] = set()
    for pattern in patterns:
        fitting = fnmatch_filter(names, pattern)
        if not fitting:
            raise RecipeError(f"the pattern {pattern} matches no parameter")
        matches.update(fitting)
    return matches


def cross_entropy(model: TextNetwork, batch: Batch, label_smoothing: float = 0.0) -> Tensor:
    """Return the cross-entropy in nats a token, without padding."""
    with mixed_precision(batch.source.device):
        written = readouts(model, batch.source, batch.lengths, batch.fed)
    return token_loss(model, written, batch, label_smoothing)


def token_loss(
    model: TextNetwork,
    written: Tensor,
    batch: Batch,
    label_smoothing: float,
    teacher_outputs: Sequence[TeacherOutput] = (),
    share: float = 0.0,
) -> Tensor:
    """Return the cross-entropy of readouts; teachers replace a share of the targets.

    The predictions of teachers are smooth, so label smoothing is off then.
    """
    real = batch.target != PAD
    kind = torch.bfloat16 if has_bfloat16(batch.source.device) else written.dtype
    output, target = model.output, batch.target[real]
    mine = written[real].to(kind), output.weight, output.bias, target
    if not share:
        return projected_cross_entropy(*mine, label_smoothing)
    teachers = [
        TeacherLogits(output.readouts[real], output.output.weight, output.output.bias)
        for output in teacher_outputs
    ]
    return distilled_cross_entropy(*mine, teachers, share)
