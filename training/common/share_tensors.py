"""`python -m training.common.share_tensors MODEL OTHER`: store what two models share once.

The tokenizer, the known words and every equal tensor are then on the disk once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.checkpoint import (
    CONFIG,
    KNOWN_WORDS,
    TOKENIZER,
    WEIGHTS,
    mapped,
    read_config,
    tensors,
)
from heed.models.errors import CheckpointError


def share_tensors(folder: Path, other: str) -> list[str]:
    """Remove from a checkpoint what another one has too, and return the names.

    ONNX graphs point into the removed weights and must be exported again.
    """
    config, own = read_config(folder), tensors(folder)
    keeper = folder.parent / other
    kept = mapped(keeper / WEIGHTS)
    same = [name for name, half in own.items() if name in kept and np.array_equal(half, kept[name])]
    if same:
        config["shared"] = {"from": other, "tensors": [*same]}
        # Copies, because the mapped file is overwritten.
        own = {name: half.copy() for name, half in own.items() if name not in same}
        save_file(own, folder / WEIGHTS)
        (folder / WEIGHTS).chmod(0o644)
    for key, name in (("tokenizer", TOKENIZER), ("known_words", KNOWN_WORDS)):
        mine, theirs = folder / name, keeper / name
        if mine.exists() and theirs.exists() and mine.read_bytes() == theirs.read_bytes():
            config[key] = other
            mine.unlink()
            same.append(name)
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    (folder / CONFIG).write_text(text, "utf-8")
    return same


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.common.share_tensors", description=__doc__
    )
    parser.add_argument("model", help="id of a model")
    parser.add_argument("other", help="id of the model that keeps the shared data")
    parser.add_argument("--weights", type=Path, default=DEFAULT_DIRECTORY, help="folder of models")
    given = parser.parse_args(arguments)
    try:
        print(*share_tensors(given.weights / given.model, given.other))
    except CheckpointError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
