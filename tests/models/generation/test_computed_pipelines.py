"""The pipelines without a search alike: they answer at once, and step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heed.models.catalogue import Catalogue
from heed.models.errors import CheckpointError, NonFiniteOutputError
from heed.models.families.glimpse.pipeline import GlimpseRequest
from heed.models.families.graph.pipeline import GraphRequest
from heed.models.families.lstmn.pipeline import TapeRequest
from heed.models.families.memory.pipeline import StoryRequest
from heed.models.generation.computed_batch import ComputedPipeline
from heed.models.generation.protocol import Progress
from heed.models.generation.requests import PictureRequest, Request, TextRequest
from heed.models.graphs.notation import parse_graph
from heed.models.pictures.decode import decode_picture
from tests.models.drawn import quarters, saved
from tests.models.tiny import (
    CHAIN,
    change,
    png,
    seven,
    write_tiny_glimpse,
    write_tiny_graph,
    write_tiny_memory,
    write_tiny_reader,
    write_tiny_vision,
)

STORY = "Mary went to the kitchen. The zebra picked up the ball."


@dataclass(frozen=True, slots=True)
class Kind:
    """A small model, a request to it, another one, and the steps of the first."""

    write: Callable[[Path], Path]
    request: Request
    other: Request
    steps: int


KINDS = {
    "story": Kind(
        write_tiny_memory,
        StoryRequest(STORY, "Where is the ball?"),
        StoryRequest("John went to the garden.", "Where is Mary?"),
        3,
    ),
    "read": Kind(write_tiny_reader, TapeRequest("The keys are old."), TapeRequest("The"), 6),
    "graph": Kind(
        write_tiny_graph,
        GraphRequest(parse_graph(CHAIN), CHAIN),
        GraphRequest(parse_graph("a: A; a - b"), "a: A; a - b"),
        1,
    ),
    "glimpse": Kind(
        write_tiny_glimpse,
        GlimpseRequest(decode_picture(png(seven()))),
        GlimpseRequest(decode_picture(png(seven().rotate(90)))),
        4,
    ),
    "see": Kind(
        write_tiny_vision,
        PictureRequest(decode_picture(saved(quarters(300, 100), "JPEG"))),
        PictureRequest(decode_picture(saved(quarters(50, 60), "PNG"))),
        1,
    ),
}
AnyComputed = ComputedPipeline[Any, Any]


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture(scope="module")
def pipeline(kind: Kind, tmp_path_factory: pytest.TempPathFactory) -> AnyComputed:
    folder = kind.write(tmp_path_factory.mktemp("models") / "model")
    loaded = Catalogue(folder.parent).load("model")
    assert isinstance(loaded, ComputedPipeline)
    return loaded


def test_progress_comes_step_by_step(pipeline: AnyComputed, kind: Kind) -> None:
    seen: list[Progress] = []
    (trace,) = pipeline.run([kind.request], on_progress=seen.append)
    assert [each.since for each in seen] == list(range(kind.steps))
    assert seen[-1].output.text == trace.text
    for part, whole in zip(seen[-1].output.maps, trace.output.maps, strict=True):
        np.testing.assert_array_equal(part.weights, whole.weights)


def test_a_batch_gives_the_same_as_each_alone(pipeline: AnyComputed, kind: Kind) -> None:
    requests = [kind.other, kind.request]
    for together, request in zip(pipeline.run(requests), requests, strict=True):
        (alone,) = pipeline.run([request])
        assert together.source == alone.source
        for one, other in zip(together.output.maps, alone.output.maps, strict=True):
            np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)


def test_a_request_that_is_left_out_does_not_end(pipeline: AnyComputed, kind: Kind) -> None:
    batch = pipeline.batch([pipeline.prepare(kind.request)] * 2)
    assert not batch.ended(1)
    for _ in batch.steps():
        batch.leave_out(0)
    assert (batch.ended(0), batch.ended(1)) == (False, True)
    assert batch.progress(1).output.text


def test_another_kind_of_request_is_refused(pipeline: AnyComputed) -> None:
    with pytest.raises(TypeError, match="does not take a TextRequest"):
        pipeline.prepare(TextRequest("may"))


def test_numbers_that_are_not_finite_are_an_error(
    pipeline: AnyComputed, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    (read,) = pipeline.answer([pipeline.prepare(kind.request)])
    broken = read._replace(log_probabilities=np.full_like(read.log_probabilities, np.nan))
    monkeypatch.setattr(type(pipeline), "answer", lambda self, prepared: [broken])
    with pytest.raises(NonFiniteOutputError):
        pipeline.run([kind.request])


def test_the_task_must_fit_the_network(kind: Kind, tmp_path: Path) -> None:
    change(kind.write(tmp_path / "model"), task="transcribe")
    with pytest.raises(CheckpointError, match="cannot transcribe"):
        Catalogue(tmp_path)
