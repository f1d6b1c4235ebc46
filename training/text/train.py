"""`python -m training.text.train MODEL`: make a shipped model again, from its recipe and its seed.

Resumable: killed at any moment, it goes on from the last save. Runs unchanged on CPU or CUDA,
in 16-bit floats where the processor has instructions for them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import filter as fnmatch_filter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from tqdm import tqdm

from heed.models.checkpoint import (
    load_network,
    load_text_network,
    save_checkpoint,
    tokenizer_of,
)
from heed.models.registry import TextNetwork, build_network
from heed.models.text.tokenizer import PAD
from training.common.averaging import averaged, begin_average, update_average
from training.common.batches import Batch, Pair, bucketed
from training.common.checkpoints import find_checkpoint, has_same_tokenizer
from training.common.command_line import DATA, training_parser
from training.common.errors import CorpusError, RecipeError
from training.common.loss import TeacherLogits, distilled_cross_entropy, projected_cross_entropy
from training.common.mixed_precision import has_bfloat16, mixed_precision
from training.common.saves import save_state
from training.common.schedule import (
    average_decay,
    is_self_critical,
    phase_learning_rate,
    phase_schedule,
)
from training.text.attention_snapshots import FILE, take_snapshot
from training.text.datasets import TextDataset, build_dataset
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


@dataclass(slots=True)
class TextRun:
    """State of a training run: everything that a save keeps."""

    recipe: TextRecipe
    dataset: TextDataset
    model: TextNetwork
    optimizer: torch.optim.Optimizer
    average: dict[str, torch.Tensor]
    update: int = 0
    best: float = math.inf  # loss on the dev sets
    waited: int = 0  # saves since then
    teachers: Sequence[TextNetwork] = ()  # for guided alignment
    aligner: PieceAligner | None = None  # for guided alignment

    @classmethod
    def begin(cls, recipe: TextRecipe, dataset: TextDataset, device: torch.device) -> TextRun:
        """Create a run at update 0."""
        # A small corpus may not yield as many pieces as the recipe asks for.
        network = replace(recipe.network, vocabulary=len(dataset.tokenizer))
        recipe = replace(recipe, network=network)
        torch.manual_seed(recipe.schedule.seed)
        model = build_network(recipe.network).to(device)
        freeze(model, recipe.frozen)
        optimizer = torch.optim.AdamW(
            model.parameters(),
            lr=recipe.schedule.learning_rate,
            betas=(0.9, 0.98),
            weight_decay=recipe.schedule.weight_decay,
            fused=True,
        )
        average = begin_average(model)
        return cls(recipe, dataset, model, optimizer, average)

    def save(self, path: Path) -> None:
        """Save the state atomically."""
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
            "waited": self.waited,
            "random": torch.get_rng_state(),
        }
        save_state(path, state)

    @torch.no_grad()
    def start_from(self, folder: Path) -> None:
        """Copy every tensor of the same name and shape from another model.

        Of tensors with one row for each piece, copy the rows of the pieces that both tokenizers
        have. The parameters that the recipe calls fresh stay random.
        """
        fresh = matching(self.model, self.recipe.fresh)
        learned = dict(load_network(folder).named_parameters())
        tokenizer = self.dataset.tokenizer
        shared = tokenizer.places_of(tokenizer_of(folder))
        mine, theirs = torch.tensor(list(shared)), torch.tensor(list(shared.values()))
        for name, value in self.model.named_parameters():
            given = learned.get(name)
            if given is None or name in fresh:
                continue
            if len(value) == len(tokenizer) and value.shape[1:] == given.shape[1:]:
                value[mine] = given[theirs].to(value.device)
            elif value.shape == given.shape:
                value.copy_(given)
            self.average[name].copy_(value)

    def resume(self, path: Path) -> None:
        """Restore a saved state."""
        device = next(self.model.parameters()).device
        state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        self.update, self.best, self.waited = state["update"], state["best"], state["waited"]
        torch.set_rng_state(state["random"].cpu())


def freeze(model: torch.nn.Module, patterns: Sequence[str]) -> None:
    """Freeze the parameters whose names match these patterns."""
    frozen = matching(model, patterns)
    for name, value in model.named_parameters():
        if name in frozen:
            value.requires_grad = False


def matching(model: torch.nn.Module, patterns: Sequence[str]) -> set[str]:
    """Return the names of the parameters that match these patterns, each at least one."""
    names = [name for name, _ in model.named_parameters()]
    found: set[str] = set()
    for pattern in patterns:
        fitting = fnmatch_filter(names, pattern)
        if not fitting:
            raise RecipeError(f"the pattern {pattern} matches no parameter")
        found.update(fitting)
    return found


def batches(run: TextRun) -> Iterator[Batch]:
    """Yield batches; a resumed run draws others than the interrupted one would have."""
    schedule = run.recipe.schedule
    seed = schedule.seed * 1_000_003 + run.update
    pairs = run.dataset.stream(seed)
    return bucketed(pairs, schedule.batch, seed, by_tokens=schedule.by_tokens)


def source_stream(run: TextRun) -> Iterator[SourceBatch]:
    """Yield batches of sources for self-critical training."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    device = next(run.model.parameters()).device
    return source_batches(run.dataset.sources(seed), seed, device)


