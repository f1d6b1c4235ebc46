"""`heed caption` and `heed ask`, and the figure that they draw."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from heed.app.cli import main
from heed.models.catalogue import Catalogue
from heed.models.generation.picture_pipeline import PictureRequest
from heed.models.generation.translator import TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import Trace
from heed.output.photo import lit
from heed.output.word_figure import GAP, LIGHT, PANEL_SIDE, figure
from tests.app.routes.test_caption import PHOTO
from tests.models.drawn import quarters, saved

QUESTION = "what is it?"


@pytest.fixture(autouse=True)
def _models(seeing_weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEED_WEIGHTS", str(seeing_weights))


@pytest.fixture
def photo(tmp_path: Path) -> str:
    path = tmp_path / "photo.jpg"
    path.write_bytes(PHOTO)
    return str(path)


def test_the_caption_is_printed(photo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["caption", photo, "--target", "a dog"]) == 0
    assert capsys.readouterr().out == "a dog\n"


def test_the_seed_of_a_hard_model_draws_its_cells_and_not_its_words(
    photo: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def searched(*options: str) -> dict[str, object]:
        assert main(["caption", photo, "--json", *options]) == 0
        search: dict[str, object] = json.loads(capsys.readouterr().out)["request"]["search"]
        return search

    hard = searched("--model", "caption-hard", "--seed", "7")
    assert (hard["kind"], hard["seed"]) == ("greedy", 7)
    beam = searched("--model", "caption-hard", "--seed", "7", "--beam", "2")
    assert (beam["kind"], beam["beam"], beam["seed"]) == ("beam", 2, 7)
    assert (
        searched("--model", "caption-hard", "--seed", "7", "--temperature", "1")["kind"] == "sample"
    )
    assert searched("--model", "caption-soft", "--seed", "7")["kind"] == "sample"


def test_the_figure_is_written(photo: str, tmp_path: Path) -> None:
    path = tmp_path / "figure.png"
    assert main(["caption", photo, "--target", "a dog", "--overlay", str(path)]) == 0
    with Image.open(path) as drawn:
        assert drawn.format == "PNG"
        assert drawn.width > 2 * PANEL_SIDE


def test_a_file_that_is_too_large_is_reported(
    photo: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_MAX_IMAGE_BYTES", "1024")
    assert main(["caption", photo]) == 2
    assert "1,024" in capsys.readouterr().err


# --- the figure -------------------------------------------------------------------------------


def traced(weights: Path, target: str, size: tuple[int, int]) -> Trace:
    picture = decode_picture(saved(quarters(*size), "PNG"))
    (trace,) = Catalogue(weights).load("caption-soft").run([PictureRequest(picture, target=target)])
    return trace


@pytest.mark.parametrize("size", [(300, 200), (40, 300), (3, 2), (1, 900)])
@pytest.mark.parametrize("target", ["a b c d", "собака", "犬が走る", "كلب", "😀 !"])
def test_every_word_has_a_panel_whatever_its_letters(
    seeing_weights: Path, size: tuple[int, int], target: str
) -> None:
    if len(target.encode()) > 7:
        target = target[:2]  # these models write no longer ones
    trace = traced(seeing_weights, target, size)
    drawn = figure(trace)
    assert drawn.mode == "RGB"
    assert drawn.width >= 2 * GAP
    assert trace.picture is not None
    with Image.open(BytesIO(trace.picture.preview)) as preview:
        corner = preview.convert("RGB").getpixel((0, 0))
    np.testing.assert_allclose(np.asarray(drawn)[GAP, GAP], corner, atol=12)


def test_the_photo_is_unchanged_where_weights_are_largest_and_dark_elsewhere() -> None:
    weights = np.zeros((14, 14), np.float32)
    weights[3, 10] = 0.7
    photo = Image.new("RGB", (140, 70), (200, 100, 40))
    shown = np.asarray(lit(photo, weights, (0, 0, 140, 70), photo.size, LIGHT))
    brightest = np.unravel_index(shown.sum(axis=2).argmax(), shown.shape[:2])
    assert abs(int(brightest[0]) - 17) <= 3
    assert abs(int(brightest[1]) - 105) <= 5
    np.testing.assert_array_equal(shown[tuple(brightest)], (200, 100, 40))
    np.testing.assert_array_equal(shown[60, 10], (50, 25, 10))


def test_a_text_has_no_figure() -> None:
    (trace,) = Catalogue().load("dates-additive").run([TextRequest("3 may")])
    with pytest.raises(ValueError, match="picture"):
        figure(trace)
