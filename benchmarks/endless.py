"""Copies of shipped models that write exactly as many tokens as they are told.

How long a model writes depends on its words, and what is compared here are times for the same
number of tokens. So the bias of the end mark is set so low that it is never the likeliest; all
other weights stay as and where they are. `transformers` and CTranslate2 are held to a length in
the same way, by a least and a largest number of tokens.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heed.models import checkpoint
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.text.tokenizer import END

NEVER = np.float16(-60_000)
BIASES = ("decoder.output.bias", "output.bias")  # of a recurrent network, of a Transformer
LIMITS = {"characters": 20_000, "tokens": 1_000}


def write_endless(folder: Path, models: Sequence[str], steps: int) -> Path:
    """Write the copies into a folder; of themselves they write so many tokens."""
    siblings = {keeper for model in models for keeper in _keepers(DEFAULT_DIRECTORY / model)}
    for sibling in siblings - set(models):
        (folder / sibling).symlink_to((DEFAULT_DIRECTORY / sibling).resolve())
    for model in models:
        copy = shutil.copytree(DEFAULT_DIRECTORY / model, folder / model)
        path = copy / checkpoint.CONFIG
        if not path.exists():
            continue  # eyes write nothing
        _forget_the_end(copy / checkpoint.WEIGHTS)
        config = json.loads(path.read_text("utf-8"))
        path.write_text(json.dumps(config | {"limits": LIMITS | {"steps": steps}}), "utf-8")
    return folder


def _keepers(folder: Path) -> set[str]:
    """The siblings that keep something for a model."""
    if not (folder / checkpoint.CONFIG).exists():
        return set()
    shared = checkpoint.sharing(folder)
    kept = {checkpoint.read_config(folder).get("tokenizer"), shared and shared.sibling}
    return {sibling for sibling in kept if sibling}


def _forget_the_end(path: Path) -> None:
    """Overwrite one number of a safetensors file in its place."""
    with path.open("r+b") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        bias = next(header[name] for name in BIASES if name in header)
        assert bias["dtype"] == "F16"
        file.seek(8 + length + bias["data_offsets"][0] + END * NEVER.nbytes)
        file.write(NEVER.tobytes())
