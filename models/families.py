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
    ImageConfig,
    LSTMNConfig,
    MemoryConfig,
    NetworkConfig,
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

    folder = stored.folder
    tokenizer, known_words = checkpoint.tokenizer_of(folder), checkpoint.known_words_of(folder)
    runtime = stored.runtimes.load_text(folder, network_of(folder), stored.threads)
    target_words = checkpoint.target_words_of(folder, stored.card.target.code)
    return Translator(stored.card, runtime, tokenizer, known_words, target_words)


def _captioner(stored: Stored) -> AnyPipeline:
    from heed.models.generation.captioner import Captioner

    folder, network = stored.folder, network_of(stored.folder)
    if not isinstance(network, ImageConfig):
        raise CheckpointError(f"{folder} holds a network that reads {network.reads}")
    tokenizer = checkpoint.tokenizer_of(folder)
    runtime = stored.runtimes.load_image(folder, network, stored.threads)
    return Captioner(stored.card, runtime, tokenizer)


def _story_reader(stored: Stored) -> AnyPipeline:
    from heed.models.generation.story_reader import StoryReader
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.memory import NumpyMemory

    vocabulary = checkpoint.story_vocabulary_of(stored.folder)
    return StoryReader(
        stored.card, load_runtime(stored.folder, MemoryConfig, NumpyMemory), vocabulary
    )


def _node_classifier(stored: Stored) -> AnyPipeline:
    from heed.models.generation.node_classifier import NodeClassifier
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.graph import NumpyGraph

    return NodeClassifier(stored.card, load_runtime(stored.folder, GraphConfig, NumpyGraph))


def _glimpse_reader(stored: Stored) -> AnyPipeline:
    from heed.models.generation.glimpse_reader import GlimpseReader
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.glimpse import NumpyGlimpse

    return GlimpseReader(stored.card, load_runtime(stored.folder, GlimpseConfig, NumpyGlimpse))


def _vision_reader(stored: Stored) -> AnyPipeline:
    from heed.models.generation.vision_reader import VisionReader
    from heed.models.runtime.numpy import load_runtime
    from heed.models.runtime.numpy.vision import NumpyVision

    classes = checkpoint.classes_of(stored.folder)
    return VisionReader(
        stored.card, load_runtime(stored.folder, VisionConfig, NumpyVision), classes
    )


def _sentence_reader(stored: Stored) -> AnyPipeline:
    from heed.models.generation.sentence_reader import SentenceReader
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
    return SentenceReader(stored.card, runtime, vocabulary)


FAMILIES: Final[dict[type[NetworkConfig], Family]] = {
    RecurrentConfig: Family(_translator),
    TransformerConfig: Family(_translator),
    RecurrentCaptionerConfig: Family(_captioner),
    TransformerCaptionerConfig: Family(_captioner),
    VQAConfig: Family(_captioner),
    MemoryConfig: Family(_story_reader, on_numpy=True),
    GraphConfig: Family(_node_classifier, on_numpy=True),
    GlimpseConfig: Family(_glimpse_reader, on_numpy=True),
    VisionConfig: Family(_vision_reader, on_numpy=True),
    LSTMNConfig: Family(_sentence_reader, on_numpy=True),
}
