"""LSTMNs, which read a sentence word by word and attend to the words before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from heed.models.errors import CheckpointError
from heed.models.families.family import Family, Stored
from heed.models.families.lstmn.config import LSTMNConfig

if TYPE_CHECKING:
    from heed.models.generation.protocol import AnyPipeline


def _load(stored: Stored) -> AnyPipeline:
    from heed.models.families.lstmn.pipeline import TapePipeline
    from heed.models.families.lstmn.runtime import NumpyLSTMN
    from heed.models.runtime.numpy import load_runtime
    from heed.models.text.words import WordVocabulary

    runtime = load_runtime(stored.folder, LSTMNConfig, NumpyLSTMN)
    vocabulary = WordVocabulary.load(stored.folder)
    if len(vocabulary) != (words := runtime.config.vocabulary):
        message = f"{stored.folder} has {len(vocabulary)} words; its network has {words}"
        raise CheckpointError(message)
    return TapePipeline(stored.card, runtime, vocabulary)


FAMILY: Final = Family(LSTMNConfig, _load, on_numpy=True)
