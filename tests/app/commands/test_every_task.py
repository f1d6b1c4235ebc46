"""The commands of the tasks with models of their own: what they print, and what they refuse."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from heed.app.cli import main
from tests.models.drawn import quarters, saved
from tests.models.tiny import THINGS, png, seven

SENTENCE = "The keys to the cabinet are old."
STORY = "Mary went to the kitchen. The zebra picked up the ball."
QUESTION = "Where is the ball?"
GRAPH = "Ann: A\nAnn - Bob - Cid"
LISTED = {"nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}], "edges": [["Ann", "Bob"]]}
FILES = {
    "photo.jpg": saved(quarters(300, 200), "JPEG"),
    "seven.png": png(seven()),
    "blank.png": png(Image.new("L", (60, 60), 200)),
    "graph.txt": GRAPH.encode(),
}
Printed = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _files(every_weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Models of all tasks, and files beside which the commands run."""
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("command", "answer", "shown"),
    [
        (["read", SENTENCE], re.escape(SENTENCE), ["cabinet", "rows: words, columns: the words"]),
        (
            ["story", STORY, QUESTION],
            r"\S+",
            [
                "hop 1 hop 2 hop 3",
                "Mary went to the kitchen.",
                "rows: sentences, columns: hops",
                "Unknown to this model, which reads all such words alike: “zebra”.",
            ],
        ),
        (
            ["graph", "Chain"],
            "Ann:.*",
            ["Bob:", "rows: nodes that attend, columns: nodes that are"],
        ),
        (["glimpse", "seven.png"], r"\d", ["glimpse 4", "glimpses, columns: belief in each class"]),
        (["glimpse", "seven.png", "--quiet"], r"\d", []),
        (
            ["see", "photo.jpg"],
            "|".join(THINGS),
            ["12 13 14\n  1 ", "\n 14 ", "rollout of the class token"],
        ),
        (["see", "photo.jpg", "--quiet"], "|".join(THINGS), []),
    ],
)
def test_an_answer_comes_with_its_weights(
    capsys: Printed, command: list[str], answer: str, shown: list[str]
) -> None:
    assert main(command) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(answer, first)
    assert bool(lines) == bool(shown)
    for text in shown:
        assert text in "\n".join(lines)


def traced(capsys: Printed, *command: str) -> Any:
    """The trace that a command prints."""
    assert main([*command, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_trace_can_be_had_as_json_of_an_argument_a_file_or_standard_input(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(text: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    small = ["--detail", "weights"]
    given(SENTENCE)
    assert traced(capsys, "read", "-", *small)["task"] == "read"
    given(STORY)
    assert traced(capsys, "story", "-", QUESTION, *small)["source"]["text"] == STORY
    given(json.dumps(LISTED))
    assert len(traced(capsys, "graph", "-", *small)["source"]["nodes"]) == 2
    assert len(traced(capsys, "graph", "graph.txt")["source"]["nodes"]) == 3
    assert traced(capsys, "glimpse", "seven.png", *small)["target"]["kind"] == "glimpses"
    assert traced(capsys, "see", "photo.jpg", *small)["source"]["marks"] == ["[CLS]"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["read", ""], "Write a sentence first"),
        (["read", "a " * 90], "Too long by about"),
        (["story", "", "Where?"], "Write a story first"),
        (["graph", "Ann: A; Ann - Ann"], "joins a node to itself"),
        (["graph", "-"], "not valid JSON"),
        (["glimpse", "none.png"], "cannot be read"),
        (["glimpse", "blank.png"], "one colour"),
        (["see", "none.jpg"], "cannot be read"),
        (["see", "photo.jpg", "--head", "1"], "--layer is missing"),
        (["see", "photo.jpg", "--layer", "99"], "layer"),
        (["see", "photo.jpg", "--layer", "-1"], "--layer"),
        (["see", "photo.jpg", "--layer", "0", "--head", "99"], "head"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch, command: list[str], message: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("{nodes"))
    assert main(command) == 2
    assert message in capsys.readouterr().err


def test_one_head_is_drawn_instead_of_the_rollout(capsys: Printed) -> None:
    head = ["--layer", "1", "--head", "1"]
    assert main(["see", "photo.jpg", "--quiet", "--overlay", "rollout.png"]) == 0
    capsys.readouterr()
    assert main(["see", "photo.jpg", *head, "--overlay", "head.png"]) == 0
    assert "layer 1, head 1 of the class token" in capsys.readouterr().out.splitlines()[-1]
    with Image.open("rollout.png") as image:
        assert image.width > 480
    assert Path("rollout.png").read_bytes() != Path("head.png").read_bytes()
    maps = traced(capsys, "see", "photo.jpg", *head)["maps"]
    (only,) = [one for one in maps if one["kind"] == "encoder-self"]
    assert (only["layer"], only["head"]) == (1, 1)
