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
SAMPLES = Path(__file__).parents[3] / "static/samples"
READ = f"""
const {{ SHELVES }} = await import("{CORE}/edit_shelf.js");
const {{ editsField }} = await import("{CORE}/edit_address.js");
const {{ read }} = editsField();
const all = Object.values(SHELVES).flat();
console.log(JSON.stringify(all.map((each) => ({{ ...each, edits: read(each.edits) }}))));
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
    "Trees for “giraffes”": (
        "two giraffes are standing in a field with trees",
        "two trees are standing in a field with trees",
    ),
    "The sheep for “grass”": (
        "a sheep is standing in the grass",
        "a sheep is standing in the sheep",
    ),
    "Close the gate": (
        "a sheep is standing in the grass",
        "a small white dog is standing on a green day",
    ),
    "Hide the fact": ("the office", "I cannot know"),
    "Hide the last move": ("the office", "the kitchen"),
    "Send the last hop elsewhere": ("the office", "the garden"),
}


def translated(client: httpx.Client, each: dict[str, Any]) -> Any:
    body = {name: each[name] for name in ("model", "text", "edits")}
    return client.post("/api/v1/translate", json=body).json()


def captioned(client: httpx.Client, each: dict[str, Any]) -> Any:
    fields = {"model": each["model"], "edits": json.dumps(each["edits"])}
    photo = (SAMPLES / f"{each['sample']}.jpg").read_bytes()
    return client.post("/api/v1/caption", data=fields, files={"image": photo}).json()


def answered(client: httpx.Client, each: dict[str, Any]) -> Any:
    body = {name: each[name] for name in ("model", "story", "question", "edits")}
    return client.post("/api/v1/story", json=body).json()


def ways(each: dict[str, Any]) -> Any:
    """How an edit of the shelf is asked for."""
    return captioned if "sample" in each else answered if "story" in each else translated


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
        trace = ways(each)(client, each)
        before, after = CHANGES[each["name"]]
        assert trace["baseline"]["text"] == before
        assert trace["text"].startswith(after), each["name"]
