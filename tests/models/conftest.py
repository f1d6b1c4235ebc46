"""A folder of tiny models, untrained: for what does not depend on what a model has learned."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from models.checkpoint import save_checkpoint
from models.config import NetworkConfig, RecurrentConfig, TransformerConfig
from models.networks import build_network
from models.tokenizer import BytePieces
from models.translator import Translator
from models.zoo import Zoo

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


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("weights")
    write_tiny(root / "tiny")
    write_tiny(root / "tiny-none", replace(NETWORK, mechanism="none", order="fixed"))
    write_tiny(root / "tiny-lstm", replace(NETWORK, cell="lstm", tied=True, encoder_layers=2))
    heads = replace(NETWORK, mechanism="multihead", heads=2, order="after", input_feeding=True)
    write_tiny(root / "tiny-heads", heads, rank=1)
    layers = TransformerConfig(
        vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=2
    )
    write_tiny(root / "tiny-transformer", layers, rank=200)
    return root


@pytest.fixture(scope="session")
def tiny(tiny_models: Path) -> Translator:
    return Zoo(tiny_models).load("tiny")
