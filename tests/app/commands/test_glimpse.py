"""`heed glimpse`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from heed.app.cli import main
from tests.models.tiny import png, seven


@pytest.fixture(autouse=True)
def _weights(every_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))


@pytest.fixture
def drawing(tmp_path: Path) -> str:
    path = tmp_path / "seven.png"
    path.write_bytes(png(seven()))
    return str(path)


def test_a_digit_comes_with_the_belief_after_each_glimpse(
    drawing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["glimpse", drawing]) == 0
    answer, *lines = capsys.readouterr().out.splitlines()
    assert answer.isdigit()
    assert "glimpse 4" in "\n".join(lines)
    assert "rows: glimpses, columns: belief in each class" in lines[-1]


def test_the_trace_can_be_had_as_json(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glimpse", drawing, "--json", "--detail", "weights"]) == 0
    trace = json.loads(capsys.readouterr().out)
    assert trace["target"]["kind"] == "glimpses"


def test_only_the_answer_can_be_printed(drawing: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glimpse", drawing, "--quiet"]) == 0
    assert capsys.readouterr().out.strip().isdigit()


def test_bad_pictures_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glimpse", str(tmp_path / "none.png")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    blank = tmp_path / "blank.png"
    blank.write_bytes(png(Image.new("L", (60, 60), 200)))
    assert main(["glimpse", str(blank)]) == 2
    assert "one colour" in capsys.readouterr().err
