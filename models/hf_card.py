"""The card of a model of Hugging Face, read from its folder without transformers.

Languages, name and examples are those of `heed.json` in the folder, if there is one:
`{"name": …, "source": {"code": …, "name": …}, "target": …, "examples": […]}`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from heed.models.card import Card, Language, Limits
from heed.models.checkpoint import layout, parse_json
from heed.models.errors import CheckpointError, RecordingError
from heed.models.recording.folder import ABOUT, SAFE, check_folder, weights_digest

Task = Literal["caption", "continue", "encode", "see", "transcribe", "translate"]
RANK: Final = 1000
LARGEST_HEADER: Final = 100_000_000  # bytes, of a file of safetensors
CAPTIONERS: Final = {"vision-encoder-decoder": "decoder", "blip": "text_config"}
"""The kinds of captioners, and the part of their configuration about what writes."""
ANSWERERS: Final = ("ForQuestionAnswering", "ForImageTextRetrieval")
"""The endings of the classes of such a kind that do not caption."""
CLASSIFIER: Final = "ForImageClassification"
"""The ending of the classes that classify pictures."""
HEARERS: Final = ("whisper",)
"""The kinds of models that write what is heard in a sound."""
DECODERS: Final = ("ForCausalLM", "LMHeadModel")
"""The endings of the classes that continue a text."""
OTHER_INPUTS: Final = ("vision_config", "audio_config", "image_size", "num_mel_bins", "conv_stride")
"""Settings of models that read pictures or audio."""
CHARACTERS_PER_TOKEN, MOST_TOKENS, MOST_STEPS = 8, 512, 128
HEADS: Final = ("decoder_attention_heads", "num_heads", "n_head", "num_attention_heads")
LAYERS: Final = (
    "decoder_layers",
    "num_decoder_layers",
    "num_layers",
    "n_layer",
    "num_hidden_layers",
)
LAYER_COUNT: Final = re.compile(r"layers?$")
MOST_HEADS: Final = 1024
SQUARES: Final = 16
"""A width squared is at most so many times the number of weights."""
WIDTHS: Final = ("d_model", "hidden_size", "n_embd")
UNDETERMINED: Final = "und"  # the language code of ISO 639 for an unknown language
ENDS: Final[Mapping[Task, tuple[str, str]]] = {
    "caption": ("picture", "caption"),
    "continue": ("prompt", "continuation"),
    "encode": ("text", "self-attention"),
    "see": ("picture", "class"),
    "transcribe": ("sound", "text"),
    "translate": ("input", "output"),
}
"""The names of input and output of models that do not name their languages."""


def read_hf_card(name: str, folder: Path) -> Card:
    """Read the card of a folder; raises `CheckpointError` if it cannot be served."""
    try:
        config = check_folder(folder)
        about = _about(folder)
    except (RecordingError, OSError, ValueError) as error:
        raise CheckpointError(str(error).rstrip(".")) from None
    check_sizes(folder, config)
    kind = config.get("model_type", "model")
    task = _task(config)
    if task is None:
        raise CheckpointError(
            f"{folder} is a {kind} that neither translates, captions, continues nor reads a text, "
            "nor transcribes a sound, nor classifies a picture by its patches: trace it in Python "
            "with heed.trace, and load the saved trace into the page"
        )
    network = config.get(CAPTIONERS[kind], config) if task == "caption" else config
    source, target = (Language(UNDETERMINED, end) for end in ENDS[task])
    try:
        return Card(
            id=name,
            name=f"{about['name']} ({name})" if "name" in about else name,
            version=1,
            task=task,
            source=Language(**about["source"]) if "source" in about else source,
            target=Language(**about["target"]) if "target" in about else target,
            family="transformer",
            mechanism="multihead",
            order="after",
            input_feeding=False,
            heads=_first(network, *HEADS),
            layers=_first(network, *LAYERS),
            parameters=sum(map(_parameters, folder.glob(SAFE))),
            bytes=sum(path.stat().st_size for path in folder.glob(SAFE)),
            weights=weights_digest(folder),
            granularity="subwords",
            quality=MappingProxyType({}),
            limits=_limits(network, task),
            examples=tuple(map(str, about.get("examples", ()))),
            hints=MappingProxyType({}),
            guided="",
            unguided="",
            learned_from="",
            rank=RANK,
            text=f"A model of Hugging Face transformers ({kind}).",
            width=_first(network, *WIDTHS, default=512),
        )
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(f"{folder} cannot be served: {error!r}") from None


def _about(folder: Path) -> Mapping[str, Any]:
    path = folder / ABOUT
    about = parse_json(path.read_text("utf-8")) if path.exists() else {}
    if not isinstance(about, dict):
        raise TypeError(f"{path} is not an object")
    return about


def _task(config: Mapping[str, Any]) -> Task | None:
    """Return the task of a model, by its configuration; None if the pages cannot show it."""
    architecture = str(next(iter(config.get("architectures") or ()), ""))
    if config.get("model_type") in CAPTIONERS and not architecture.endswith(ANSWERERS):
        return "caption"
    if architecture.endswith(CLASSIFIER):
        return "see" if _reads_patches(config) else None
    if config.get("model_type") in HEARERS and architecture.endswith("ForConditionalGeneration"):
        return "transcribe"
    if any(name in config for name in OTHER_INPUTS) or "vocab_size" not in config:
        return None
    if config.get("is_encoder_decoder"):
        return "translate"
    return "continue" if architecture.endswith(DECODERS) else "encode"


def _reads_patches(config: Mapping[str, Any]) -> bool:
    """Return true if each patch of a picture attends to all others, with as many heads anywhere."""
    return "patch_size" in config and isinstance(config.get("num_attention_heads"), int)


def _limits(config: Mapping[str, Any], task: Task) -> Limits:
    positions = _first(config, "max_position_embeddings", "n_positions", default=MOST_TOKENS)
    if task == "continue":  # prompt and answer stand on one axis
        steps = min(positions // 2, MOST_STEPS)
        tokens = min(positions, MOST_TOKENS) - steps
    elif task == "transcribe":
        tokens = min(_first(config, "max_source_positions", default=MOST_TOKENS), MOST_TOKENS)
        steps = min(_first(config, "max_target_positions", default=MOST_STEPS), MOST_STEPS)
    else:
        tokens, steps = min(positions, MOST_TOKENS), min(positions, MOST_STEPS)
    return Limits(CHARACTERS_PER_TOKEN * tokens, tokens, steps)


def _first(config: Mapping[str, Any], *names: str, default: int = 1) -> int:
    values = (config[name] for name in names if isinstance(config.get(name), int))
    return next(values, default)


def check_sizes(folder: Path, config: Mapping[str, Any]) -> None:
    """Raise `CheckpointError` for a network that its weights cannot fill.

    Building a million layers would take hours, and widths of a million all memory. A layer has at
    least one tensor, and some matrix of each model is about as wide as it is high.
    """
    shapes = [shape for path in folder.glob(SAFE) for shape in _shapes(path)]
    numbers = sum(map(math.prod, shapes))
    parts = [config, *(part for part in config.values() if isinstance(part, dict))]
    for name, value in (item for part in parts for item in part.items()):
        if not isinstance(value, int):
            continue
        if LAYER_COUNT.search(name) and value > len(shapes):
            reason = f"its {len(shapes)} tensors of weights"
        elif name in WIDTHS and value * value > SQUARES * numbers:
            reason = f"its {numbers} weights"
        elif name in HEADS and value > MOST_HEADS:
            reason = f"any model, which has at most {MOST_HEADS}"
        else:
            continue
        raise CheckpointError(f"{folder}: `{name}` is {value}, too large for {reason}")


def _parameters(path: Path) -> int:
    """Count the numbers in a file of safetensors, from its header."""
    return sum(map(math.prod, _shapes(path)))


def _shapes(path: Path) -> list[list[int]]:
    """Read the shapes of the tensors in a file of safetensors, from its header."""
    try:
        header = parse_json(layout(path, LARGEST_HEADER)[1])
        return [entry["shape"] for key, entry in header.items() if key != "__metadata__"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{path} cannot be read: {error!r}") from error
