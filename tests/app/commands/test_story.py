"""`heed story`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from heed.app.cli import main

STORY = "Mary went to the kitchen. The zebra picked up the ball."


@pytest.fixture(autouse=True)
def _weights(every_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))


def test_an_answer_comes_with_the_weights_of_its_sentences(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["story", STORY, "Where is the ball?"]) == 0
    answer, *lines = capsys.readouterr().out.splitlines()
    assert answer
    text = "\n".join(lines)
    assert "hop 1 hop 2 hop 3" in text
    assert "Mary went to the kitchen." in text
    assert "rows: sentences, columns: hops" in text
    assert "Unknown to this model, which reads all such words alike: “zebra”." in text


def test_the_trace_can_be_had_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(STORY))
    assert main(["story", "-", "Where is the ball?", "--json", "--detail", "weights"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert trace["source"]["text"] == STORY


def test_a_bad_story_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["story", "", "Where?"]) == 2
    assert "Write a story first" in capsys.readouterr().err
