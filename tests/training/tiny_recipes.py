"""Tiny variants of the shipped recipes, one for each task and for each way to train it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from training.common.recipe import RECIPES

CAPTIONER = {
    "vocabulary": 300, "embedding": 8, "cells": 12, "decoder_width": 10, "attention_width": 6,
    "image_encoder": "image-encoder",
}  # fmt: skip
TRANSLATOR = {
    "vocabulary": 300, "embedding": 8, "encoder_width": 6, "decoder_width": 12, "attention_width": 6
}  # fmt: skip
TRANSFORMER = {
    "vocabulary": 300, "width": 8, "heads": 2, "feedforward": 8, "encoder_layers": 1,
    "decoder_layers": 1,
}  # fmt: skip
OWN_PAIRS = {"pair": ["en", "fr"], "train": ["own.tsv"], "dev": ["dev.tsv"]}
CRITICAL = {"updates": 6, "save_every": 1, "draws": 3, "reference_weight": 0.5}


class Tiny(NamedTuple):
    """A shipped recipe, its changes, and the name of the data."""

    recipe: str
    changes: Mapping[str, Any]
    data: str = "none"
    baseline: bool = False


def _schedule(batch: int, **more: float) -> dict[str, Any]:
    return {"updates": 10, "batch": batch, "warmup": 1, "save_every": 5, **more}


def _translator(network: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    without = dict.fromkeys(("start", "distillation", "guided_alignment", "self_critical"))
    return without | {
        "examples": ["a cat"], "hints": None, "spaced": False, "corpus": OWN_PAIRS | {"new": True},
        "network": network, "schedule": _schedule(60, learning_rate=1e-2),
        "limits": {"characters": 1500, "tokens": 256, "steps": 30}, **more,
    }  # fmt: skip


_STORY = {"schedule": _schedule(8), "stories": 64, "network": {"width": 16}}
_GRAPH = {"schedule": _schedule(4), "network": {"width": 8, "heads": 2, "layers": 2}}
_GLIMPSE = {
    "schedule": _schedule(8), "digits": 60, "handwritten": 0,
    "network": {"what": 16, "where": 8, "width": 24},
}  # fmt: skip
_READING = {
    "schedule": _schedule(16), "templates": 3,
    "network": {"vocabulary": 200, "embedding": 12, "width": 16, "attention_width": 8},
}  # fmt: skip
_VQA = {
    "schedule": _schedule(2), "image_encoder": {"cached_views": 2},
    "network": CAPTIONER
    | {"decoder_width": 10, "question_width": 5, "fused": 7, "image_encoder": "settled"},
}  # fmt: skip
_CAPTION = {
    "start": None, "schedule": _schedule(2, average=0.5), "network": CAPTIONER,
    "image_encoder": {"trainable": True, "start": None, "views": 2, "after": 2},
    "self_critical": CRITICAL,
}  # fmt: skip
_SETTLED = {
    "network": CAPTIONER | {"image_encoder": "settled"},
    "image_encoder": {"trainable": False, "cached_views": 2},
}  # fmt: skip

TINY = {
    "dates": Tiny("dates-additive", {"schedule": _schedule(4), "network": {"embedding": 8}}),
    "translate": Tiny("en-fr-general", _translator(TRANSLATOR, self_critical=CRITICAL), "pairs"),
    "transformer": Tiny(
        "en-fr-transformer",
        _translator(TRANSFORMER, guided_alignment={"new": True, "links": 0.2, "head": 1}),
        "pairs",
    ),
    "caption": Tiny("caption-encoder", _CAPTION, "photos"),
    "caption-hard": Tiny("caption-hard", _CAPTION | _SETTLED, "photos"),
    "ask": Tiny("ask", _VQA, "photos"),
    "ask-blind": Tiny("ask", _VQA, "photos", baseline=True),
    "see": Tiny(
        "vit",
        {
            "schedule": _schedule(3),
            "network": {
                "vocabulary": 9, "width": 8, "heads": 2, "feedforward": 12, "layers": 2, "blocks": 9
            },
        },
        "photos",
    ),
    "story": Tiny("memory", _STORY),
    "story-uniform": Tiny("memory", _STORY, baseline=True),
    "graph": Tiny("graph", _GRAPH),
    "graph-baseline": Tiny("graph", _GRAPH, baseline=True),
    "glimpse": Tiny("glimpse", _GLIMPSE),
    "glimpse-random": Tiny("glimpse", _GLIMPSE, baseline=True),
    "read": Tiny("read-lstmn", _READING, "sentences"),
    "read-plain": Tiny("read-lstmn", _READING, "sentences", baseline=True),
}  # fmt: skip


def write_recipe(folder: Path, recipe: str, changes: Mapping[str, Any]) -> Path:
    """Write a shipped recipe with these changes.

    A section is merged, unless the change has `new`; None leaves a key out.
    """
    values = tomllib.loads((RECIPES / f"{recipe}.toml").read_text("utf-8"))
    merged = _merged(values, changes)
    path = folder / f"{merged['id']}.toml"
    lines = [f"{json.dumps(key)} = {_toml(value)}" for key, value in merged.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(values)
    for key, change in changes.items():
        if isinstance(change, Mapping):
            old = {} if change.get("new") else merged.get(key, {})
            merged[key] = _merged(
                old, {name: each for name, each in change.items() if name != "new"}
            )
        elif change is None:
            merged.pop(key, None)
        else:
            merged[key] = change
    return merged


def _toml(value: Any) -> str:
    """Write a value, a section in one line."""
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
