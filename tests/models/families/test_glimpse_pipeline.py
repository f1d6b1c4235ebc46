"""Digits read in glimpses: boxes, patches and beliefs agree with each other."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from heed.models.catalogue import Catalogue
from heed.models.families.glimpse.pipeline import CELLS, GlimpsePipeline, GlimpseRequest
from heed.models.pictures.decode import decode_picture
from heed.models.pictures.drawing import fit_drawing
from heed.models.trace import Box, GlimpseAxis, GridAxis, Trace, TraceError
from tests.models.tiny import GLIMPSE, png, seven, write_tiny_glimpse

SIDE = GLIMPSE.picture
REQUEST = GlimpseRequest(decode_picture(png(seven())))


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> GlimpsePipeline:
    root = tmp_path_factory.mktemp("glimpse")
    loaded = Catalogue(write_tiny_glimpse(root / "glimpse").parent).load("glimpse")
    assert isinstance(loaded, GlimpsePipeline)
    return loaded


@pytest.fixture(scope="module")
def trace(pipeline: GlimpsePipeline) -> Trace:
    (found,) = pipeline.run([REQUEST])
    return found


def glimpses(trace: Trace) -> tuple[tuple[Box, ...], ...]:
    assert isinstance(trace.output.target, GlimpseAxis)
    return trace.output.target.glimpses


def test_rows_are_glimpses_and_columns_are_cells(trace: Trace) -> None:
    assert trace.source == GridAxis(CELLS, CELLS, 0, 0, SIDE, SIDE)
    assert len(trace.output.target) == GLIMPSE.glimpses
    [attention] = trace.output.maps
    assert attention.weights.shape == (GLIMPSE.glimpses, CELLS**2)
    assert trace.text in {str(digit) for digit in range(10)}


def test_the_squares_have_one_middle_and_the_first_glimpse_that_of_the_picture(
    trace: Trace,
) -> None:
    for boxes in glimpses(trace):
        assert [box.side for box in boxes] == [4, 8, 16]
        assert len({(box.left + box.side / 2, box.top + box.side / 2) for box in boxes}) == 1
    assert glimpses(trace)[0][0] == Box(8, 8, 4)
    assert len({boxes[0] for boxes in glimpses(trace)}) > 1


def test_a_patch_is_what_its_square_holds(trace: Trace) -> None:
    drawing = np.pad(fit_drawing(REQUEST.picture, SIDE), 32)
    for boxes, step in zip(glimpses(trace), trace.output.steps, strict=True):
        assert step.seen is not None
        for box, patch in zip(boxes, step.seen, strict=True):
            left, top, side = (int(number) for number in box)
            part = drawing[top + 32 : top + 32 + side, left + 32 : left + 32 + side]
            cells = part.reshape(4, side // 4, 4, side // 4).mean(axis=(1, 3))
            np.testing.assert_allclose(patch, cells, atol=1e-5)


def test_a_weight_is_the_share_of_the_pixels_of_a_glimpse_in_a_cell(trace: Trace) -> None:
    [attention] = trace.output.maps
    for boxes, row in zip(glimpses(trace), attention.weights, strict=True):
        fine = np.zeros((SIDE * 3, SIDE * 3))  # in thirds of a pixel, as cells are 5 of them
        for box in boxes:
            start = [max(round(3 * edge), 0) for edge in (box.top, box.left)]
            end = [round(3 * (edge + box.side)) for edge in (box.top, box.left)]
            fine[start[0] : end[0], start[1] : end[1]] += 1 / box.side**2
        cells = fine.reshape(CELLS, 5, CELLS, 5).sum(axis=(1, 3))
        np.testing.assert_allclose(row, (cells / cells.sum()).ravel(), atol=1e-5)


def test_a_step_has_the_belief_after_its_glimpse(trace: Trace) -> None:
    last = trace.output.steps[-1]
    assert last.alternatives[0].text == trace.text
    for before, step in zip((None, *trace.output.steps), trace.output.steps, strict=False):
        assert sum(each.probability for each in step.alternatives) == pytest.approx(1, abs=1e-4)
        found = {each.text: each.probability for each in step.alternatives}
        assert np.exp(step.log_probability) == pytest.approx(found[trace.text], rel=1e-4)
        if before:
            assert (before.state == step.query).all()


def test_the_picture_of_a_trace_is_what_the_network_reads(trace: Trace) -> None:
    assert trace.picture is not None
    assert (trace.picture.width, trace.picture.height) == (SIDE, SIDE)
    shown = 1 - np.asarray(read_preview(trace.picture.preview), np.float32) / 255
    np.testing.assert_allclose(shown, fit_drawing(REQUEST.picture, SIDE), atol=0.15)


def read_preview(preview: bytes) -> Image.Image:
    from io import BytesIO

    return Image.open(BytesIO(preview)).convert("L")


def test_a_glimpse_sees_a_square() -> None:
    with pytest.raises(TraceError, match="sees no square"):
        GlimpseAxis("3", ((),))
