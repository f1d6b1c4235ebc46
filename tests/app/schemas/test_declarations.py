"""A field of a trace or a card is declared in `models`, for code, and in `schemas`, for the wire.

These tests compare both declarations field by field; `PAIRS` lists all differences.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from heed.app.schemas import catalogue as wire_catalogue
from heed.app.schemas import edits
from heed.app.schemas import trace as wire
from heed.app.schemas.base import Wire
from heed.models import card, trace

Hints = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """A class of the models and its schema, with the fields that differ."""

    core: type
    schema: type[Wire]
    core_only: frozenset[str] = frozenset()  # not on the wire, or under other names
    wire_only: frozenset[str] = frozenset()
    converted: Hints = field(default_factory=dict)  # types of the wire that do not follow
    absent: frozenset[str] = frozenset()  # on the wire absent in some answers


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VECTOR, MATRIX = wire.VectorOut, list[list[float]]
PAIRS = [
    Pair(trace.Word, wire.WordOut),
    Pair(trace.Token, wire.TokenOut),
    Pair(trace.TokenAxis, wire.TokenAxisOut, wire_only=names("kind unit")),
    Pair(trace.GridAxis, wire.GridAxisOut, wire_only=names("kind unit"), absent=names("marks")),
    Pair(trace.Patches, wire.PatchesOut),
    Pair(trace.SentenceAxis, wire.SentenceAxisOut, wire_only=names("kind unit")),
    Pair(trace.Box, wire.BoxOut),
    Pair(trace.GlimpseAxis, wire.GlimpseAxisOut, wire_only=names("kind unit")),
    Pair(trace.HopAxis, wire.HopAxisOut, wire_only=names("kind unit")),
    Pair(trace.Node, wire.NodeOut),
    Pair(
        trace.GraphAxis,
        wire.GraphAxisOut,
        wire_only=names("kind unit"),
        converted={"edges": list[list[int]]},
    ),
    Pair(trace.ClassAxis, wire.ClassAxisOut, wire_only=names("kind unit")),
    Pair(trace.PictureInfo, wire.PictureOut, converted={"preview": str}),
    Pair(
        trace.AttentionMap,
        wire.MapOut,
        core_only=names("vectors"),  # flattened: the next pair
        wire_only=names("queries keys values"),
        converted={
            "weights": MATRIX,
            "scores": list[list[float | None]],
            "sinks": list[float],
            "states": list[VECTOR],
        },
        absent=names("scores"),
    ),
    Pair(
        trace.HeadVectors,
        wire.MapOut,
        wire_only=names("kind layer head query key weights scores sinks states"),
        converted=dict.fromkeys(names("queries keys values"), list[VECTOR]),
        absent=names("queries keys values"),
    ),
    Pair(trace.Alternative, wire.AlternativeOut),
    Pair(trace.Drawn, wire.DrawnOut),
    Pair(
        trace.TraceStep,
        wire.StepOut,
        core_only=names("log_probability"),
        wire_only=names("probability surprise"),
        converted=dict.fromkeys(names("query context state cell cell_context"), VECTOR)
        | dict.fromkeys(names("keys values gates"), list[VECTOR])
        | {"seen": list[MATRIX]},
        absent=names("alternatives query context state"),
    ),
    Pair(trace.Output, wire.OutputOut, wire_only=names("text linked")),
    Pair(trace.ModelStamp, wire.StampOut),
    Pair(trace.SearchRequest, wire.SearchOut),
    Pair(
        trace.TraceRequest,
        wire.RequestOut,
        wire_only=names("detail"),
        converted={"edits": list[edits.EditIn]},
        absent=names("draws vectors edits"),
    ),
    Pair(trace.Change, wire.ChangeOut, wire_only=names("delta")),
    Pair(
        trace.Baseline,
        wire.BaselineOut,
        core_only=names("output"),  # flattened: the fields of `OutputOut`
        wire_only=frozenset(wire.OutputOut.model_fields),
    ),
    Pair(trace.Timing, wire.TimingOut),
    Pair(trace.TraceHeader, wire.StartEvent, wire_only=names("schema_")),
    Pair(
        trace.Trace,
        wire.TraceOut,
        core_only=names("output"),  # flattened: the fields of `OutputOut`
        wire_only=names("schema_ run links") | frozenset(wire.OutputOut.model_fields),
        converted={"memory": list[VECTOR], "positions": MATRIX},
    ),
    Pair(card.Language, wire_catalogue.LanguageOut),
    Pair(
        card.Card,
        wire_catalogue.ModelOut,
        core_only=names("version rank text width exportable package"),
        wire_only=names("formula paper default loaded card"),
        converted={"limits": dict[str, int]},
    ),
]
WITHOUT_PAIR = {
    *(wire.VectorOut, wire.LinkedMapOut, wire.StepEvent),
    *(wire_catalogue.ModelsOut, wire_catalogue.MissingModelOut),
}
"""Schemas of what the models have as arrays, or do not have."""
SCHEMAS = {pair.core: pair.schema for pair in PAIRS if pair.core is not trace.HeadVectors}


def on_the_wire(hint: Any) -> Any:
    """Translate a type of the models into that of its schema."""
    if hint in SCHEMAS:
        return SCHEMAS[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return Union[tuple(map(on_the_wire, inner))]  # noqa: UP007 - of a computed tuple
    if origin is tuple:
        return list[on_the_wire(inner[0])]  # type: ignore[misc]
    if origin is not None and origin is not Literal and issubclass(origin, typing.Mapping):
        return dict[*inner]
    return hint


def optional(hint: Any) -> bool:
    return NoneType in get_args(hint)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.core.__name__}")
def test_both_declarations_have_the_same_fields(pair: Pair) -> None:
    core, schema = get_type_hints(pair.core), get_type_hints(pair.schema)
    declared = {name: schema[name] for name in pair.schema.model_fields}
    assert set(core) - pair.core_only == set(declared) - pair.wire_only
    assert pair.core_only <= set(core)
    assert pair.wire_only <= set(declared)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.core.__name__}")
def test_both_declarations_have_the_same_types(pair: Pair) -> None:
    core, schema = get_type_hints(pair.core), get_type_hints(pair.schema)
    for name in set(core) - pair.core_only:
        expected = pair.converted.get(name, on_the_wire(core[name]))
        if name in pair.absent or (optional(core[name]) and name in pair.converted):
            expected |= None
        if name == "alternatives":  # absent means empty
            expected = list[wire.AlternativeOut]
        assert schema[name] == expected, f"{pair.schema.__name__}.{name}"


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.core.__name__}")
def test_a_field_may_be_absent_if_the_models_may_lack_it(pair: Pair) -> None:
    core = get_type_hints(pair.core)
    for name in set(core) - pair.core_only:
        required = pair.schema.model_fields[name].is_required()
        may_lack = name in pair.absent or (optional(core[name]) and name != "target")
        assert required != may_lack, f"{pair.schema.__name__}.{name}"


def test_every_class_has_a_pair() -> None:
    def classes(module: object, kind: type) -> set[type]:
        return {
            each
            for each in vars(module).values()
            if inspect.isclass(each)
            and issubclass(each, kind)
            and each.__module__ == getattr(module, "__name__", "")
        }

    declared = classes(trace, tuple) | {
        each for each in classes(trace, object) if dataclasses.is_dataclass(each)
    }
    assert declared <= {pair.core for pair in PAIRS}
    schemas = classes(wire, Wire) | classes(wire_catalogue, Wire)
    assert schemas - WITHOUT_PAIR == {pair.schema for pair in PAIRS}
