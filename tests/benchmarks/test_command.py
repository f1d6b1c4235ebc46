"""The command that measures: its parts, and the documents that it fills."""

from __future__ import annotations

import importlib
import signal
import sys

import pytest

from benchmarks import __main__ as command
from benchmarks import document, encoding
from benchmarks.figures import MissingError, Options, Report, Target


@pytest.mark.parametrize("part", [*command.PERFORMANCE, *command.OTHERS])
def test_a_part_is_a_module_that_measures(part: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.{part}").measure)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The blocks that are written into a document."""
    blocks: list[str] = []
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(document, "write", lambda given, *_: blocks.extend(given))
    report = Report({"encoding": "| a table |"}, [Target("quick", 1, 2)])
    monkeypatch.setattr(encoding, "measure", lambda _: report)
    return blocks


@pytest.mark.parametrize(("words", "blocks"), [(["--quick"], []), ([], ["encoding"])])
def test_a_quick_run_changes_no_document(
    words: list[str],
    blocks: list[str],
    written: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "encoding", *words])
    assert command.main() == 0
    assert written == blocks
    assert "| a table |" in capsys.readouterr().out


def test_a_part_that_reads_corpora_says_how_they_are_named() -> None:
    with pytest.raises(MissingError, match="--data"):
        _ = Options().corpora
