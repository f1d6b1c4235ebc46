"""Pictures in, traces out."""

from collections.abc import Callable

import numpy as np
import pytest

from heed.models.errors import InputError
from heed.models.generation.picture_pipeline import PicturePipeline, PictureRequest
from heed.models.generation.pipeline import Progress
from heed.models.pictures.decode import Bytes, Picture, decode_picture
from heed.models.runtime.feature_cache import FeatureCache
from heed.models.trace import Floats, GridAxis, SearchRequest, Trace
from tests.models.drawn import quarters, saved

WIDE = decode_picture(saved(quarters(300, 100), "PNG"))
TALL = decode_picture(saved(quarters(90, 200).rotate(90, expand=True).transpose(1), "JPEG"))
KINDS = pytest.mark.parametrize("kind", ["soft", "hard", "multihead"])

Captioners = dict[str, PicturePipeline]


def one(captioner: PicturePipeline, picture: Picture = WIDE, **options: object) -> Trace:
    (trace,) = captioner.run([PictureRequest(picture, **options)])  # type: ignore[arg-type]
    return trace


@KINDS
def test_every_word_has_a_map_over_the_cells_of_the_users_own_picture(
    captioners: Captioners, kind: str
) -> None:
    trace = one(captioners[kind])
    assert trace.source == GridAxis(14, 14, 0, 0, 300, 100)
    cross = [each for each in trace.output.maps if each.kind == "cross"]
    card = captioners[kind].card
    assert len(cross) == card.heads * card.layers
    for attention_map in cross:
        assert attention_map.weights.shape == (len(trace.output.target), 196)
        assert attention_map.vectors is None
    assert trace.memory is None
    assert trace.request.text == ""
    assert trace.picture is not None
    assert (trace.picture.width, trace.picture.height, trace.picture.format) == (300, 100, "PNG")
    assert trace.picture.preview == WIDE.preview


def test_self_attention_over_the_caption_has_vectors_on_request(
    captioners: Captioners,
) -> None:
    captioner = captioners["multihead"]
    for vectors in ("cross", "all"):
        trace = one(captioner, vectors=vectors)
        for made in trace.output.maps:
            assert (made.vectors is not None) == (vectors == "all" and made.key == "decoder_input")


def test_a_gate_scales_the_context(captioners: Captioners) -> None:
    for kind in ("soft", "hard"):
        assert all(0 < step.gate < 1 for step in one(captioners[kind]).output.steps)  # type: ignore[operator]
    assert all(step.gate is None for step in one(captioners["multihead"]).output.steps)


def test_hard_attention_records_the_drawn_cell_and_its_probability(
    captioners: Captioners,
) -> None:
    trace = one(captioners["hard"])
    (cross,) = trace.output.maps
    for row, step in zip(cross.weights, trace.output.steps, strict=True):
        assert step.drawn is not None
        assert step.drawn.log_probability == pytest.approx(np.log(row[step.drawn.cell]), abs=1e-5)
    assert all(step.drawn is None for step in one(captioners["soft"]).output.steps)


@pytest.mark.parametrize("search", ["greedy", "beam", "sample"])
def test_the_seed_decides_the_cells_with_any_kind_of_search(
    captioners: Captioners, search: str
) -> None:
    def cells(seed: int) -> list[int]:
        request = SearchRequest(search, beam=2, seed=seed)  # type: ignore[arg-type]
        steps = one(captioners["hard"], search=request).output.steps
        return [step.drawn.cell for step in steps if step.drawn]

    assert cells(3) == cells(3)
    assert cells(3) != cells(4)


def test_draws_become_a_map_of_their_shares(captioners: Captioners) -> None:
    request = SearchRequest(seed=2**32 - 3)
    trace = one(captioners["hard"], search=request, draws=20)
    cross, drawn = trace.output.maps
    assert drawn.kind == "drawn"
    counts = drawn.weights * 20
    np.testing.assert_allclose(counts, counts.round(), atol=1e-4)
    np.testing.assert_allclose(drawn.weights.sum(axis=1), 1, atol=1e-5)
    assert np.isneginf(drawn.scores[drawn.weights == 0]).all()
    for row, step in zip(drawn.weights, trace.output.steps, strict=True):
        assert step.drawn is not None
        assert row[step.drawn.cell] > 0  # the first of the draws is the one that was written with
    plain = one(captioners["hard"], search=request)
    assert plain.text == trace.text
    np.testing.assert_array_equal(plain.output.maps[0].weights, cross.weights)


def test_many_draws_come_near_to_the_weights_they_are_drawn_from(captioners: Captioners) -> None:
    """At the first step, whose weights no earlier draw has changed."""
    trace = one(captioners["hard"], target="a", draws=2000)
    cross, drawn = trace.output.maps
    assert np.abs(cross.weights[0] - drawn.weights[0]).max() < 0.02


@KINDS
def test_a_given_caption_is_written(captioners: Captioners, kind: str) -> None:
    trace = one(captioners[kind], target="a dog")
    assert trace.text == "a dog"
    assert trace.output.finish == "forced"
    assert trace.request.target == "a dog"


