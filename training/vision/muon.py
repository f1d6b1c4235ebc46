"""The optimizer of a Vision Transformer."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from training.vision.losses import Student

LAYERS = "network.layers."


class MuonAdamW(torch.optim.Optimizer):
    """Muon (Jordan et al. 2024) for the matrices of the layers, AdamW for all other weights.

    Both have one learning rate: the updates of Muon are scaled to the size of AdamW's.
    """

    def __init__(self, student: Student, weight_decay: float) -> None:
        named = dict(student.named_parameters())
        matrices = [name for name, tensor in named.items() if _is_matrix(name, tensor)]
        rest = [
            tensor
            for name, tensor in named.items()
            if name not in matrices and tensor.requires_grad
        ]
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
