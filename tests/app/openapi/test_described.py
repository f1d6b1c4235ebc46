"""Descriptions of the wire contract, which stand below its fields."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from heed.app import schemas
from heed.app.openapi.described import descriptions
from heed.app.schemas import CaptionIn, VersionOut, Wire


def test_they_are_found_below_the_fields_and_those_of_the_bases() -> None:
    found = descriptions(CaptionIn)
    assert found["draws"].startswith("Of hard attention only: what was written is drawn so often")
    assert "\n" in found["draws"]
    assert found["model"].startswith("Id of a model"), "of a base"
    assert found["target"].startswith("Forced decoding"), "not that of a text"


def test_they_stand_in_the_schema_by_their_names_on_the_wire() -> None:
    schema: dict[str, Any] = TypeAdapter(VersionOut).json_schema()
    assert schema["properties"]["schema"]["description"] == "Version of the form of a trace."


@pytest.mark.parametrize(
    "model", [each for each in vars(schemas).values() if isinstance(each, type)]
)
def test_what_is_described_is_told(model: type) -> None:
    if issubclass(model, Wire) and model.model_fields:
        told = model.model_json_schema()["properties"]
        for name, text in descriptions(model).items():
            assert told[name]["description"] == text


def test_a_model_without_any_has_none() -> None:
    class Bare(BaseModel):
        word: str

    assert descriptions(Bare) == {}