@KINDS
def test_a_picture_gets_the_same_trace_alone_and_in_company(
    captioners: Captioners, kind: str
) -> None:
    request = SearchRequest("beam", beam=2, seed=5)
    requests = [PictureRequest(picture, search=request) for picture in (WIDE, TALL)]
    for request, together in zip(requests, captioners[kind].run(requests), strict=True):
        (alone,) = captioners[kind].run([request])
        assert alone.text == together.text
        for ours, theirs in zip(alone.output.maps, together.output.maps, strict=True):
            np.testing.assert_allclose(ours.weights, theirs.weights, atol=1e-5)


def test_progress_adds_up_to_the_trace(captioners: Captioners) -> None:
    reports: list[Progress] = []
    (trace,) = captioners["hard"].run([PictureRequest(WIDE, draws=3)], on_progress=reports.append)
    assert [progress.since for progress in reports] == list(range(len(trace.output.steps)))
    last = reports[-1].output
    assert last.steps[-1].drawn == trace.output.steps[-1].drawn
    assert [each.kind for each in last.maps] == ["cross"]


def test_a_callback_between_steps_can_stop_the_draws(captioners: Captioners) -> None:
    steps = len(one(captioners["hard"]).output.steps)
    calls = 0

    def stop() -> None:
        nonlocal calls
        calls += 1
        if calls > steps:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        captioners["hard"].run([PictureRequest(WIDE, draws=3)], between_steps=stop)


@pytest.mark.parametrize(
    ("kind", "options", "code"),
    [
        ("soft", {"question": "who?"}, "wrong_task"),
        ("ask", {}, "wrong_task"),
        ("ask", {"question": ""}, "empty_question"),
        ("ask", {"question": "a" * 41}, "question_too_long"),
        ("ask", {"question": "\ud800"}, "invalid_text"),
        ("soft", {"draws": 5}, "draws_unsupported"),
        ("multihead", {"draws": 5}, "draws_unsupported"),
        ("soft", {"target": ""}, "empty_target"),
        ("soft", {"target": "12345678"}, "target_too_long"),
        ("soft", {"target": "\ud800"}, "invalid_text"),
    ],
)
def test_an_invalid_request_is_refused(
    captioners: Captioners, kind: str, options: dict[str, object], code: str
) -> None:
    with pytest.raises(InputError) as caught:
        captioners[kind].check(PictureRequest(WIDE, **options))  # type: ignore[arg-type]
    assert caught.value.code == code
    assert caught.value.message.endswith(".")


def test_a_question_has_an_axis_of_its_own(captioners: Captioners) -> None:
    trace = one(captioners["ask"], question="what colour?")
    assert trace.request.text == "what colour?"
    assert trace.question is not None
    assert trace.question.text == "what colour?"
    assert trace.source == GridAxis(14, 14, 0, 0, 300, 100)
    at_cells, at_words = trace.output.maps
    assert (at_cells.key, at_words.key) == ("source", "question")
    written = len(trace.output.target)
    assert at_cells.weights.shape == (written, 196)
    assert at_words.weights.shape == (written, len(trace.question))


def test_questions_of_any_length_are_answered_together_as_alone(captioners: Captioners) -> None:
    requests = [
        PictureRequest(WIDE, question="what colour is it?"),
        PictureRequest(TALL, question="who?"),
    ]
    for request, together in zip(requests, captioners["ask"].run(requests), strict=True):
        (alone,) = captioners["ask"].run([request])
        assert together.text == alone.text
        for mine, its in zip(together.output.maps, alone.output.maps, strict=True):
            np.testing.assert_allclose(mine.weights, its.weights, atol=1e-5)


# --- the image encoder ------------------------------------------------------------------------


@pytest.fixture
def runs_of_the_encoder(
    captioners: Captioners, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], int]:
    """Count the runs of the image encoder since the test began."""
    features: FeatureCache = captioners["soft"].runtime.features  # type: ignore[attr-defined]
    count = 0
    encode = features._encode

    def counted(pixels: Bytes) -> Floats:
        nonlocal count
        count += 1
        return encode(pixels)

    monkeypatch.setattr(features, "_encode", counted)
    monkeypatch.setattr(features, "_capacity", 2)
    features._cached.clear()
    return lambda: count


def test_a_picture_is_encoded_once_for_all_models(
    captioners: Captioners, runs_of_the_encoder: Callable[[], int]
) -> None:
    one(captioners["soft"])
    one(captioners["hard"], draws=5)
    one(captioners["multihead"])
    assert runs_of_the_encoder() == 1


def test_only_the_most_recent_pictures_are_cached(
    captioners: Captioners, runs_of_the_encoder: Callable[[], int]
) -> None:
    third = decode_picture(saved(quarters(50, 50).rotate(180), "PNG"))
    for picture in (WIDE, TALL, WIDE, third, WIDE):
        one(captioners["soft"], picture, target="a")
    assert runs_of_the_encoder() == 3
    one(captioners["soft"], TALL, target="a")
    assert runs_of_the_encoder() == 4
