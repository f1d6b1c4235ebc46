"""A task: everything that the trainings of two kinds of models do not share.

Data (`epoch`), losses, quality and card. The rest of a training is `Trainer`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from heed.models.checkpoint import save_checkpoint
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords
from training.common.command_line import DATA, RUNS, Baseline
from training.common.recipe import Recipe
from training.common.self_critical import SelfCritical
from training.common.state import seed_random

RecipeT = TypeVar("RecipeT", bound=Recipe)
BatchT = TypeVar("BatchT")


class Loss(NamedTuple):
    """A loss, and the figure that is shown."""

    total: Tensor
    shown: Tensor
    share: float = 1.0  # of the update


class Quality(NamedTuple):
    """A report on the averaged weights, and the loss by which the best of them are kept."""

    report: str
    loss: float | None = None  # None: the newest weights are kept


class Task(ABC, Generic[RecipeT, BatchT]):
    """Data, losses, quality and card of one kind of model, for one recipe."""

    recipe_type: ClassVar[type[Recipe]]
    baseline_of: ClassVar[Baseline | None] = None
    betas: ClassVar[tuple[float, float]] = (0.9, 0.98)
    average_every: ClassVar[int] = 1  # updates between two steps of the running average

    recipe: RecipeT
    model: nn.Module
    """Everything that is trained."""
    phase: SelfCritical = SelfCritical()
    """The self-critical updates at the end."""
    snapshots: Collection[int] = ()
    """Updates after which `snapshot` is called."""
    tokenizer: BytePieces | None = None
    known_words: KnownWords | None = None

    update: int = 0
    """Updates that were made."""

    def __init__(
        self, recipe: RecipeT, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        """Seed the random generators. After this a task loads its data and builds its network."""
        self.recipe = recipe
        self.data = data
        self.runs = runs
        self.baseline = baseline
        seed_random(recipe.schedule.seed)

    @abstractmethod
    def epoch(self, number: int) -> Iterator[BatchT]:
        """Yield the batches of an epoch, which may be endless.

        They depend on its number, on the random generators at its start, and on `data_state`.
        """

    @abstractmethod
    def losses(self, batch: BatchT) -> Iterator[Loss]:
        """Yield the losses of a batch; the backward pass of each follows at once."""

    @abstractmethod
    def evaluate(self) -> Quality:
        """Measure the network, which has its averaged weights."""

    @abstractmethod
    def card(self) -> dict[str, Any]:
        """Return the entries of the checkpoint's config.json that depend on the task."""

    @property
    def network(self) -> nn.Module:
        """The part of the model that is shipped."""
        return self.model

    def optimizer(self) -> torch.optim.Optimizer:
        """Build the optimizer. A group can have a `share` of the learning rate, and begin `after`.

        Without weight decay this is Adam.
        """
        decay = self.recipe.schedule.weight_decay
        weights = self.model.parameters()
        return torch.optim.AdamW(weights, betas=self.betas, weight_decay=decay, fused=True)

    def write(self, folder: Path) -> None:
        """Write the weights as a checkpoint, with everything that it says of itself."""
        recipe = self.recipe
        about = {
            "id": recipe.id,
            "name": recipe.name,
            "task": recipe.task,
            "granularity": "subwords",
            "examples": list(recipe.examples),
            "hints": dict(recipe.hints),
            "learned_from": recipe.learned_from,
            "rank": recipe.rank,
            **self.card(),
        }
        weights = dict(self.network.named_parameters())
        save_checkpoint(folder, about, recipe.network, weights, self.tokenizer, self.known_words)

    def snapshot(self, folder: Path) -> None:
        """Record something of the network, which has its averaged weights."""

    def data_state(self) -> Mapping[str, Any]:
        """Return what `epoch` depends on beside its number and the random generators."""
        return {}

    def restore_data(self, state: Mapping[str, Any]) -> None:
        """Restore it."""


def language(code: str, name: str) -> dict[str, str]:
    """Return the entry of a language, or of another kind of input or output, in a card."""
    return {"code": code, "name": name}


def limits(characters: int, tokens: int, steps: int) -> dict[str, int]:
    """Return the limits of an input and of the steps, as they stand in a card."""
    return {"characters": characters, "tokens": tokens, "steps": steps}