def train_step(run: TextRun, batch: Batch) -> float:
    """Make one update and return the loss in nats a token."""
    run.model.train()
    loss, total = training_loss(run, batch)
    apply_gradient(run, total)
    return float(loss.detach())


def self_critical_step(run: TextRun, sources: SourceBatch) -> float:
    """Make one self-critical update and return the mean reward."""
    phase, batch = run.recipe.self_critical, sources.batch
    run.model.eval()  # no dropout: samples and loss come from the same network
    with mixed_precision(batch.source.device):
        texts = sample_translations(
            run.model, batch, phase.draws, sources.longest + SPARE, phase.temperature
        )
        rewards = compute_rewards(texts, sources.sources, Reward(run.dataset.tokenizer))
        total = self_critical_loss(run.model, batch, texts, rewards, phase.temperature)
    if phase.reference_weight:
        total = total + phase.reference_weight * training_loss(run, batch)[1]
    apply_gradient(run, total)
    return float(rewards.mean())


def apply_gradient(run: TextRun, loss: torch.Tensor) -> None:
    """Update the weights and their running average."""
    schedule, phase = run.recipe.schedule, run.recipe.self_critical
    for group in run.optimizer.param_groups:
        group["lr"] = phase_learning_rate(schedule, phase, run.update)
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    now = phase_schedule(schedule, phase, run.update)
    update_average(run.average, run.model, average_decay(now, run.update))


def training_loss(run: TextRun, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of the references, in nats a token, and the total with guided alignment."""
    guide, smoothing = run.recipe.guided_alignment, run.recipe.schedule.label_smoothing
    if not run.teachers and not run.aligner:
        loss = cross_entropy(run.model, batch, smoothing)
        return loss, loss
    with mixed_precision(batch.source.device):
        teacher_outputs = [teacher_output(teacher, batch) for teacher in run.teachers]
        written, attended = readouts_and_weights(run.model, batch.source, batch.lengths, batch.fed)
    loss = total = token_loss(run.model, written, batch, smoothing, teacher_outputs, guide.words)
    if guide.maps:
        guided = attended[guide.layer][:, guide.head]
        total = total + guide.maps * teacher_alignment_loss(
            guided, teacher_outputs, batch.target != PAD
        )
    if run.aligner:
        guided = attended[guide.layer][:, guide.head]
        total = total + guide.links * alignment_loss(guided, run.aligner.targets(batch))
    return loss, total


def cross_entropy(model: TextNetwork, batch: Batch, label_smoothing: float = 0.0) -> torch.Tensor:
    """Return the cross-entropy in nats a token, without padding."""
    with mixed_precision(batch.source.device):
        written = readouts(model, batch.source, batch.lengths, batch.fed)
    return token_loss(model, written, batch, label_smoothing)


def token_loss(
    model: TextNetwork,
    written: torch.Tensor,
    batch: Batch,
    label_smoothing: float,
    teacher_outputs: Sequence[TeacherOutput] = (),
    share: float = 0.0,
) -> torch.Tensor:
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
        TeacherLogits(each.readouts[real], each.output.weight, each.output.bias)
        for each in teacher_outputs
    ]
    return distilled_cross_entropy(*mine, teachers, share)


@torch.no_grad()
def dev_loss(run: TextRun, pairs: Sequence[Pair], device: torch.device) -> float:
    """Return the dev loss of the averaged weights; in the self-critical phase, minus BLEU."""
    recipe = run.recipe
    with averaged(run.model, run.average):
        if is_self_critical(recipe.schedule, recipe.self_critical, run.update - 1):
            with mixed_precision(device):
                settings = run.dataset.tokenizer, recipe.limits.steps, device
                return -greedy_bleu(run.model, run.dataset.dev_sources(), *settings)
        total = tokens = 0.0
        schedule = recipe.schedule
        for batch in bucketed(pairs, schedule.batch, 0, by_tokens=schedule.by_tokens):
            count = int((batch.target != PAD).sum())
            total += count * float(cross_entropy(run.model, batch.to(device)))
            tokens += count
    return total / tokens


def train(recipe: TextRecipe, runs: Path, data: Path = DATA) -> Path:
    """Train by a recipe and return the folder of the checkpoint."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    run = TextRun.begin(recipe, build_dataset(recipe, data, runs), device)
    saved = runs / recipe.id / "last.pt"
    saved.parent.mkdir(parents=True, exist_ok=True)
    if saved.exists():
        run.resume(saved)
    elif recipe.start:
        run.start_from(find_checkpoint(recipe.start, runs))
    schedule, phase = recipe.schedule, recipe.self_critical
    run.teachers, run.aligner = load_teachers(run, runs), build_aligner(run)
    stream, sources = batches(run), source_stream(run)
    dev = run.dataset.dev()
    folder = runs / recipe.id / "checkpoint"
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=recipe.id) as bar:
        while run.update < schedule.updates and not is_out_of_patience(run):
            if is_self_critical(schedule, phase, run.update):
                found = {"reward": self_critical_step(run, next(sources))}
            else:
                found = {"loss": train_step(run, next(stream).to(device))}
            bar.update()
            if run.update % schedule.report_every == 0:
                now = phase_learning_rate(schedule, phase, run.update)
                bar.set_postfix({name: f"{value:.4f}" for name, value in found.items()}, rate=now)
            if run.update in recipe.attention_snapshots.at:
                snapshot_attention(run, saved.with_name(FILE))
            save_every = phase_schedule(schedule, phase, run.update).save_every
            if run.update % save_every == 0 or run.update == schedule.updates:
                lost = dev_loss(run, dev, device) if dev else None
                keep_best(run, lost, folder)
                run.save(saved)
                if lost is not None:
                    bar.write(f"update {run.update}: dev loss {lost:.4f}, {run.best:.4f} at best")
    return folder


