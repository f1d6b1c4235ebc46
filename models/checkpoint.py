"""A model on disk: config.json, model.safetensors (16-bit floats), tokenizer.json, CARD.md.

Nothing is executed from a checkpoint. Importing this module does not import torch.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from heed.models.config import NetworkConfig, read_network
from heed.models.errors import CheckpointError
from heed.models.text.tokenizer import BytePieces
from heed.models.text.vocabulary import KnownWords

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from heed.models.networks.image_encoder import ImageEncoder
    from heed.models.registry import ImageNetwork, Network, TextNetwork

Halves = np.ndarray[Any, np.dtype[np.float16]]

FORMAT = "heed.checkpoint/1"
LONGEST_HEADER = 1_000_000
DIGESTS = 256  # files whose digests are kept
WORD_LISTS = 16  # files of familiar words that are kept in memory
CONFIG, WEIGHTS, TOKENIZER, CARD = "config.json", "model.safetensors", "tokenizer.json", "CARD.md"
KNOWN_WORDS = "known-words.txt.gz"


class Shared(NamedTuple):
    """What a sibling keeps for a model, so that it lies on the disk once."""

    sibling: str
    tensors: tuple[str, ...]


def save_checkpoint(
    folder: Path,
    about: dict[str, Any],
    network: NetworkConfig,
    weights: Mapping[str, Tensor],
    tokenizer: BytePieces,
    familiar: KnownWords | None = None,
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
    config = {
        "format": FORMAT,
        "version": 1,
        **about,
        "parameters": parameters,
        "network": network.to_dict(),
    }
    if tokenizer.spaced:
        config["spaced"] = True
    (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8")
    tokenizer.save(folder / TOKENIZER)
    if familiar is not None:
        familiar.save(folder / KNOWN_WORDS)


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
    from heed.models.registry import build_network

    config = read_config(folder)
    path = folder / WEIGHTS
    weights = _whole(tensors(folder))
    try:
        model = build_network(read_network(config["network"]))
        # By parameter, not by strict state: a tensor that two modules share has one name here.
        odd = set(weights) ^ {name for name, _ in model.named_parameters()}
        model.load_state_dict(weights, strict=False)
    except (RuntimeError, ValueError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    if odd:
        raise CheckpointError(f"{path} has other tensors than its config: {sorted(odd)[:5]}")
    return model.eval().requires_grad_(requires_grad=False)


def _whole(halves: Mapping[str, Halves]) -> dict[str, Tensor]:
    """The same as 32-bit floats of PyTorch."""
    import torch

    return {name: torch.from_numpy(half.astype(np.float32)) for name, half in halves.items()}


def load_text_network(folder: Path) -> TextNetwork:
    """The network of a folder, which must be one that reads text."""
    network = load_network(folder)
    from heed.models.registry import ImageNetwork

    if isinstance(network, ImageNetwork):
        raise CheckpointError(f"{folder} holds a network that looks at pictures")
    return network


def load_image_network(folder: Path) -> ImageNetwork:
    """The network of a folder, which must be one that looks at pictures; without its eyes."""
    network = load_network(folder)
    from heed.models.registry import ImageNetwork

    if not isinstance(network, ImageNetwork):
        raise CheckpointError(f"{folder} holds a network that reads text")
    return network


def save_image_encoder(folder: Path, eyes: ImageEncoder) -> None:
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


def load_image_encoder(folder: Path) -> ImageEncoder:
    """The eyes with their weights, as 32-bit floats, ready to be asked and never trained."""
    import torch

    from heed.models.networks.image_encoder import ImageEncoder

    path = folder / WEIGHTS
    weights = _whole(mapped(path))
    try:
        eyes = ImageEncoder(len(weights["cells.middle.weight"]))
        eyes.load_state_dict(weights)
    except (RuntimeError, KeyError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error
    eyes.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    return eyes.eval().requires_grad_(requires_grad=False)


def tensors(folder: Path) -> dict[str, Halves]:
    """Every tensor of a checkpoint by its name: 16-bit floats, mapped from the file, read-only.

    Those that a sibling keeps for it (`shared` in its config) are among them, so that who reads
    weights need not know where they lie.
    """
    return mapped(folder / WEIGHTS) | borrowed(folder)


def borrowed(folder: Path) -> dict[str, Halves]:
    """Those of them that a sibling keeps."""
    shared = sharing(folder)
    if shared is None:
        return {}
    kept = mapped(folder.parent / shared.sibling / WEIGHTS)
    try:
        return {name: kept[name] for name in shared.tensors}
    except KeyError as error:
        raise CheckpointError(f"{folder}: {shared.sibling} keeps no {error} for it") from error


def mapped(path: Path) -> dict[str, Halves]:
    """The tensors that lie in one safetensors file."""
    start, header = layout(path)
    try:
        data = np.memmap(path, np.uint8, mode="r", offset=start)
        listed = json.loads(header)
        listed.pop("__metadata__", None)
        if odd := sorted(name for name, each in listed.items() if each["dtype"] != "F16"):
            raise CheckpointError(f"{path} holds more than 16-bit floats: {odd[:5]}")
        return {
            name: data[slice(*each["data_offsets"])].view(np.float16).reshape(each["shape"])
            for name, each in listed.items()
        }
    except (OSError, OverflowError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def sharing(folder: Path) -> Shared | None:
    """Which tensors of a checkpoint lie with a sibling, if some do."""
    about = read_config(folder).get("shared")
    if about is None:
        return None
    try:
        return Shared(beside(folder, about["from"]).name, tuple(map(str, about["tensors"])))
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{folder}: what it shares is not told: {error!r}") from error


def beside(folder: Path, sibling: object) -> Path:
    """The folder of a sibling, which is named and never a path."""
    if not isinstance(sibling, str) or Path(sibling).name != sibling:
        raise CheckpointError(f"{folder}: {sibling!r} is not the name of a sibling")
    return folder.parent / sibling


def tokenizer_of(folder: Path) -> BytePieces:
    """The tokenizer of a checkpoint, its own or the one that its config says a sibling keeps."""
    config = read_config(folder)
    kept = _keeping(folder, config.get("tokenizer"))
    return BytePieces.load(kept / TOKENIZER, spaced=bool(config.get("spaced")))


def known_words_of(folder: Path) -> KnownWords | None:
    """The words that a model is familiar with, if that is known; a sibling may keep them for it.

    Siblings that have the same have them in memory once, as long as the file stays as it is.
    """
    path = _keeping(folder, read_config(folder).get("known_words")) / KNOWN_WORDS
    if not path.exists():
        return None
    return _known_words(path, *_state(path))


@lru_cache(WORD_LISTS)
def _known_words(path: Path, *_state: int) -> KnownWords:
    return KnownWords.load(path)


def _keeping(folder: Path, sibling: object) -> Path:
    """The folder of what a config may say a sibling keeps."""
    return folder if sibling is None else beside(folder, sibling)


def layout(path: Path) -> tuple[int, bytes]:
    """Where the tensors of a safetensors file begin, and the JSON that says where each lies."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            return 8 + length, file.read(min(length, LONGEST_HEADER))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def digest(path: Path) -> str:
    """SHA-256 of a file; made once, as long as the file stays as it is."""
    try:
        return _digest(path, *_state(path))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error}") from error


def _state(path: Path) -> tuple[int, int, int]:
    """What a file has that is another once it is written anew."""
    found = path.stat()
    return found.st_size, found.st_ino, found.st_mtime_ns


@lru_cache(DIGESTS)
def _digest(path: Path, size: int, *_state: int) -> str:
    # At once rather than piece by piece: a thread that does this must then ask but once for the
    # interpreter, which another has in the meantime. (Nothing cannot be mapped.)
    with path.open("rb") as file:
        if not size:
            return hashlib.sha256().hexdigest()
        with mmap(file.fileno(), 0, access=ACCESS_READ) as whole:
            return hashlib.sha256(whole).hexdigest()
