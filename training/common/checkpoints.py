"""Checkpoints of other models: of this machine's runs, or as they ship."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import torch
from torch import nn

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import CONFIG, load_network, tokenizer_of
from heed.models.text.tokenizer import BytePieces
from training.common.errors import RecipeError


def find_checkpoint(model: str, runs: Path) -> Path:
    """Return the checkpoint of a model: the one among the runs, else the shipped one."""
    for folder in (runs / model / "checkpoint", DEFAULT_DIRECTORY / model):
        if (folder / CONFIG).exists():
            return folder
    raise RecipeError(f"{model} is neither among the runs nor shipped")


def has_same_tokenizer(folder: Path, tokenizer: BytePieces) -> bool:
    """Return whether a checkpoint has the pieces of this tokenizer at the same ids."""
    places = range(len(tokenizer))
    return tokenizer.places_of(tokenizer_of(folder)) == dict(zip(places, places, strict=True))


@torch.no_grad()
def copy_weights(
    model: nn.Module, tokenizer: BytePieces, folder: Path, fresh: Collection[str] = ()
) -> None:
    """Copy every tensor of the same name and shape from another model, but for the fresh ones.

    Of tensors with one row for each piece, copy the rows of the pieces that both tokenizers have.
    """
    network = load_network(folder)
    learned = dict(network.named_parameters())
    shared = tokenizer.places_of(tokenizer_of(folder))
    mine, theirs = torch.tensor(list(shared)), torch.tensor(list(shared.values()))
    by_piece = len(tokenizer), network.config.vocabulary
    for name, value in model.named_parameters():
        other = learned.get(name)
        if other is None or name in fresh or other.shape[1:] != value.shape[1:]:
            continue
        if (len(value), len(other)) == by_piece:
            value[mine] = other[theirs].to(value.device)
        elif len(value) == len(other):
            value.copy_(other)