def load_teachers(run: TextRun, runs: Path) -> list[TextNetwork]:
    """Load the teachers of a recipe, which must have the same tokenizer."""
    mine, found = run.dataset.tokenizer, []
    for name in run.recipe.guided_alignment.teachers:
        folder = find_checkpoint(name, runs)
        if not has_same_tokenizer(folder, mine):
            raise RecipeError(f"guided_alignment: {name} has another tokenizer")
        found.append(load_text_network(folder).to(next(run.model.parameters()).device))
    return found


def build_aligner(run: TextRun) -> PieceAligner | None:
    """Train the word aligner if the recipe uses one; a resumed run trains it again."""
    if not run.recipe.guided_alignment.links:
        return None
    return PieceAligner(run.dataset.tokenizer, run.dataset.clean())


def is_out_of_patience(run: TextRun) -> bool:
    """Return whether the dev loss has not improved for `patience` saves."""
    return 0 < run.recipe.schedule.patience <= run.waited


def keep_best(run: TextRun, loss: float | None, folder: Path) -> None:
    """Write the checkpoint if the loss is the lowest so far, or if there is none."""
    if loss is None or loss < run.best:
        run.best, run.waited = run.best if loss is None else loss, 0
        write_checkpoint(run, folder)
    else:
        run.waited += 1


def write_checkpoint(run: TextRun, folder: Path) -> None:
    """Write the averaged weights as a checkpoint."""
    recipe = run.recipe
    weights = run.average if recipe.schedule.average else dict(run.model.named_parameters())
    about = {
        "id": recipe.id,
        "name": recipe.name,
        "task": recipe.task,
        "source": {"code": recipe.source.code, "name": recipe.source.name},
        "target": {"code": recipe.target.code, "name": recipe.target.name},
        "granularity": "characters" if recipe.corpus is None else "subwords",
        "limits": {
            "characters": recipe.limits.characters,
            "tokens": recipe.limits.tokens,
            "steps": recipe.limits.steps,
        },
        "examples": list(recipe.examples),
        "hints": recipe.hints,
        "guided": describe_guidance(recipe.guided_alignment, recipe.network),
        "unguided": recipe.unguided,
        "rank": recipe.rank,
    }
    dataset = run.dataset
    save_checkpoint(folder, about, recipe.network, weights, dataset.tokenizer, dataset.known_words)


def snapshot_attention(run: TextRun, file: Path) -> None:
    """Record the attention of the averaged weights."""
    with TemporaryDirectory() as weights:
        write_checkpoint(run, Path(weights) / run.recipe.id)
        take_snapshot(
            run.recipe.attention_snapshots, Path(weights), run.recipe.id, file, run.update
        )


def main() -> int:
    """Run the command line."""
    arguments = training_parser("training.text.train", __doc__).parse_args()
    torch.set_num_threads(arguments.threads)
    try:
        print(train(TextRecipe.named(arguments.model), arguments.runs, arguments.data))
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
