"""The card of a model of Hugging Face, read from its folder without transformers.

Languages, name and examples are those of `heed.json` in the folder, if there is one:
`{"name": …, "source": {"code": …, "name": …}, "target": …, "examples": […]}`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from heed.models.card import Card, Language, Limits
from heed.models.checkpoint import layout
from heed.models.errors import CheckpointError, RecordingError
from heed.models.recording.folder import ABOUT, SAFE, check_folder, weights_digest

RANK: Final = 1000
LARGEST_HEADER: Final = 100_000_000  # bytes, of a file of safetensors
CAPTIONERS: Final = ("vision-encoder-decoder",)
CHARACTERS_PER_TOKEN, MOST_TOKENS, MOST_STEPS = 8, 512, 128
INPUT, OUTPUT = Language("und", "input"), Language("und", "output")


def read_hf_card(name: str, folder: Path) -> Card:
    """Read the card of a folder; raises `CheckpointError` if it cannot be served."""
    try:
        config = check_folder(folder)
        about = _about(folder)
    except (RecordingError, OSError, ValueError) as error:
        raise CheckpointError(str(error).rstrip(".")) from None
    kind = config.get("model_type", "")
    captions = kind in CAPTIONERS
    if not (captions or config.get("is_encoder_decoder")):
        raise CheckpointError(
            f"{folder} is a {kind or 'model'} that neither translates nor captions: trace it in "
            "Python with heed.trace, and load the saved trace into the page"
        )
    decoder = config.get("decoder", config) if captions else config
    limits = _limits(decoder)
    try:
        return Card(
            id=name,
            name=f"{about['name']} ({name})" if "name" in about else name,
            version=1,
            task="caption" if captions else "translate",
            source=Language(**about["source"]) if "source" in about else INPUT,
            target=Language(**about["target"]) if "target" in about else OUTPUT,
            family="transformer",
            mechanism="multihead",
            order="after",
            input_feeding=False,
            heads=_first(decoder, "decoder_attention_heads", "num_heads", "n_head"),
            layers=_first(decoder, "decoder_layers", "num_decoder_layers", "num_layers", "n_layer"),
            parameters=sum(map(_parameters, folder.glob(SAFE))),
            bytes=sum(path.stat().st_size for path in folder.glob(SAFE)),
            weights=weights_digest(folder),
            granularity="subwords",
            quality=MappingProxyType({}),
            limits=limits,
            examples=tuple(map(str, about.get("examples", ()))),
            hints=MappingProxyType({}),
            guided="",
            learned_from="",
            rank=RANK,
            text=f"A model of Hugging Face transformers ({kind}).",
        )
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(f"{folder} cannot be served: {error!r}") from None


def _about(folder: Path) -> Mapping[str, Any]:
    path = folder / ABOUT
    about = json.loads(path.read_text("utf-8")) if path.exists() else {}
    if not isinstance(about, dict):
        raise TypeError(f"{path} is not an object")
    return about


def _limits(config: Mapping[str, Any]) -> Limits:
    positions = _first(config, "max_position_embeddings", "n_positions", default=MOST_TOKENS)
    tokens = min(positions, MOST_TOKENS)
    return Limits(CHARACTERS_PER_TOKEN * tokens, tokens, min(positions, MOST_STEPS))


def _first(config: Mapping[str, Any], *names: str, default: int = 1) -> int:
    found = (config[name] for name in names if isinstance(config.get(name), int))
    return next(found, default)


def _parameters(path: Path) -> int:
    """Count the numbers in a file of safetensors, from its header."""
    header = json.loads(layout(path, LARGEST_HEADER)[1])
    return sum(math.prod(each["shape"]) for key, each in header.items() if key != "__metadata__")
