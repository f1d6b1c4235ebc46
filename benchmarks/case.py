"""The case that is measured: its texts, and models that write as many tokens as it has.

Times are compared for the same number of tokens, but a model's own words decide where it ends. So
copies of shipped models never write the end token: its bias is so low that it is never chosen, and
all other weights stay unchanged. `transformers` and CTranslate2 get the same minimum and maximum
number of tokens.
"""

from __future__ import annotations

import json
import random
import shutil
import struct
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.config import NetworkConfig, read_step_network
from heed.models.text.tokenizer import END, BytePieces

RNN, TRANSFORMER = "en-fr-additive", "en-fr-transformer"
SEED = 1
NEVER = np.float16(-60_000)
BIASES = ("decoder.output.bias", "output.bias")  # of a recurrent network, of a Transformer
LIMITS = {"characters": 20_000, "tokens": 1_000}
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


def write_no_eos(folder: Path, models: Sequence[str], steps: int) -> Path:
    """Write the copies into a folder; without another limit they write this many tokens."""
    siblings = {sibling for model in models for sibling in _siblings(DEFAULT_DIRECTORY / model)}
    for sibling in siblings - set(models):
        (folder / sibling).symlink_to((DEFAULT_DIRECTORY / sibling).resolve())
    for model in models:
        copy = shutil.copytree(DEFAULT_DIRECTORY / model, folder / model)
        path = copy / checkpoint.CONFIG
        if not path.exists():
            continue  # an image encoder writes nothing
        _suppress_end(copy / checkpoint.WEIGHTS)
        config = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(config | {"limits": LIMITS | {"steps": steps}}), "utf-8")
    return folder


def _siblings(folder: Path) -> set[str]:
    """Return the other models whose files a model shares."""
    if not (folder / checkpoint.CONFIG).exists():
        return set()
    shared = checkpoint.sharing(folder)
    found = {checkpoint.read_config(folder).get("tokenizer"), shared and shared.sibling}
    return {sibling for sibling in found if sibling}


def _suppress_end(path: Path) -> None:
    """Overwrite one number of a safetensors file in place."""
    with path.open("r+b") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        bias = next(header[name] for name in BIASES if name in header)
        assert bias["dtype"] == "F16"
        file.seek(8 + length + bias["data_offsets"][0] + END * NEVER.nbytes)
        file.write(NEVER.tobytes())
