"""The edits that teach, on the shipped models: which words they change."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import node

CORE = (Path(__file__).parents[3] / "static/js/core").as_uri()
READ = f"""
const {{ SHELF }} = await import("{CORE}/edit_shelf.js");
const {{ editsField }} = await import("{CORE}/edit_address.js");
const {{ read }} = editsField();
console.log(JSON.stringify(SHELF.map((each) => ({{ ...each, edits: read(each.edits) }}))));
"""
HOUSE = "La maison blanche sur la colline est vieille."
CHANGES = {
    "Hide the noun": (HOUSE, "La colline est vieille."),
    "Hide the adjective": (HOUSE, "La maison sur la colline est vieille."),
    "Send “pas” elsewhere": ("Je ne sais pas où elle vit.", "Je ne sais où elle vit."),
    "Hide “not”": ("Je ne sais pas où elle vit.", "Je ne sais pas où elle vit."),
    "Swap two nouns": ("Un garçon joue avec un chien.", "Un chien joue avec un garçon."),
    "Raise the temperature": (HOUSE, "La maison de la maison est la grande."),
    "Look at the first word only": (HOUSE, "La la laine de la la la"),
}


@pytest.fixture(scope="module")
def shelf() -> list[dict[str, Any]]:
    command = [node(), "--input-type=module", "--eval", READ]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    read: list[dict[str, Any]] = json.loads(said)
    return read


def test_each_edit_of_the_shelf_changes_the_words_that_it_says(
    client: httpx.Client, shelf: list[dict[str, Any]]
) -> None:
    assert [each["name"] for each in shelf] == list(CHANGES)
    for each in shelf:
        body = {name: each[name] for name in ("model", "text", "edits")}
        trace = client.post("/api/v1/translate", json=body).json()
        before, after = CHANGES[each["name"]]
        assert trace["baseline"]["text"] == before
        assert trace["text"].startswith(after), each["name"]
