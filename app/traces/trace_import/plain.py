"""Plain matrices of attention as a trace: pieces, weights, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from heed.app.errors import FieldError, quoted
from heed.app.schemas import (
    MapOut,
    PlainKind,
    RequestOut,
    SearchOut,
    StampOut,
    TimingOut,
    TraceOut,
)
from heed.app.traces.trace_import.pieces import axis
from heed.app.traces.trace_import.validation import IMPORTED
from heed.app.traces.trace_import.weights import check_map_count, check_weights

MATRIX, HEADS, LAYERS = 2, 3, 4
"""Depth of nested lists: one matrix, one per head, one per layer and head."""


def plain_trace(value: Mapping[str, object]) -> TraceOut:
    """Return a trace of these pieces and weights."""
    for name in ("source", "weights"):
        if name not in value:
            raise FieldError("missing_field", f"The field '{name}' is missing. Add it.", name)
    source = axis(value["source"], "source", "sum")
    if _kind(value) != "cross" and "target" not in value:
        target = source.model_copy(update={"merge": "mean"})
    else:
        target = axis(value.get("target"), "target", "mean")
    return TraceOut(
        model=StampOut(id=IMPORTED, weights="", mechanism=IMPORTED, order="after"),
        task=IMPORTED,
        request=RequestOut(
            text=source.text,
            target=None,
            search=SearchOut(kind="greedy", beam=1, seed=0, temperature=1, length_penalty=1),
            detail="weights",
        ),
        text=target.text,
        source=source,
        target=target,
        maps=_maps(value["weights"], len(target.tokens), len(source.tokens)),
        steps=[],
        runners_up=[],
        log_probability=0,
        score=0,
        finish="end",
        timing=TimingOut(encode_ms=0, decode_ms=0),
    )


def _kind(value: Mapping[str, object]) -> object:
    kind = value.get("kind")
    if kind is None:
        return "cross"
    if kind not in get_args(PlainKind):
        shown = quoted(kind) if isinstance(kind, str) else "this"
        message = f"The field 'kind' must be one of {', '.join(get_args(PlainKind))}, not {shown}."
        raise FieldError("invalid_choice", message, "kind")
    return kind


def _maps(weights: object, rows: int, columns: int) -> list[MapOut]:
    """Return a map per layer and head."""
    depth = _depth(weights)
    layers: list[object] | None = None
    if isinstance(weights, list):
        layers = {MATRIX: [[weights]], HEADS: [weights], LAYERS: weights}.get(depth)
    if layers is None:
        message = (
            "The field 'weights' should be a matrix: a list of rows, each a list of numbers "
            "(or a list of heads, or a list of layers of heads)."
        )
        raise FieldError("wrong_type", message, "weights")
    check_map_count(len(layers), "weights")
    check_map_count(sum(len(heads) for heads in layers if isinstance(heads, list)), "weights")
    maps = []
    for layer, heads in enumerate(layers):
        if not isinstance(heads, list):
            message = f"Layer {layer + 1} must be a list of heads."
            raise FieldError("wrong_type", message, f"weights[{layer}]")
        for head, matrix in enumerate(heads):
            field = f"weights[{layer}][{head}]" if depth == LAYERS else f"weights[{head}]"
            many = len(layers) * len(heads) > 1
            where = f"Layer {layer + 1}, head {head + 1}: " if many else ""
            field = "weights" if depth == MATRIX else field
            check_weights(matrix, rows, columns, field, where)
            maps.append(_map(layer, head, matrix))
    return maps


def _map(layer: int, head: int, matrix: list[list[float]]) -> MapOut:
    return MapOut(
        kind="cross", layer=layer, head=head, query="target", key="source", weights=matrix
    )


def _depth(weights: object) -> int:
    depth = 0
    while isinstance(weights, list):
        weights = weights[0] if weights else None
        depth += 1
        if depth > LAYERS:
            break
    return depth
