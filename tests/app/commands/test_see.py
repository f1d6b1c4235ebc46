"""`heed see`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from heed.app.cli import main
from tests.models.drawn import quarters, saved
from tests.models.tiny import THINGS


@pytest.fixture(autouse=True)
def _weights(every_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(every_weights))


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "photo.jpg"
    path.write_bytes(saved(quarters(300, 200), "JPEG"))
    return str(path)


def test_a_class_comes_with_the_rollout(capsys: pytest.CaptureFixture[str], photo: str) -> None:
    assert main(["see", photo]) == 0
    name, *lines = capsys.readouterr().out.splitlines()
    assert name in THINGS
    rows = [line.split() for line in lines if line.strip()]
    assert rows[0] == [str(column) for column in range(1, 15)]
    assert [row[0] for row in rows[1:15]] == [str(row) for row in range(1, 15)]
    assert "rollout of the class token" in lines[-1]


def test_the_class_alone_can_be_had(capsys: pytest.CaptureFixture[str], photo: str) -> None:
    assert main(["see", photo, "--quiet"]) == 0
    assert capsys.readouterr().out.strip() in THINGS


def test_the_trace_can_be_had_as_json(capsys: pytest.CaptureFixture[str], photo: str) -> None:
    assert main(["see", photo, "--json", "--detail", "weights"]) == 0
    assert json.loads(capsys.readouterr().out)["source"]["marks"] == ["[CLS]"]


def test_the_picture_is_drawn_under_its_rollout(photo: str, tmp_path: Path) -> None:
    figure = tmp_path / "figure.png"
    assert main(["see", photo, "--quiet", "--overlay", str(figure)]) == 0
    with Image.open(figure) as image:
        assert image.width > 480


def test_a_missing_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["see", "nowhere.jpg"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_one_head_is_shown_instead_of_the_rollout(
    capsys: pytest.CaptureFixture[str], photo: str, tmp_path: Path
) -> None:
    figures = [tmp_path / name for name in ("rollout.png", "head.png")]
    assert main(["see", photo, "--quiet", "--overlay", str(figures[0])]) == 0
    capsys.readouterr()
    place = ["--layer", "1", "--head", "1"]
    assert main(["see", photo, *place, "--overlay", str(figures[1])]) == 0
    assert "layer 1, head 1 of the class token" in capsys.readouterr().out.splitlines()[-1]
    assert figures[0].read_bytes() != figures[1].read_bytes()
    assert main(["see", photo, *place, "--json"]) == 0
    maps = json.loads(capsys.readouterr().out)["maps"]
    (only,) = [one for one in maps if one["kind"] == "encoder-self"]
    assert (only["layer"], only["head"]) == (1, 1)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (["--head", "1"], "--layer is missing"),
        (["--layer", "99"], "layer"),
        (["--layer", "-1"], "--layer"),
        (["--layer", "0", "--head", "99"], "head"),
    ],
)
def test_a_head_that_does_not_exist_is_refused(
    capsys: pytest.CaptureFixture[str], photo: str, place: list[str], message: str
) -> None:
    assert main(["see", photo, *place]) == 2
    assert message in capsys.readouterr().err
