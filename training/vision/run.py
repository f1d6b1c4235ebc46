"""State of the training of a Vision Transformer: the student and its optimizers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from heed.models.checkpoint import load_network
from heed.models.networks.image_encoder import Backbone
from heed.models.networks.vision_transformer import VisionTransformer
from training.common.averaging import averaged, begin_average
from training.common.saves import ResumableRun
from training.vision.losses import Student, adopt_classes
from training.vision.recipe import VisionRecipe

LAYERS = "network.layers."


class MuonAdamW(torch.optim.Optimizer):
    """Muon (Jordan et al. 2024) for the matrices of the layers, AdamW for all other weights.

    Both have one learning rate: the updates of Muon are scaled to the size of AdamW's.
    """

    def __init__(self, student: Student, weight_decay: float) -> None:
        named = dict(student.named_parameters())
        matrices = [name for name, each in named.items() if _is_matrix(name, each)]
        rest = [each for name, each in named.items() if name not in matrices and each.requires_grad]
        self.muon = torch.optim.Muon(
            [named[name] for name in matrices],
            weight_decay=weight_decay,
            adjust_lr_fn="match_rms_adamw",
        )
        self.adam = torch.optim.AdamW(
            rest, betas=(0.9, 0.98), weight_decay=weight_decay, fused=True
        )
        super().__init__(named.values(), {})
        self.param_groups = [*self.muon.param_groups, *self.adam.param_groups]

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update all weights."""
        del closure
        self.muon.step()  # type: ignore[no-untyped-call]
        self.adam.step()

    def state_dict(self) -> dict[str, Any]:
        """Return the states of both."""
        return {"muon": self.muon.state_dict(), "adam": self.adam.state_dict()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the states of both."""
        self.muon.load_state_dict(state_dict["muon"])
        self.adam.load_state_dict(state_dict["adam"])
        self.param_groups = [*self.muon.param_groups, *self.adam.param_groups]


def _is_matrix(name: str, value: Tensor) -> bool:
    return name.startswith(LAYERS) and value.dim() == 2


@dataclass(slots=True)
class VisionRun(ResumableRun):
    """State of a training run: everything that a save keeps."""

    recipe: VisionRecipe
    model: Student
    optimizer: MuonAdamW
    average: dict[str, Tensor]
    update: int = 0

    @classmethod
    def begin(cls, recipe: VisionRecipe) -> VisionRun:
        """Create a run at update 0."""
        torch.manual_seed(recipe.schedule.seed)
        model = Student(VisionTransformer(recipe.network))
        average = begin_average(model)
        return cls(recipe, model, MuonAdamW(model, recipe.schedule.weight_decay), average)

    def adopt(self, backbone: Backbone, logits: Tensor) -> None:
        """Begin with the teacher's first blocks, and with a class head made from its logits."""
        network = self.model.network
        early = dict(backbone.named_parameters())
        with torch.no_grad():
            for name, value in network.convolutions.named_parameters():
                value.copy_(early[name])
        adopt_classes(network, logits)
        self.average = begin_average(self.model)

    @torch.no_grad()
    def start_from(self, folder: Path) -> None:
        """Copy the weights of a trained network of the same size."""
        self.model.network.load_state_dict(load_network(folder).state_dict())
        self.average = begin_average(self.model)

    @contextmanager
    def averaged(self) -> Iterator[Student]:
        """Give the student its averaged weights within a `with` block."""
        with averaged(self.model, self.average):
            yield self.model
