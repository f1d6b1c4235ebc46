"""The case that is measured, its texts, and what all contenders share."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.config import NetworkConfig, read_step_network
from heed.models.text.tokenizer import BytePieces

RNN, TRANSFORMER = "en-fr-additive", "en-fr-transformer"
SEED = 1
Call = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Case:
    """Number of input tokens (and of output tokens) of each text, and texts in a batch."""

    length: int
    batch: int


class Contender(Protocol):
    """A translator, or a captioner, that is measured."""

    def call(self, case: Case) -> Call:
        """One run of a case, after everything that is done only once."""


def network_of(model: str) -> NetworkConfig:
    """The configuration of a shipped model."""
    return read_step_network(checkpoint.read_config(DEFAULT_DIRECTORY / model)["network"])


def tokenizer_of(model: str) -> BytePieces:
    """The tokenizer of a shipped model."""
    return checkpoint.tokenizer_of(DEFAULT_DIRECTORY / model)


def words_of(tokenizer: BytePieces) -> list[str]:
    """The whole words among the pieces."""
    texts = (tokenizer.text_of(id) for id in range(len(tokenizer)))
    return [text[1:] for text in texts if text[0] == " " and text[1:].isalpha() and len(text) > 3]


def sentences(tokenizer: BytePieces, tokens: int, count: int) -> list[str]:
    """So many different texts, each of so many tokens: time depends on how many, not on which."""
    chance, words = random.Random(SEED), words_of(tokenizer)
    found: dict[str, None] = {}
    while len(found) < count:
        chosen = chance.choices(words, k=tokens)
        while len(tokenizer.ids(" ".join(chosen))) > tokens:
            chosen.pop()
        text = " ".join(chosen)
        if len(tokenizer.ids(text)) == tokens:
            found[text] = None
    return list(found)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that is deleted when this process ends."""
    return tempfile.TemporaryDirectory(prefix="heed-benchmark-")
