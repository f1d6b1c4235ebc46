"""Traces of the first version of the schema, `heed.trace/1`."""

from __future__ import annotations

from collections.abc import Iterator

from heed.models.trace import TRACE_SCHEMA

SCHEMA_1 = "heed.trace/1"

Json = dict[str, object]


def upgrade(trace: Json) -> bool:
    """Rename the fields of a `heed.trace/1` object in place; return whether it was one.

    Values of any other type than the schema has are left for the validation that follows.
    """
    if trace.get("schema") != SCHEMA_1:
        return False
    trace["schema"] = TRACE_SCHEMA
    outputs = [trace, *_objects(trace.get("runners_up"))]
    maps = [attention for output in outputs for attention in _objects(output.get("maps"))]
    steps = [step for output in outputs for step in _objects(output.get("steps"))]
    axes = [
        trace.get("source"),
        trace.get("question"),
        *(output.get("target") for output in outputs),
    ]
    for axis in _objects(axes):
        _rename(axis, "strangers", "rare_words")
    for attention in maps:
        for side in ("query", "key"):
            if attention.get(side) == "fed":
                attention[side] = "decoder_input"
    vectors = [step.get(name) for step in steps for name in ("query", "context", "state")]
    for several in (
        trace.get("memory"),
        *(attention.get(n) for attention in maps for n in ("queries", "keys", "values")),
    ):
        vectors += _objects(several)
    for vector in _objects(vectors):
        _rename(vector, "picture", "summary")
    return True


def _objects(value: object) -> Iterator[Json]:
    """Yield the objects of a list; nothing of any other value."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _rename(value: Json, old: str, new: str) -> None:
    if old in value:
        value[new] = value.pop(old)
