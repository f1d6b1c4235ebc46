"""Errors of pydantic for an invalid request: one at most, with the names of fields only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from heed.app.errors import FieldError
from heed.app.http.validation_errors import validated
from heed.app.schemas import (
    AXIS_TAGS,
    BatchIn,
    GlimpseIn,
    GraphIn,
    PlainIn,
    RequestModel,
    StartEvent,
    StepEvent,
    TraceOut,
    TranslateIn,
    Wire,
)

BAD = object()  # no text, no number, no list
MANY = 50


def fields(schema: type[BaseModel]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield the name, the type and the JSON Schema of each field."""
    for name, field in schema.model_fields.items():
        adapter: TypeAdapter[Any] = TypeAdapter(field.rebuild_annotation())
        yield name, adapter, adapter.json_schema(by_alias=True)


def received() -> list[type[BaseModel]]:
    """Return all schemas that clients may send. `PlainIn` is a description only."""
    pending: list[type[BaseModel]] = [
        *RequestModel.__subclasses__(),
        *(each for each in Wire.__subclasses__() if each.__module__ == TraceOut.__module__),
    ]
    found: list[type[BaseModel]] = []
    while pending:
        found.append(pending.pop())
        pending += found[-1].__subclasses__()
    return [each for each in found if each not in (PlainIn, StartEvent, StepEvent)]


def depth(schema: dict[str, Any]) -> int:
    """Return the number of lists within lists, of the kind with most."""
    inner = [depth(each) for each in schema.get("anyOf", ())]
    return max([*inner, 1 + depth(schema["items"]) if "items" in schema else 0])


def nested(levels: int) -> Any:
    return BAD if levels == 0 else [nested(levels - 1)] * (MANY if levels < 3 else 2)


CASES = [
    pytest.param(adapter, schema, id=f"{each.__name__}.{name}")
    for each in received()
    for name, adapter, schema in fields(each)
    if depth(schema) and (each, name) != (BatchIn, "texts")
]


@pytest.mark.parametrize(("adapter", "schema"), CASES)
def test_validation_of_a_list_ends_at_its_first_invalid_item(
    adapter: TypeAdapter[Any], schema: dict[str, Any]
) -> None:
    for levels in range(1, depth(schema) + 1):
        with pytest.raises(ValidationError) as caught:
            adapter.validate_python(nested(levels), strict=True)
        assert caught.value.error_count() == 1


@pytest.mark.parametrize("schema", received(), ids=lambda each: each.__name__)
def test_the_place_of_an_error_has_no_names_but_those_of_fields(schema: type[BaseModel]) -> None:
    known = {name for each in received() for name in each.model_fields} | {"schema", *AXIS_TAGS}
    for value in (BAD, [BAD], [[BAD]], [[[BAD]]], {"x": 1}, [{"x": 1}], [[{"x": 1}]]):
        wrong = {
            field.alias or name: {"kind": "grid", **value} if isinstance(value, dict) else value
            for name, field in schema.model_fields.items()
        }
        with pytest.raises(ValidationError) as caught:
            schema.model_validate(wrong, strict=True)
        for problem in caught.value.errors():
            steps = [step for step in problem["loc"] if isinstance(step, str)]
            if problem["type"] == "extra_forbidden":
                steps.pop()
            assert set(steps) <= known, problem["loc"]


@pytest.mark.parametrize(
    ("schema", "value", "code", "message"),
    [
        (
            TranslateIn,
            {"text": "a" * 100_001},
            "text_too_long",
            "The field 'text' must have at most 100,000 characters.",
        ),
        (
            GraphIn,
            {"nodes": [{"name": "a"}] * 1_001},
            "graph_too_large",
            "The field 'nodes' must have at most 1,000 items.",
        ),
        (
            GraphIn,
            {"nodes": [{"name": "a" * 1_001}]},
            "out_of_range",
            "The field 'nodes[0].name' must have at most 1,000 characters.",
        ),
        (
            GraphIn,
            {"edges": [["a"]]},
            "out_of_range",
            "The field 'edges[0]' must have at least 2 items.",
        ),
        (
            GlimpseIn,
            {"pixels": [[0.5, float("nan")]]},
            "out_of_range",
            "The field 'pixels[0][1]' must be at most 255, not nan.",
        ),
    ],
)
def test_a_size_is_a_sentence_about_a_field(
    schema: type[BaseModel], value: dict[str, Any], code: str, message: str
) -> None:
    with pytest.raises(FieldError) as caught:
        validated(value, schema, strict=True)
    assert (caught.value.code, caught.value.message) == (code, message)
