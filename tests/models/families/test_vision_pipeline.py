"""From a picture to the trace of its patches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.edits.operations import Temperature
from heed.models.errors import CheckpointError, InputError
from heed.models.families.vision_transformer.convolutions import EarlyBlocks
from heed.models.families.vision_transformer.pipeline import VisionPipeline
from heed.models.generation.requests import HeadPlace, PictureRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import GridAxis, Trace, TraceError
from tests.models.drawn import quarters, saved
from tests.models.tiny import THINGS, VISION, change, write_tiny_vision

PICTURE = decode_picture(saved(quarters(300, 100), "JPEG"))


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> VisionPipeline:
    folder = write_tiny_vision(tmp_path_factory.mktemp("models") / "vit")
    return cast(VisionPipeline, Catalogue(folder.parent).load("vit"))


@pytest.fixture(scope="module")
def trace(pipeline: VisionPipeline) -> Trace:
    (trace,) = pipeline.run([PictureRequest(PICTURE)])
    return trace


def test_the_patches_are_a_grid_with_the_class_token_as_a_mark(trace: Trace) -> None:
    assert trace.source == GridAxis(14, 14, 0, 0, 300, 100, ("[CLS]",))
    assert trace.picture is not None
    assert trace.picture.format == "JPEG"


def test_there_is_a_map_for_each_layer_and_head(trace: Trace) -> None:
    own = [each for each in trace.output.maps if each.kind == "encoder-self"]
    found = [(each.layer, each.head) for each in own]
    assert found == [(layer, head) for layer in range(3) for head in range(VISION.heads)]
    assert {(each.query, each.key, each.weights.shape) for each in own} == {
        ("source", "source", (197, 197))
    }


def test_edits_of_a_picture_share_its_convolutions(
    pipeline: VisionPipeline, trace: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_convolutions: object, _picture: object) -> None:
        raise AssertionError("convolved again")

    monkeypatch.setattr(EarlyBlocks, "__call__", none)
    [edited] = pipeline.run([PictureRequest(PICTURE, edits=(Temperature(2, layers=1),))])
    assert edited.baseline is not None
    for one, other in zip(edited.baseline.output.maps, trace.output.maps, strict=True):
        np.testing.assert_array_equal(one.weights, other.weights)
    own = [each for each in edited.output.maps if each.kind == "encoder-self"]
    for one, other in zip(own, trace.output.maps, strict=False):
        assert np.array_equal(one.weights, other.weights) == (one.layer == 0)


def test_the_rollout_is_that_of_the_class_token(trace: Trace) -> None:
    *own, read = trace.output.maps
    assert (read.kind, read.query, read.key) == ("rollout", "target", "source")
    whole = np.eye(197)
    for layer in range(VISION.layers):
        mean = np.mean([each.weights for each in own if each.layer == layer], axis=0)
        whole = (mean + np.eye(197)) / 2 @ whole
    np.testing.assert_allclose(read.weights[0], whole[0], rtol=1e-3)
    np.testing.assert_allclose(np.exp(read.scores), read.weights, rtol=1e-5)


def test_the_output_is_the_likeliest_class(trace: Trace) -> None:
    (step,) = trace.output.steps
    assert trace.text == step.alternatives[0].text
    assert {each.text for each in step.alternatives} < set(THINGS)
    chances = [each.probability for each in step.alternatives]
    assert chances == sorted(chances, reverse=True)
    assert np.exp(step.log_probability) == pytest.approx(chances[0])


def test_the_positions_are_compared(trace: Trace) -> None:
    assert trace.positions is not None
    np.testing.assert_allclose(np.diag(trace.positions), 1, rtol=1e-4)
    with pytest.raises(TraceError, match="positions"):
        replace(trace, positions=trace.positions[:5])


@pytest.mark.parametrize("only", [HeadPlace(0, 1), HeadPlace(VISION.layers - 1, 0)])
def test_one_head_can_be_had_with_its_vectors(
    pipeline: VisionPipeline, trace: Trace, only: HeadPlace
) -> None:
    (alone,) = pipeline.run([PictureRequest(PICTURE, only=only)])
    found, rollout = alone.output.maps
    assert (found.layer, found.head, rollout.kind) == (*only, "rollout")
    assert alone.positions is None
    whole = trace.output.maps[VISION.heads * only.layer + only.head]
    np.testing.assert_array_equal(found.weights, whole.weights)
    assert found.vectors is not None
    queries, keys, _ = found.vectors
    scores = queries @ keys.T / np.sqrt(VISION.width / VISION.heads)
    np.testing.assert_allclose(found.scores, scores, atol=1e-4)
    assert found.states is not None
    assert found.states.shape == (197, VISION.width)
    if only.layer == VISION.layers - 1:
        np.testing.assert_array_equal(found.states[0], trace.output.steps[0].state)


@pytest.mark.parametrize(
    ("only", "field"),
    [(HeadPlace(VISION.layers, 0), "layer"), (HeadPlace(0, VISION.heads), "head")],
)
def test_a_head_that_does_not_exist_is_refused(
    pipeline: VisionPipeline, only: HeadPlace, field: str
) -> None:
    with pytest.raises(InputError, match=f"There is no {field}") as raised:
        pipeline.check(PictureRequest(PICTURE, only=only))
    assert (raised.value.code, raised.value.field) == ("out_of_range", field)


@pytest.mark.parametrize("given", [{"question": "What is it?"}, {"target": "a dog"}])
def test_it_takes_nothing_but_a_picture(pipeline: VisionPipeline, given: dict[str, str]) -> None:
    with pytest.raises(InputError, match="Choose another model"):
        pipeline.check(PictureRequest(PICTURE, **given))


def test_weights_without_names_of_classes_are_an_error(tmp_path: Path) -> None:
    folder = write_tiny_vision(tmp_path / "vit")
    change(folder, classes=None)
    with pytest.raises(CheckpointError, match="no names of classes"):
        Catalogue(tmp_path).load("vit")
