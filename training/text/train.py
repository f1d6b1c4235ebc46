"""`python -m training.text.train MODEL`: make a shipped model again, from its recipe and its seed.

Resumable: killed at any moment, it goes on from the last save. Runs unchanged on CPU or CUDA,
in 16-bit floats where the processor has instructions for them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
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
from training.common.averaging import follow, put
from training.common.batches import Batch, Pair, bucketed
from training.common.checkpoints import has_pieces, sibling
from training.common.command_line import DATA, command_line
from training.common.errors import CorpusError, RecipeError
from training.common.loss import Teaching, distilled_cross_entropy, projected_cross_entropy
from training.common.mixed_precision import half, has_bfloat16
from training.common.schedule import criticised_yet, decay, in_force, rate_of
from training.text.attention_snapshots import FILE, record
from training.text.data.datasets import Material, material
from training.text.guided_alignment import (
    Lesson,
    Pointer,
    astray,
    lesson,
    told_where_to_look,
    unlinked,
)
from training.text.manual_bptt import looking, readouts
from training.text.recipe import Recipe
from training.text.self_critical import (
    SPARE,
    Questions,
    Reward,
    criticised,
    greedy_bleu,
    questions,
    rewarded,
    translations,
)


@dataclass(slots=True)
class Run:
    """A training under way: everything that must survive being killed."""

    recipe: Recipe
    material: Material
    model: TextNetwork
    optimizer: torch.optim.Optimizer
    average: dict[str, torch.Tensor]
    update: int = 0
    best: float = math.inf  # loss on the dev sets
    waited: int = 0  # saves since then
    siblings: Sequence[TextNetwork] = ()  # that it learns from as well
    pointer: Pointer | None = None  # that tells it where to look

    @classmethod
    def begin(cls, recipe: Recipe, material: Material, device: torch.device) -> Run:
        """A run at update 0."""
        # Few sentences may not hold as many pieces as the recipe would like.
        network = replace(recipe.network, vocabulary=len(material.tokenizer))
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
        average = {name: value.detach().clone() for name, value in model.named_parameters()}
        return cls(recipe, material, model, optimizer, average)

    def save(self, path: Path) -> None:
        """Write everything, whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".part")
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
            "update": self.update,
            "best": self.best,
            "waited": self.waited,
            "random": torch.get_rng_state(),
        }
        torch.save(state, fresh)
        fresh.replace(path)

    @torch.no_grad()
    def start_from(self, folder: Path) -> None:
        """Take over what a sibling has learned: every tensor of the same name and shape.

        Of tensors with a row a piece, only the rows of pieces that both have: a sibling of other
        languages has another tokenizer.
        """
        learned = dict(load_network(folder).named_parameters())
        tokenizer = self.material.tokenizer
        shared = tokenizer.places_of(tokenizer_of(folder))
        mine, theirs = torch.tensor(list(shared)), torch.tensor(list(shared.values()))
        for name, value in self.model.named_parameters():
            given = learned.get(name)
            if given is None:
                continue
            if len(value) == len(tokenizer) and value.shape[1:] == given.shape[1:]:
                value[mine] = given[theirs].to(value.device)
            elif value.shape == given.shape:
                value.copy_(given)
            self.average[name].copy_(value)

    def resume(self, path: Path) -> None:
        """Go on from what `save` wrote."""
        device = next(self.model.parameters()).device
        state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.average = state["average"]
        self.update, self.best, self.waited = state["update"], state["best"], state["waited"]
        torch.set_rng_state(state["random"].cpu())


def freeze(model: torch.nn.Module, patterns: Sequence[str]) -> None:
    """Let the parameters whose names are like these stay as they are."""
    for pattern in patterns:
        fitting = [value for name, value in model.named_parameters() if fnmatch(name, pattern)]
        if not fitting:
            raise RecipeError(f"{pattern}, to be frozen, is no parameter")
        for value in fitting:
            value.requires_grad = False


def batches(run: Run) -> Iterator[Batch]:
    """The batches still to come; a resumed run draws others than the killed one would have."""
    schedule = run.recipe.schedule
    seed = schedule.seed * 1_000_003 + run.update
    pairs = run.material.stream(seed)
    return bucketed(pairs, schedule.batch, seed, by_tokens=schedule.by_tokens)


