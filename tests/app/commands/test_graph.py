"""`heed graph`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from heed.app.cli import main

GRAPH = "Ann: A\nAnn - Bob - Cid"


@pytest.fixture(autouse=True)
def _weights(every_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))


def test_an_example_comes_with_its_classes_and_weights(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "Chain"]) == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines()[:4]] == ["Ann", "Bob", "Cid", "Dan"]
    assert "rows: nodes that attend, columns: nodes that are read" in out


def test_a_file_can_be_text_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "graph.txt"
    file.write_text(GRAPH)
    assert main(["graph", str(file), "--json"]) == 0
    text = json.loads(capsys.readouterr().out)
    body = {"nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}], "edges": [["Ann", "Bob"]]}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(body)))
    assert main(["graph", "-", "--json", "--detail", "weights"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [len(each["source"]["nodes"]) for each in (text, listed)] == [3, 2]


def test_a_bad_graph_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["graph", "Ann: A; Ann - Ann"]) == 2
    assert "joins a node to itself" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", io.StringIO("{nodes"))
    assert main(["graph", "-"]) == 2
    assert "not valid JSON" in capsys.readouterr().err
