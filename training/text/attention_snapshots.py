"""Attention snapshots: the attention of a model in training, on fixed sentences.

At the updates that a recipe names, the averaged weights write given translations (forced decoding),
and their maps are kept in one small file, `learning.json`:

    {"format": "heed.learning/1", "model": …, "shorter": false, "layer": 0, "head": 0, "heads": 1,
     "sentences": [{"source": {"text", "tokens", "words"}, "target": {…}}, …],
     "moments": [{"update", "loss", "maps": [rows of each sentence]}, …]}

A token names its word. Rows are target tokens, columns source tokens, as in a trace. The loss is
that of the dev sets, in nats a token. A `shorter` record is of a training that repeats that of the
shipped model in fewer updates. `heads` counts those of all layers.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from heed.models.catalogue import Catalogue
from heed.models.generation.translator import TextRequest
from heed.models.trace import TokenAxis, Trace

FORMAT = "heed.learning/1"
FILE = "learning.json"
DIGITS = 3


@dataclass(frozen=True, slots=True)
class AttentionSnapshots:
    """Updates and sentences of the snapshots."""

    at: tuple[int, ...] = ()  # updates
    sentences: tuple[tuple[str, str], ...] = ()  # source and target
    layer: int = 0  # of the head
    head: int = 0
    model: str = ""  # the shipped model whose attention a shorter training learns anew


def take_snapshot(
    snapshots: AttentionSnapshots,
    weights: Path,
    model: str,
    file: Path,
    update: int,
    loss: float | None = None,
) -> None:
    """Add a moment to the file and drop later moments of an interrupted training."""
    asks = [TextRequest(source, target) for source, target in snapshots.sentences]
    # The threads are PyTorch's own: as many as the training has.
    traces = Catalogue(weights).load(model, torch.get_num_threads()).run(asks)
    before = json.loads(file.read_text("utf-8"))["moments"] if file.exists() else []
    moments = [moment for moment in before if moment["update"] < update]
    layer, head = snapshots.layer, snapshots.head
    maps = [_map(trace, layer, head) for trace in traces]
    moments.append({"update": update, "loss": loss and round(loss, DIGITS), "maps": maps})
    sentences = [
        {"source": _axis(trace.source), "target": _axis(trace.output.target)} for trace in traces
    ]
    shorter = bool(snapshots.model)
    heads = sum(map_.kind == "cross" for map_ in traces[0].output.maps)
    about = {"model": snapshots.model or model, "shorter": shorter}
    about |= {"layer": layer, "head": head, "heads": heads}
    whole = {"format": FORMAT, **about, "sentences": sentences, "moments": moments}
    part = file.with_suffix(".part")
    part.write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    part.replace(file)


def _map(trace: Trace, layer: int, head: int) -> list[list[float]]:
    (cross,) = (
        map_.weights
        for map_ in trace.output.maps
        if (map_.kind, map_.layer, map_.head) == ("cross", layer, head)
    )
    rows: Sequence[Any] = cross.tolist()
    return [[round(weight, DIGITS) for weight in row] for row in rows]


def _axis(axis: object) -> dict[str, Any]:
    if not isinstance(axis, TokenAxis):
        raise TypeError("only text can be recorded")
    return {
        "text": axis.text,
        "tokens": [
            {"text": token.text, "word": token.word, "special": token.special}
            for token in axis.tokens
        ],
        "words": [word.text for word in axis.words],
    }
