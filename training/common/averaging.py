"""Running averages of weights, which are what is measured and shipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch


def begin_average(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Return a running average that begins at the trainable weights of a module."""
    return {
        name: value.detach().clone()
        for name, value in module.named_parameters()
        if value.requires_grad
    }


@torch.no_grad()
def swap_weights(
    module: torch.nn.Module, weights: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """Replace these weights of a module and return the old ones."""
    own = {}
    for name, value in module.named_parameters():
        if name in weights:
            own[name] = value.detach().clone()
            value.copy_(weights[name])
    return own


@contextmanager
def averaged(module: torch.nn.Module, average: Mapping[str, torch.Tensor]) -> Iterator[None]:
    """Give a module its averaged weights, without dropout, within a `with` block."""
    own, training = swap_weights(module, average), module.training
    module.eval()
    try:
        yield
    finally:
        swap_weights(module, own)
        module.train(training)


@torch.no_grad()
def update_average(
    average: Mapping[str, torch.Tensor], module: torch.nn.Module, decay: float
) -> None:
    """Move the running average towards the weights of a module."""
    for name, value in module.named_parameters():
        if name in average:
            average[name].lerp_(value, 1 - decay)
