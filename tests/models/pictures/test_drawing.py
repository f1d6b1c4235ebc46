"""Pictures as a glimpse network reads them: the ink of any picture, in a square."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from heed.models.errors import PictureError
from heed.models.pictures.decode import decode_picture
from heed.models.pictures.drawing import SIZE, SIZES, fit_drawing
from heed.models.trace import Floats
from tests.models.tiny import png, seven

SIDE = 60


def fitted(image: Image.Image) -> Floats:
    return fit_drawing(decode_picture(png(image)), SIDE)


def extent(drawing: Floats) -> tuple[int, int, int, int]:
    rows, columns = (np.flatnonzero((drawing > 0.3).any(axis=axis)) for axis in (1, 0))
    return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])


def test_dark_on_light_and_light_on_dark_are_the_same() -> None:
    dark, light = fitted(seven()), fitted(seven(dark=False))
    np.testing.assert_allclose(dark, light, atol=0.02)
    assert dark.max() > 0.9
    assert np.median(dark) == 0


def test_a_picture_of_the_right_size_keeps_its_places() -> None:
    image = seven()
    ink = 1 - np.asarray(image, np.float32) / 255
    np.testing.assert_allclose(fitted(image), ink, atol=0.35)  # its edges are a little softer
    assert abs(fitted(image) - ink).mean() < 0.01


def test_a_pale_drawing_becomes_nearly_as_strong_as_a_dark_one() -> None:
    pale = seven().point(lambda value: 150 + value // 4)
    assert fitted(pale).sum() == pytest.approx(fitted(seven()).sum(), rel=0.15)
    assert fitted(pale).max() > 0.85


def test_a_wide_picture_is_fitted_into_the_middle() -> None:
    image = Image.new("L", (240, 80), 255)
    brush = ImageDraw.Draw(image)
    for left in range(20, 220, 40):
        brush.line((left, 10, left, 70), 0, 6)
    left, top, right, bottom = extent(fitted(image))
    assert (left, right) == pytest.approx((4, 46), abs=2)
    assert (top, bottom) == pytest.approx((22, 37), abs=2)


@pytest.mark.parametrize("side", [28, 500])
@pytest.mark.parametrize("size", [0.06, 0.8])
def test_a_single_digit_is_brought_to_the_size_of_the_training(side: int, size: float) -> None:
    if side * size < 4:
        return
    image = Image.new("L", (side, side), 0)
    middle, half = side / 2, side * size / 2
    box = (middle - half / 2, middle - half, middle + half / 2, middle + half)
    ImageDraw.Draw(image).ellipse(box, None, 255, max(1, side // 25))
    left, top, right, bottom = extent(fitted(image))
    assert bottom - top + 1 == pytest.approx(SIZE, abs=2)
    assert SIZES[0] <= bottom - top + 1 <= SIZES[1]
    assert (left + right + 1) / 2 == pytest.approx(30, abs=1.5)


def test_a_large_digit_at_the_edge_stays_inside() -> None:
    image = Image.new("L", (200, 200), 255)
    ImageDraw.Draw(image).line((190, 5, 190, 195), 0, 8)
    left, top, right, bottom = extent(fitted(image))
    assert right < SIDE - 1
    assert bottom - top + 1 == pytest.approx(SIZE, abs=2)
    assert left > 50


def test_digits_among_others_keep_their_size() -> None:
    image = Image.new("L", (120, 120), 255)
    brush = ImageDraw.Draw(image)
    brush.line((20, 10, 20, 110), 0, 6)
    brush.line((100, 10, 100, 110), 0, 6)
    _, top, _, bottom = extent(fitted(image))
    assert bottom - top + 1 == pytest.approx(50, abs=2)


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_picture_of_one_colour_is_blank(shade: int) -> None:
    with pytest.raises(PictureError, match="one colour") as refused:
        fitted(Image.new("L", (90, 60), shade))
    assert refused.value.code == "blank_picture"
