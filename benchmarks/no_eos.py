"""Copies of shipped models that never write the end token, and so reach a fixed length.

Times are compared for the same number of tokens, but a model's own words decide where it ends. So
the bias of the end token is set so low that it is never chosen; all other weights stay unchanged.
`transformers` and CTranslate2 get the same minimum and maximum number of tokens.
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
