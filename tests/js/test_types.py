"""The page and the server mean the same by every word: types.d.ts against the wire contract."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from heed.app import schemas as wire

TYPES = Path(__file__).parents[2] / "static" / "js" / "core" / "types.d.ts"
PAIRS: dict[str, type[BaseModel]] = {
    "Word": wire.WordOut,
    "Token": wire.TokenOut,
    "TokenAxis": wire.TokenAxisOut,
    "AttentionMap": wire.MapOut,
    "Alternative": wire.AlternativeOut,
    "Vector": wire.VectorOut,
    "Step": wire.StepOut,
    "Output": wire.OutputOut,
    "Trace": wire.TraceOut,
    "Model": wire.ModelOut,
    "SavedTrace": wire.SavedOut,
}
INTERFACE = re.compile(r"export interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", re.S)
FIELD = re.compile(r"^  (\w+)\??:", re.M)


def interfaces() -> dict[str, set[str]]:
    """The fields of every interface, inherited ones too."""
    found: dict[str, set[str]] = {}
    for name, base, body in INTERFACE.findall(TYPES.read_text(encoding="utf-8")):
        found[name] = set(FIELD.findall(body)) | found.get(base, set())
    return found


@pytest.mark.parametrize("name", PAIRS)
def test_the_page_knows_the_fields_of_the_wire(name: str) -> None:
    fields = {field.alias or key for key, field in PAIRS[name].model_fields.items()}
    assert interfaces()[name] == fields


def test_the_page_asks_only_for_what_the_wire_takes() -> None:
    assert interfaces()["TranslateBody"] <= set(wire.TranslateIn.model_fields)
