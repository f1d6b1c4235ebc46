"""The card of a checkpoint, read from its folder."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from heed.models import checkpoint
from heed.models.card import PICTURE_TASKS, Card, Language, Limits
from heed.models.config import NetworkConfig, PictureConfig, RecurrentConfig
from heed.models.errors import CheckpointError
from heed.models.families import FAMILIES, read_network
from heed.models.packages import OWN_FOLDER, model_folders


def parse_card(folder: Path) -> Card:
    """Read the card of the checkpoint in a folder, or of one whose weights another package has."""
    config = checkpoint.read_config(folder)
    here = not checkpoint.is_elsewhere(folder)
    text = folder / checkpoint.CARD
    try:
        network = _network_of(config)
        heads, layers = network.heads_and_layers
        return Card(
            id=config["id"],
            name=config["name"],
            version=int(config.get("version", 1)),
            task=config["task"],
            source=Language(**config["source"]),
            target=Language(**config["target"]),
            family=network.family,
            mechanism=network.mechanism,
            order=network.order,
            input_feeding=isinstance(network, RecurrentConfig) and network.input_feeding,
            heads=heads,
            layers=layers,
            parameters=config["parameters"],
            bytes=_size(folder) if here else 0,
            weights=_digest(folder, network) if here else "",
            granularity=config["granularity"],
            quality=MappingProxyType(dict(config.get("quality", {}))),
            limits=Limits(**config["limits"]),
            examples=tuple(config["examples"]),
            hints=MappingProxyType(dict(config.get("hints", {}))),
            guided=str(config.get("guided", "")),
            unguided=str(config.get("unguided", "")),
            learned_from=str(config.get("learned_from", "")),
            rank=int(config.get("rank", 100)),
            text=text.read_text("utf-8") if text.exists() else "",
            width=network.widest,
            exportable=network.task is None,
            package="" if here else str(config["package"]),
        )
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(f"{folder} is not a whole checkpoint: {error!r}") from error


def read_ahead(directory: Path) -> None:
    """Start to compute the digests of a directory's weights, which a `Catalogue` needs.

    The weights are some hundred megabytes; the program can be imported meanwhile.
    """

    def read() -> None:
        for folder in model_folders() if directory == OWN_FOLDER else (directory,):
            for path in sorted(folder.glob(f"*/{checkpoint.WEIGHTS}")):
                with suppress(CheckpointError):  # the catalogue raises it again
                    checkpoint.digest(path)

    threading.Thread(target=read, name="heed-digests", daemon=True).start()


def _network_of(config: Mapping[str, Any]) -> NetworkConfig:
    """Read the configuration of the network, which must fit the task."""
    task, network = config["task"], read_network(config["network"])
    reads_picture = isinstance(network, PictureConfig)
    answers = isinstance(network, PictureConfig) and network.reads_question
    known = {family.config.task for family in FAMILIES.values()} - {None}
    wanted = task in PICTURE_TASKS, task == "ask", task if task in known else None
    if (reads_picture, answers, network.task) != wanted:
        raise ValueError(f"a network of the family {network.family} cannot {task}")
    return network


def _size(folder: Path) -> int:
    """Count the bytes of all weights that a model has in memory, without an image encoder."""
    shared = sum(half.nbytes for half in checkpoint.borrowed(folder).values())
    return (folder / checkpoint.WEIGHTS).stat().st_size + shared


def _digest(folder: Path, network: NetworkConfig) -> str:
    """Identify all weights: its own, the image encoder's and shared tensors."""
    own = checkpoint.digest(folder / checkpoint.WEIGHTS)
    more = b"".join(half.tobytes() for half in checkpoint.borrowed(folder).values())
    if isinstance(network, PictureConfig):
        encoder = checkpoint.relative(folder, network.image_encoder, checkpoint.WEIGHTS)
        more += checkpoint.digest(encoder).encode()
    return hashlib.sha256(own.encode() + more).hexdigest() if more else own
