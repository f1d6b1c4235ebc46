"""The families that write token by token. They share networks, runtimes, search and pipelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models import checkpoint
from heed.models.config import (
    STEP_FAMILIES,
    NetworkConfig,
    PictureConfig,
    read_step_network,
)
from heed.models.errors import CheckpointError
from heed.models.families.family import Family, Stored

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _translator(stored: Stored) -> AnyPipeline:
    from heed.models.generation.translator import Translator
    from heed.models.runtime.trainings import Trainings

    folder = stored.folder
    tokenizer, known_words = checkpoint.tokenizer_of(folder), checkpoint.known_words_of(folder)
    runtime = stored.runtimes.load_text(folder, _network_of(stored), stored.threads)
    target_words = checkpoint.target_words_of(folder, stored.card.target.code)
    trainings = Trainings(folder, stored.runtimes, stored.threads)
    return Translator(stored.card, runtime, tokenizer, known_words, target_words, trainings)


def _picture_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.picture_pipeline import PicturePipeline

    folder, network = stored.folder, _network_of(stored)
    if not isinstance(network, PictureConfig):
        raise CheckpointError(f"{folder} holds a network that reads {network.reads}")
    tokenizer = checkpoint.tokenizer_of(folder)
    runtime = stored.runtimes.load_picture(folder, network, stored.threads)
    return PicturePipeline(stored.card, runtime, tokenizer)


def _network_of(stored: Stored) -> NetworkConfig:
    return read_step_network(checkpoint.read_config(stored.folder)["network"])


TOKEN_BY_TOKEN: Final = tuple(
    Family(config, _picture_pipeline if issubclass(config, PictureConfig) else _translator)
    for config in STEP_FAMILIES.values()
)
