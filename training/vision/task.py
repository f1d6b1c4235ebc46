"""The task of a Vision Transformer: it learns from a convolutional network, its teacher.

The outputs of the teacher are computed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from heed.models.checkpoint import load_module
from heed.models.families.vision_transformer.config import VisionConfig
from heed.models.families.vision_transformer.network import VisionTransformer
from heed.models.networks.image_encoder import Backbone
from heed.models.networks.mobilenet import CELLS
from training.caption.class_activation import LABELS
from training.caption.photo_sets import LOADERS, load_photos
from training.caption.photos import Split
from training.common.checkpoints import find_checkpoint
from training.common.command_line import DATA, RUNS
from training.common.errors import BackboneError
from training.common.mixed_precision import CPU, mixed_precision
from training.common.task import Loss, Quality, Task, language, limits
from training.vision.losses import Student, adopt_classes, losses_of, mirrored
from training.vision.muon import MuonAdamW
from training.vision.quality import measure
from training.vision.recipe import VisionRecipe
from training.vision.teacher import Found, Teacher, join, load_found

FITTED_ON = "everyday"  # the photos from which the components of the maps are computed
MIRRORED = 0.5


class VisionTask(Task[VisionRecipe, Found]):
    """A student of a convolutional network."""

    recipe_type = VisionRecipe
    model: Student

    def __init__(
        self, recipe: VisionRecipe, data: Path = DATA, runs: Path = RUNS, *, baseline: bool = False
    ) -> None:
        super().__init__(recipe, data, runs, baseline=baseline)
        self.model = Student(VisionTransformer(recipe.network))
        self.classes = class_names(data)
        teacher = load_teacher(recipe, runs, data)
        dev = load_sets(teacher, runs, data, "dev")
        self.dev = join([photos.at(range(len(photos))) for photos in dev])
        self.sets: Sequence[Found] = load_sets(teacher, runs, data, "train")
        if recipe.start:
            start = find_checkpoint(recipe.start, runs)
            learned = load_module(start, VisionConfig, VisionTransformer)
            self.network.load_state_dict(learned.state_dict())
        else:
            every = [torch.from_numpy(np.array(photos.logits)) for photos in self.sets]
            self.adopt(teacher.backbone, torch.cat(every))

    @property
    def network(self) -> VisionTransformer:
        """The student without what only its training needs."""
        return self.model.network

    @torch.no_grad()
    def adopt(self, backbone: Backbone, logits: Tensor) -> None:
        """Begin with the teacher's first blocks, and with a class head made from its logits."""
        early = dict(backbone.named_parameters())
        for name, value in self.network.convolutions.named_parameters():
            value.copy_(early[name])
        adopt_classes(self.network, logits)

    def optimizer(self) -> MuonAdamW:
        """Build Muon for the matrices of the layers, and AdamW for all other weights."""
        return MuonAdamW(self.model, self.recipe.schedule.weight_decay)

    def epoch(self, _number: int) -> Iterator[Found]:
        """Yield batches of all photos, half of which are mirrored."""
        ends = np.cumsum([len(photos) for photos in self.sets])
        every = torch.randperm(int(ends[-1]))
        for places in every.split(self.recipe.schedule.batch):  # type: ignore[no-untyped-call]
            parts = []
            for photos, end in zip(self.sets, ends, strict=True):
                own = places - (int(end) - len(photos))
                parts.append(photos.at(own[(own >= 0) & (own < len(photos))].numpy()))
            batch = join(parts)
            yield mirrored(batch) if torch.rand(()) < MIRRORED else batch

    def losses(self, batch: Found) -> Iterator[Loss]:
        """Yield the loss of a batch, and the divergence from the teacher's classes."""
        with mixed_precision(CPU):
            kept = self._kept(len(batch.logits))
            losses = losses_of(self.model, batch, kept, self.recipe)
        yield Loss(losses.total(self.recipe), losses.classes)

    def _kept(self, count: int) -> Tensor | None:
        """Draw the patches that are read, other ones of each photo; None for all."""
        recipe = self.recipe
        if recipe.kept == 1 or self.update >= recipe.whole_from * recipe.schedule.updates:
            return None
        return torch.rand(count, CELLS).argsort(dim=1)[:, : round(recipe.kept * CELLS)]

    def evaluate(self) -> Quality:
        """Compare the student with its teacher on the dev photos."""
        quality = measure(self.network, self.dev)
        return Quality(", ".join(f"{name} {value:.3f}" for name, value in quality.items()))

    def card(self) -> dict[str, Any]:
        """Return the names of the classes."""
        guided = "rollout guided by the teacher's class activation in training"
        return {
            "source": language("", "Photo"),
            "target": language("en", "English class"),
            "limits": limits(0, 0, 1),
            "guided": guided if self.recipe.guide else "",
            "classes": list(self.classes),
        }


def class_names(data: Path) -> list[str]:
    """Return the first name of each ImageNet class, the background first."""
    path = data / "backbone" / LABELS
    try:
        return [line.partition(",")[0].strip() for line in path.read_text("utf-8").splitlines()]
    except OSError as error:
        raise BackboneError(f"{path}: {error}") from error


def load_teacher(recipe: VisionRecipe, runs: Path, data: Path) -> Teacher:
    """Load the convolutional network."""
    fitted_on = load_photos(FITTED_ON, data, "train", runs)
    path = runs / "teacher" / "components.pt"
    return Teacher.load(data, recipe.network.blocks, fitted_on, path)


def load_sets(teacher: Teacher, runs: Path, data: Path, split: Split) -> list[Found]:
    """Load what the teacher finds in each set of photos of a split."""
    return [
        load_found(
            load_photos(name, data, split, runs), teacher, runs / "teacher" / f"{name}-{split}"
        )
        for name in LOADERS
    ]
