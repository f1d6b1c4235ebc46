"""The families of networks, and the function that loads a model of each.

A new family is one function and one line of `FAMILIES`. Imports are inside the functions, so that
a process loads the code of the families that it runs, and PyTorch only where that runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from heed.models import checkpoint
from heed.models.card import Card
from heed.models.config import (
    GlimpseConfig,
    GraphConfig,
    LSTMNConfig,
    MemoryNetworkConfig,
    NetworkConfig,
    PictureConfig,
    RecurrentCaptionerConfig,
    RecurrentConfig,
    TransformerCaptionerConfig,
    TransformerConfig,
    VisionConfig,
    VQAConfig,
    read_network,
)
from heed.models.errors import CheckpointError

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline
    from heed.models.runtime.choice import RuntimeChoice


class Stored(NamedTuple):
    """A checkpoint to load, and the runtimes to choose from."""

    card: Card
    folder: Path
    runtimes: RuntimeChoice
    threads: int | None


@dataclass(frozen=True, slots=True)
class Family:
    """A family of networks."""

    load: Callable[[Stored], AnyPipeline]
    on_numpy: bool = False  # NumPy alone runs it, whatever runtime is chosen


def load(stored: Stored) -> AnyPipeline:
    """Load a model by the entry of its family."""
    return FAMILIES[type(network_of(stored.folder))].load(stored)


def network_of(folder: Path) -> NetworkConfig:
    """Read the configuration of the network in a folder."""
    return read_network(checkpoint.read_config(folder)["network"])


def _translator(stored: Stored) -> AnyPipeline:
    from heed.models.generation.translator import Translator
    from heed.models.runtime.trainings import Trainings

    folder = stored.folder
    tokenizer, known_words = checkpoint.tokenizer_of(folder), checkpoint.known_words_of(folder)
    runtime = stored.runtimes.load_text(folder, network_of(folder), stored.threads)
    target_words = checkpoint.target_words_of(folder, stored.card.target.code)
    trainings = Trainings(folder, stored.runtimes, stored.threads)
    return Translator(stored.card, runtime, tokenizer, known_words, target_words, trainings)


def _picture_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.picture_pipeline import PicturePipeline

    folder, network = stored.folder, network_of(stored.folder)
    if not isinstance(network, PictureConfig):
        raise CheckpointError(f"{folder} holds a network that reads {network.reads}")
    tokenizer = checkpoint.tokenizer_of(folder)
    runtime = stored.runtimes.load_picture(folder, network, stored.threads)
    return PicturePipeline(stored.card, runtime, tokenizer)


def _story_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.story_pipeline import StoryPipeline
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.memory_network import NumpyMemoryNetwork

    vocabulary = checkpoint.story_vocabulary_of(stored.folder)
    return StoryPipeline(
        stored.card,
        load_runtime(stored.folder, MemoryNetworkConfig, NumpyMemoryNetwork),
        vocabulary,
    )


def _graph_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.graph_pipeline import GraphPipeline
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.graph import NumpyGraph

    return GraphPipeline(stored.card, load_runtime(stored.folder, GraphConfig, NumpyGraph))


def _glimpse_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.glimpse_pipeline import GlimpsePipeline
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.glimpse import NumpyGlimpse

    return GlimpsePipeline(stored.card, load_runtime(stored.folder, GlimpseConfig, NumpyGlimpse))


def _vision_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.vision_pipeline import VisionPipeline
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.vision import NumpyVision

    classes = checkpoint.classes_of(stored.folder)
    return VisionPipeline(
        stored.card, load_runtime(stored.folder, VisionConfig, NumpyVision), classes
    )


def _tape_pipeline(stored: Stored) -> AnyPipeline:
    from heed.models.generation.tape_pipeline import TapePipeline
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.lstmn import NumpyLSTMN
    from heed.models.text.words import WordVocabulary

    runtime, vocabulary = (
        load_runtime(stored.folder, LSTMNConfig, NumpyLSTMN),
        WordVocabulary.load(stored.folder),
    )
    if len(vocabulary) != (words := runtime.config.vocabulary):
        message = f"{stored.folder} has {len(vocabulary)} words; its network has {words}"
        raise CheckpointError(message)
    return TapePipeline(stored.card, runtime, vocabulary)


FAMILIES: Final[dict[type[NetworkConfig], Family]] = {
    RecurrentConfig: Family(_translator),
    TransformerConfig: Family(_translator),
    RecurrentCaptionerConfig: Family(_picture_pipeline),
    TransformerCaptionerConfig: Family(_picture_pipeline),
    VQAConfig: Family(_picture_pipeline),
    MemoryNetworkConfig: Family(_story_pipeline, on_numpy=True),
    GraphConfig: Family(_graph_pipeline, on_numpy=True),
    GlimpseConfig: Family(_glimpse_pipeline, on_numpy=True),
    VisionConfig: Family(_vision_pipeline, on_numpy=True),
    LSTMNConfig: Family(_tape_pipeline, on_numpy=True),
}
