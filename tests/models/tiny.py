"""A tiny model, untrained: for what does not depend on what a model has learned."""

from pathlib import Path

import torch

from models.checkpoint import save_checkpoint
from models.config import NetworkConfig, RecurrentConfig
from models.networks import build_network
from models.tokenizer import BytePieces

NETWORK = RecurrentConfig(
    vocabulary=259,
    mechanism="additive",
    order="before",
    embedding=6,
    encoder_width=4,
    decoder_width=8,
    attention_width=5,
)
ABOUT = {
    "name": "Tiny",
    "task": "dates",
    "source": {"code": "en", "name": "English"},
    "target": {"code": "xx", "name": "Noise"},
    "granularity": "characters",
    "limits": {"characters": 40, "tokens": 30, "steps": 8},
    "examples": ["may"],
}


def write_tiny(folder: Path, network: NetworkConfig = NETWORK, **about: object) -> Path:
    torch.manual_seed(5)
    model = build_network(network)
    tokenizer = BytePieces.characters(lowercase=True)
    weights = dict(model.named_parameters())
    save_checkpoint(folder, ABOUT | {"id": folder.name} | about, network, weights, tokenizer)
    return folder
