"""A model on disk: config.json, model.safetensors (16-bit floats), tokenizer.json, CARD.md.

Nothing is executed from a checkpoint. Importing this module does not import torch.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.config import NetworkConfig, read_network
from models.errors import CheckpointError
from models.tokenizer import BytePieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from models.networks import Network, PictureNetwork, TextNetwork
    from models.vision import Eyes

FORMAT = "heed.checkpoint/1"
LONGEST_HEADER = 1_000_000
CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "CARD.md"


def save_checkpoint(
    folder: Path,
    about: dict[str, Any],
    network: NetworkConfig,
    weights: Mapping[str, Tensor],
    tokenizer: BytePieces,
) -> None:
    """Write a checkpoint, the weights as 16-bit floats."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    small = {
        name: value.detach().to("cpu", torch.float16).contiguous()
        for name, value in weights.items()
    }
    save_file(small, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)
    parameters = sum(value.numel() for value in small.values())
    config = {"format": FORMAT, **about, "parameters": parameters, "network": network.to_dict()}
    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8")
    tokenizer.save(folder / TOKENIZER)


def read_config(folder: Path) -> dict[str, Any]:
    """The config.json of a checkpoint."""
    path = folder / CONFIG
    try:
        config = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        raise CheckpointError(f"{path} is not a checkpoint of the format {FORMAT}")
    return config


def load_network(folder: Path) -> Network:
    """The network with its weights, as 32-bit floats, ready to be asked and never trained."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from models.networks import build_network

    config = read_config(folder)
    path = folder / WEIGHTS
    try:
        model = build_network(read_network(config["network"]))
        weights = {name: value.to(torch.float32) for name, value in load_file(path).items()}
        # By parameter, not by strict state: a tensor that two modules share has one name here.
        odd = set(weights) ^ {name for name, _ in model.named_parameters()}
        model.load_state_dict(weights, strict=False)
    except (OSError, SafetensorError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if odd:
        raise CheckpointError(f"{path} has other tensors than its config: {sorted(odd)[:5]}")
    return model.eval().requires_grad_(requires_grad=False)


def load_text_network(folder: Path) -> TextNetwork:
    """The network of a folder, which must be one that reads text."""
    network = load_network(folder)
    from models.networks import PictureNetwork

    if isinstance(network, PictureNetwork):
        raise CheckpointError(f"{folder} holds a network that looks at pictures")
    return network


def load_picture_network(folder: Path) -> PictureNetwork:
    """The network of a folder, which must be one that looks at pictures; without its eyes."""
    network = load_network(folder)
    from models.networks import PictureNetwork

    if not isinstance(network, PictureNetwork):
        raise CheckpointError(f"{folder} holds a network that reads text")
    return network


def save_eyes(folder: Path, eyes: Eyes) -> None:
    """Write the eyes that several models share, as 16-bit floats."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    small = {
        name: value.detach().to("cpu", torch.float16).contiguous()
        for name, value in eyes.named_parameters()
    }
    save_file(small, folder / WEIGHTS)
    (folder / WEIGHTS).chmod(0o644)


def load_eyes(folder: Path) -> Eyes:
    """The eyes with their weights, as 32-bit floats, ready to be asked and never trained."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    from models.vision import Eyes

    path = folder / WEIGHTS
    try:
        weights = {name: value.to(torch.float32) for name, value in load_file(path).items()}
        eyes = Eyes(len(weights["cells.middle.weight"]))
        eyes.load_state_dict(weights)
    except (OSError, SafetensorError, RuntimeError, KeyError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    eyes.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return eyes.eval().requires_grad_(requires_grad=False)


def layout(path: Path) -> tuple[int, bytes]:
    """Where the tensors of a safetensors file begin, and the JSON that says where each lies."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            return 8 + length, file.read(min(length, LONGEST_HEADER))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
