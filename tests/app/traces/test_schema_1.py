"""Traces of the first version of the schema, converted to the present one."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from heed.app.traces.trace_import.schema_1 import upgrade

VECTOR = {"size": 2, "norm": 1.0, "picture": [0.5, 0.5]}
CONVERTED_VECTOR = {"size": 2, "norm": 1.0, "summary": [0.5, 0.5]}


def output(vector: dict[str, Any], rare_words: str, decoder_input: str) -> dict[str, Any]:
    return {
        "target": {"kind": "tokens", rare_words: [1]},
        "maps": [
            {
                "query": "target",
                "key": decoder_input,
                "queries": [vector],
                "keys": [vector, vector],
            },
            {"query": decoder_input, "key": "source", "values": [vector]},
        ],
        "steps": [{"query": vector, "context": vector, "state": vector}],
    }


def trace(version: int) -> dict[str, Any]:
    vector, rare_words, decoder_input = (
        (VECTOR, "strangers", "fed")
        if version == 1
        else (CONVERTED_VECTOR, "rare_words", "decoder_input")
    )
    whole = {
        **output(vector, rare_words, decoder_input),
        "schema": f"heed.trace/{version}",
        "source": {"kind": "tokens", rare_words: []},
        "question": {"kind": "tokens", rare_words: [0]},
        "picture": {"width": 3, "height": 2},
        "memory": [vector],
        "runners_up": [output(vector, rare_words, decoder_input)],
    }
    return copy.deepcopy(whole)  # no two places share an object


def test_every_renamed_field_is_converted_and_the_picture_stays() -> None:
    old = trace(1)
    assert upgrade(old)
    assert old == trace(2)


@pytest.mark.parametrize("schema", ["heed.trace/2", "heed.trace/3", None, 1, ["heed.trace/1"]])
def test_another_schema_is_left_as_it_is(schema: object) -> None:
    other = trace(1) | {"schema": schema}
    before = copy.deepcopy(other)
    assert not upgrade(other)
    assert other == before


@pytest.mark.parametrize("value", [None, 5, "fed", [], [5], ["x"], {"fed": 1}, [[{}]]])
@pytest.mark.parametrize(
    "field", ["source", "target", "question", "maps", "steps", "memory", "runners_up"]
)
def test_values_of_other_types_are_left_for_the_validation(field: str, value: object) -> None:
    odd = trace(1) | {field: value}
    assert upgrade(odd)
    assert odd[field] == value