def asked(run: Run) -> Iterator[Questions]:
    """The sources still to come of which it writes translations of its own."""
    seed = run.recipe.schedule.seed * 1_000_003 + run.update
    device = next(run.model.parameters()).device
    return questions(run.material.asked(seed), seed, device)


def learn(run: Run, batch: Batch) -> float:
    """One update; the loss in nats a token."""
    run.model.train()
    loss, total = taught_loss(run, batch)
    descend(run, total)
    return float(loss.detach())


def criticise(run: Run, asked: Questions) -> float:
    """One update by texts of its own; their mean reward."""
    critic, batch = run.recipe.critic, asked.batch
    run.model.eval()  # what is drawn, and what is learned from it, by the same network
    with half(batch.source.device):
        texts = translations(run.model, batch, critic.draws, asked.longest + SPARE, critic.warmth)
        rewards = rewarded(texts, asked.asked, Reward(run.material.tokenizer))
        total = criticised(run.model, batch, texts, rewards, critic.warmth)
    if critic.taught:
        total = total + critic.taught * taught_loss(run, batch)[1]
    descend(run, total)
    return float(rewards.mean())


def descend(run: Run, loss: torch.Tensor) -> None:
    """Move the weights, and their running average behind them."""
    schedule, critic = run.recipe.schedule, run.recipe.critic
    for group in run.optimizer.param_groups:
        group["lr"] = rate_of(schedule, critic, run.update)
    run.optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(run.model.parameters(), schedule.clip)
    run.optimizer.step()
    run.update += 1
    now = in_force(schedule, critic, run.update)
    follow(run.average, run.model, decay(now, run.update))


