"""Edits on the command line: their grammar, errors that point, and the table of changes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.app.cli import main
from heed.app.commands.edits import OPERATIONS, parse_edit
from heed.app.commands.errors import RefusedError

TEXT = "I do not know where she lives."


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("block 'not' at 4", {"op": "block", "words": ["not"], "queries": 4}),
        ('only "she", "lives"', {"op": "only", "words": ["she", "lives"]}),
        ("scale 1,3-5 by 2.5", {"op": "scale", "keys": [1, 3, 4, 5], "factor": 2.5}),
        ("set 2-4 to 0.8 at all", {"op": "set", "keys": {"first": 2, "last": 4}, "weight": 0.8}),
        ("silence all layer 0 head 1,3", {"op": "silence", "keys": "all", "heads": [1, 3]}),
        ("temperature 1e-3 kind encoder-self", {"op": "temperature", "temperature": 0.001}),
        ("uniform at 0-2", {"op": "uniform", "queries": {"first": 0, "last": 2}}),
        ("permute 7 axis question", {"op": "permute", "seed": 7, "axis": "question"}),
        ("permute", {"op": "permute"}),
        ("row 0.25,.75 at 1", {"op": "row", "weights": [0.25, 0.75], "queries": 1}),
        ("gate 0", {"op": "gate", "value": 0}),
        ("block box 10,20,30,40", {"op": "block", "box": [10, 20, 30, 40]}),
    ],
)
def test_an_edit_is_written_as_a_person_says_it(text: str, edit: dict[str, Any]) -> None:
    parsed = parse_edit(text)
    assert edit.items() <= parsed.items()


@pytest.mark.parametrize(
    ("text", "expected", "place"),
    [
        ("", "an operation", 0),
        ("blok 3", "an operation", 0),
        ("block", "keys", 5),
        ("block 'not", "keys", 6),
        ("set 'she' at 3", "'to'", 10),
        ("set 1 to much", "a number", 9),
        ("uniform at 2-1", "a number from 2 on", 13),
        ("uniform at 1.5", "a whole number", 11),
        ("row 1,", "a number", 6),
        ("block box 1,2", "four numbers", 6),
        ("uniform everywhere", "the end", 8),
    ],
)
def test_an_error_points_at_the_character(text: str, expected: str, place: int) -> None:
    with pytest.raises(RefusedError) as caught:
        parse_edit(text)
    message, shown, pointer = str(caught.value).splitlines()
    assert expected in message
    assert f"at character {place + 1}." in message
    assert shown.strip() == text.strip()
    assert pointer.index("^") - 2 == place


@given(st.text(alphabet="block set to at 'not',-0123456789.", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(RefusedError):
        assert parse_edit(text)["op"] in OPERATIONS


def test_a_table_shows_each_step_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["translate", TEXT, "--model", "en-fr-transformer"]
    assert main([*command, "--edit", "block 'not'", "--edit", "uniform at 60"]) == 0
    out = capsys.readouterr().out
    before = "without edits: Je ne sais pas"
    assert "pas" not in out.splitlines()[0]
    assert before in out
    table = out[out.index(before) :].splitlines()
    assert "KL" in table[1]
    assert table[3].split()[:2] == ["1", "ne"]
    assert "Not reached: uniform." in out


def test_an_edit_that_the_model_refuses_names_the_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["translate", TEXT, "--edit", "set 'she' to 2"]) == 2
    assert "--edit must be at most 1" in capsys.readouterr().err
    assert main(["translate", TEXT, "--edit", "block 'cat'"]) == 2
    assert "no word 'cat'" in capsys.readouterr().err
