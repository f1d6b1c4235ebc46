"""The commands of all tasks: what they print, and what they refuse."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from heed.app.cli import main
from tests.app.tasks.examples import EXAMPLES, PHOTO
from tests.conftest import Running
from tests.models.tiny import THINGS, png, seven

DATE = "the 3rd of may 1979"
SENTENCE = "The keys to the cabinet are old."
STORY = "Mary went to the kitchen. The zebra picked up the ball."
QUESTION = "Where is the ball?"
GRAPH = "Ann: A\nAnn - Bob - Cid"
LISTED = {"nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}], "edges": [["Ann", "Bob"]]}
FILES = {
    "photo.jpg": PHOTO,
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


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        (["translate", DATE, "--detail", "weights"], {"text": DATE, "detail": "weights"}),
        (["translate", DATE, "--detail", "full"], {"text": DATE, "detail": "full"}),
        (["caption", "photo.jpg"], {}),
        (["caption", "photo.jpg", "--beam", "2"], {"search": {"kind": "beam", "beam": 2}}),
        (["caption", "photo.jpg", "--model", "caption-hard"], {"model": "caption-hard"}),
        (["ask", "photo.jpg", QUESTION], {"question": QUESTION}),
        (["see", "photo.jpg", "--layer", "1"], {"layer": "1"}),
        (["story", STORY, QUESTION], {"story": STORY, "question": QUESTION}),
        (["graph", "graph.txt"], {"graph": GRAPH}),
        (["glimpse", "seven.png"], {}),
        (["read", SENTENCE], {"text": SENTENCE}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_json_equals_the_response_of_the_api(
    capsys: Printed, every: Running, command: list[str], changes: dict[str, Any]
) -> None:
    [example] = [example for example in EXAMPLES if example.task == command[0]]
    mine, other = traced(capsys, *command), example.trace(every.client, **changes)
    assert {**mine, "timing": 0} == {**other, "timing": 0}


def test_an_input_comes_from_standard_input(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    given(f"{DATE}\r\n".encode())
    assert traced(capsys, "translate", "-")["source"]["text"] == DATE
    given(FILES["photo.jpg"])
    assert traced(capsys, "caption", "-", "--target", "dog")["text"] == "dog"
    given(SENTENCE.encode())
    assert traced(capsys, "read", "-")["source"]["text"] == SENTENCE
    given(STORY.encode())
    assert traced(capsys, "story", "-", QUESTION)["source"]["text"] == STORY
    given(json.dumps(LISTED).encode())
    assert len(traced(capsys, "graph", "-")["source"]["nodes"]) == 2


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["translate", DATE, "--model", "dates-aditive"], "Did you mean dates-additive"),
        (["translate", ""], "Write a sentence first."),
        (["translate", "  "], "Write a sentence first."),
        (["translate", "a" * 5000], "Too long by about "),
        (["translate", DATE, "--target", ""], "Write an output first."),
        (["translate", DATE, "--beam", "11"], "--beam must be at most 10, not 11."),
        (["translate", DATE, "--seed", "-1"], "--seed must be at least 0, not -1."),
        (["translate", DATE, "--temperature", "0"], "--temperature must be more than 0, not 0."),
        (["translate", DATE, "--beam", "2", "--seed", "1"], "--beam, or --seed"),
        (["translate", DATE, "--target", "1", "--beam", "2"], "leave --beam and --seed out"),
        (["translate", "a\udcff"], "not valid Unicode"),
        (["translate", "a", "--model", "caption-soft"], "captions pictures"),
        (["caption", "nowhere.jpg"], "nowhere.jpg cannot be read"),
        (["caption", "."], "cannot be read"),
        (["caption", "graph.txt"], "none of the pictures"),
        (["caption", "photo.jpg", "--model", "ask"], "answers questions about pictures"),
        (["caption", "photo.jpg", "--model", "dates-additive"], "translates text"),
        (["caption", "photo.jpg", "--target", ""], "Write an output first"),
        (["caption", "photo.jpg", "--beam", "11"], "--beam must be at most 10, not 11."),
        (["ask", "photo.jpg", " "], "Write a question first"),
        (["ask", "photo.jpg", QUESTION, "--model", "caption-soft"], "captions pictures"),
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
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_what_cannot_be_answered_is_refused_by_a_message_without_traceback(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch, command: list[str], message: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("{nodes"))
    assert main(command) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("heed: ")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("overlay", ["nowhere/a.png", "a.nothing"])
def test_a_figure_that_cannot_be_written_is_a_failure(capsys: Printed, overlay: str) -> None:
    assert main(["caption", "photo.jpg", "--overlay", overlay]) == 1
    assert "cannot be written" in capsys.readouterr().err


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