def taught_loss(run: Run, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss of what people wrote, in nats a token, and the same with what the guide says."""
    guide, smoothing = run.recipe.guide, run.recipe.schedule.label_smoothing
    if not run.siblings and not run.pointer:
        loss = loss_of(run.model, batch, smoothing)
        return loss, loss
    with half(batch.source.device):
        lessons = [lesson(sibling, batch) for sibling in run.siblings]
        written, looked = looking(run.model, batch.source, batch.lengths, batch.fed)
    loss = total = words_loss(run.model, written, batch, smoothing, lessons, guide.words)
    if guide.maps:
        told = looked[guide.layer][:, guide.head]
        total = total + guide.maps * astray(told, lessons, batch.target != PAD)
    if run.pointer:
        told = looked[guide.layer][:, guide.head]
        total = total + guide.links * unlinked(told, run.pointer.wanted(batch))
    return loss, total


def loss_of(model: TextNetwork, batch: Batch, label_smoothing: float = 0.0) -> torch.Tensor:
    """Cross-entropy in nats a token, the padding left out."""
    with half(batch.source.device):
        written = readouts(model, batch.source, batch.lengths, batch.fed)
    return words_loss(model, written, batch, label_smoothing)


def words_loss(
    model: TextNetwork,
    written: torch.Tensor,
    batch: Batch,
    label_smoothing: float,
    lessons: Sequence[Lesson] = (),
    share: float = 0.0,
) -> torch.Tensor:
    """The same of what was made for each step; a share of the truth is what siblings would write.

    What they hold likely is smooth by itself, and then nothing else is smoothed.
    """
    real = batch.target != PAD
    kind = torch.bfloat16 if has_bfloat16(batch.source.device) else written.dtype
    output, target = model.output, batch.target[real]
    mine = written[real].to(kind), output.weight, output.bias, target
    if not share:
        return projected_cross_entropy(*mine, label_smoothing)
    teachers = [
        Teaching(each.readouts[real], each.output.weight, each.output.bias) for each in lessons
    ]
    return distilled_cross_entropy(*mine, teachers, share)


@torch.no_grad()
def dev_loss(run: Run, pairs: Sequence[Pair], device: torch.device) -> float:
    """Loss of the averaged weights on the dev sets; once it is criticised, its BLEU below zero."""
    recipe = run.recipe
    own = put(run.model, run.average)
    run.model.eval()
    if criticised_yet(recipe.schedule, recipe.critic, run.update - 1):
        with half(device):
            told = run.material.tokenizer, recipe.limits.steps, device
            found = greedy_bleu(run.model, run.material.asked_dev(), *told)
        put(run.model, own)
        return -found
    total = tokens = 0.0
    schedule = recipe.schedule
    for batch in bucketed(pairs, schedule.batch, 0, by_tokens=schedule.by_tokens):
        count = int((batch.target != PAD).sum())
        total += count * float(loss_of(run.model, batch.to(device)))
        tokens += count
    put(run.model, own)
    return total / tokens


def train(recipe: Recipe, runs: Path, data: Path = DATA) -> Path:
    """Follow a recipe to its end; where the checkpoint stands."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    run = Run.begin(recipe, material(recipe, data, runs), device)
    saved = runs / recipe.id / "last.pt"
    saved.parent.mkdir(parents=True, exist_ok=True)
    if saved.exists():
        run.resume(saved)
    elif recipe.start:
        run.start_from(sibling(recipe.start, runs))
    schedule, critic = recipe.schedule, recipe.critic
    run.siblings, run.pointer = guides(run, runs), pointer(run)
    stream, sources = batches(run), asked(run)
    dev = run.material.dev()
    folder = runs / recipe.id / "checkpoint"
    with tqdm(total=schedule.updates, initial=run.update, unit="update", desc=recipe.id) as bar:
        while run.update < schedule.updates and not tired(run):
            if criticised_yet(schedule, critic, run.update):
                found = {"reward": criticise(run, next(sources))}
            else:
                found = {"loss": learn(run, next(stream).to(device))}
            bar.update()
            if run.update % schedule.report_every == 0:
                now = rate_of(schedule, critic, run.update)
                bar.set_postfix({name: f"{value:.4f}" for name, value in found.items()}, rate=now)
            if run.update in recipe.recording.at:
                observe(run, saved.with_name(FILE))
            save_every = in_force(schedule, critic, run.update).save_every
            if run.update % save_every == 0 or run.update == schedule.updates:
                lost = dev_loss(run, dev, device) if dev else None
                judge(run, lost, folder)
                run.save(saved)
                if lost is not None:
                    bar.write(f"update {run.update}: dev loss {lost:.4f}, {run.best:.4f} at best")
    return folder


def guides(run: Run, runs: Path) -> list[TextNetwork]:
    """The siblings that a recipe wants to be asked; they have the same pieces."""
    mine, found = run.material.tokenizer, []
    for name in run.recipe.guide.by:
        folder = sibling(name, runs)
        if not has_pieces(folder, mine):
            raise RecipeError(f"{name}, to be asked, has other pieces")
        found.append(load_text_network(folder).to(next(run.model.parameters()).device))
    return found


def pointer(run: Run) -> Pointer | None:
    """An aligner of the same pairs, if a recipe wants one; a resumed run learns it again."""
    if not run.recipe.guide.links:
        return None
    return Pointer(run.material.tokenizer, run.material.tidy())


def tired(run: Run) -> bool:
    """Whether the dev sets have not got better for as long as the recipe has patience."""
    return 0 < run.recipe.schedule.patience <= run.waited


def judge(run: Run, loss: float | None, folder: Path) -> None:
    """Write the checkpoint if this is the best so far, or if there is nothing to judge by."""
    if loss is None or loss < run.best:
        run.best, run.waited = run.best if loss is None else loss, 0
        write(run, folder)
    else:
        run.waited += 1


def write(run: Run, folder: Path) -> None:
    """Write the averaged weights as a checkpoint that can be shipped."""
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
        "guided": told_where_to_look(recipe.guide, recipe.network),
        "rank": recipe.rank,
    }
    material = run.material
    save_checkpoint(folder, about, recipe.network, weights, material.tokenizer, material.familiar)


def observe(run: Run, file: Path) -> None:
    """Record the attention of the weights as they would ship now."""
    with TemporaryDirectory() as weights:
        write(run, Path(weights) / run.recipe.id)
        record(run.recipe.recording, Path(weights), run.recipe.id, file, run.update)


def main() -> int:
    """The command line."""
    arguments = command_line("training.text.train", __doc__).parse_args()
    torch.set_num_threads(arguments.threads)
    try:
        print(train(Recipe.named(arguments.model), arguments.runs, arguments.data))
    except (RecipeError, CorpusError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
