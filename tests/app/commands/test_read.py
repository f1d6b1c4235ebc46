"""`heed read`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from heed.app.cli import main

SENTENCE = "The keys to the cabinet are old."


@pytest.fixture(autouse=True)
def _weights(every_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))


def test_a_sentence_comes_with_the_words_that_each_leans_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["read", SENTENCE]) == 0
    answer, *lines = capsys.readouterr().out.splitlines()
    assert answer == SENTENCE
    assert any(line.strip().startswith("cabinet") for line in lines)
    assert "rows: words, columns: the words before" in lines[-1]


def test_the_trace_can_be_had_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SENTENCE.encode())))
    assert main(["read", "-", "--json", "--detail", "weights"]) == 0
    assert json.loads(capsys.readouterr().out)["task"] == "read"


def test_bad_sentences_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", ""]) == 2
    assert "Write a sentence first" in capsys.readouterr().err
    assert main(["read", "a " * 90]) == 2
    assert "Too long by about" in capsys.readouterr().err
