"""Scores are taken apart: exactly in a Transformer, by leaving words out in other networks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from heed.models.catalogue import DEFAULT_DIRECTORY, Catalogue
from heed.models.checkpoint import load_network
from heed.models.edits.rows import RowEdit
from heed.models.errors import InputError
from heed.models.generation.pipeline import GenerationPipeline
from heed.models.generation.requests import PictureRequest, TextRequest
from heed.models.networks.transformer import Transformer
from heed.models.pictures.decode import decode_picture
from heed.models.runtime.edited import EditPlan, MapEdit
from heed.models.runtime.protocol import EncodeOptions, PictureInput, Runtime
from heed.models.scores.explain import Explained, LeavingOut, ScorePlace, SlicedScore, begin
from heed.models.text.tokenizer import START
from heed.models.trace import TokenAxis, Trace

TRANSFORMER, RECURRENT = "en-fr-transformer", "en-fr-additive"
TEXT = "The dog sleeps."


@cache
def run(model: str) -> tuple[GenerationPipeline[object], Trace]:
    """A trace of PyTorch, and the model that made it."""
    pipeline = Catalogue(runtime="torch").load(model)
    assert isinstance(pipeline, GenerationPipeline)
    return pipeline, pipeline.run([TextRequest(TEXT)])[0]


def score(model: str, place: ScorePlace) -> Explained:
    pipeline, trace = run(model)
    return taken_apart(pipeline.runtime, model, trace, place, source_of(trace))


def taken_apart(
    runtime: Runtime[Any], model: str, trace: Trace, place: ScorePlace, source: Any
) -> Explained:
    begun = begin(DEFAULT_DIRECTORY / model, trace, place, runtime, source)
    if not isinstance(begun, LeavingOut):
        return begun
    for _ in begun.steps():
        pass
    return begun.result()


def source_of(trace: Trace) -> list[int]:
    assert isinstance(trace.source, TokenAxis)
    return [token.id for token in trace.source.tokens]


@pytest.mark.parametrize("kind", ["cross", "encoder-self", "decoder-self"])
def test_the_parts_add_up_to_the_score_of_pytorch(kind: str) -> None:
    _, trace = run(TRANSFORMER)
    maps = [each for each in trace.output.maps if each.kind == kind and each.head == 1]
    assert len({each.layer for each in maps}) > 1
    for attention in maps:
        for row, column in ((0, 0), (2, 1), (3, 3)):
            place = ScorePlace(attention.kind, attention.layer, 1, row, column)
            found = score(TRANSFORMER, place)
            assert found.split is not None
            expected = attention.scores[row, column]
            assert found.split.products.sum() == pytest.approx(expected, abs=1e-4)
            assert found.score == pytest.approx(expected, abs=1e-4)


def test_a_product_is_that_of_the_parts_of_pytorchs_own_states() -> None:
    """In the first layer of the encoder a state is its embedding plus its position."""
    network = load_network(DEFAULT_DIRECTORY / TRANSFORMER)
    assert isinstance(network, Transformer)
    _, trace = run(TRANSFORMER)
    assert isinstance(trace.source, TokenAxis)
    tokens = torch.tensor([token.id for token in trace.source.tokens])
    layer, width = network.encoder[0], network.config.width
    with torch.no_grad():
        embedding = network.embedding(tokens) * math.sqrt(width)
        states = network.embed(tokens[None], 0)[0]
        deviation = (states.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()

        def part(of: torch.Tensor) -> torch.Tensor:
            return (of - of.mean(-1, keepdim=True)) / deviation * layer.norms[0].weight

        query = part(embedding)[2] @ layer.attention.query.weight.T
        key = part(states - embedding)[1] @ layer.attention.key.weight.T
    size = width // network.config.heads
    expected = float(query[size : 2 * size] @ key[size : 2 * size]) / math.sqrt(size)
    split = score(TRANSFORMER, ScorePlace("encoder-self", 0, 1, 2, 1)).split
    assert split is not None
    assert split.query == ("embedding", "position", "biases")
    assert split.products[0, 1] == pytest.approx(expected, abs=1e-4)


def test_the_parts_are_the_sublayers_before_the_attention() -> None:
    split = score(TRANSFORMER, ScorePlace("cross", 1, 0, 1, 1)).split
    assert split is not None
    assert split.query == (
        *("embedding", "position", "self-attention 1", "cross-attention 1", "feed-forward 1"),
        *("self-attention 2", "biases"),
    )
    assert split.key[2:4] == ("attention 1", "feed-forward 1")
    assert split.products.shape == (len(split.query), len(split.key))


def test_each_word_that_is_left_out_changes_the_score_as_a_run_without_it() -> None:
    pipeline, trace = run(RECURRENT)
    found = score(RECURRENT, ScorePlace("cross", 0, 0, 1, 1))
    assert found.split is None
    assert found.words is not None
    assert [each.change is None for each in found.words] == [False, True, False, False]
    target = trace.text
    [shorter] = pipeline.run([TextRequest("dog sleeps.", target)])
    expected = trace.output.maps[0].scores[1, 1] - shorter.output.maps[0].scores[1, 0]
    # The first word of a text has a piece of its own, with or without a space before it.
    assert isinstance(shorter.source, TokenAxis)
    assert isinstance(trace.source, TokenAxis)
    if [token.id for token in shorter.source.tokens] == [
        token.id for token in trace.source.tokens[1:]
    ]:
        assert found.words[0].change == pytest.approx(expected, abs=1e-4)
    changes = sum(each.change or 0 for each in found.words)
    assert changes + found.remainder == pytest.approx(found.score)
    assert found.score == pytest.approx(float(trace.output.maps[0].scores[1, 1]))


PHOTO = DEFAULT_DIRECTORY.parents[1] / "static/samples/sheep.jpg"


@cache
def captioned(model: str) -> tuple[GenerationPipeline[Any], Trace, PictureInput]:
    """A trace of PyTorch of a photo, the model that made it, and the photo as it is encoded."""
    pipeline = Catalogue(runtime="torch").load(model)
    assert isinstance(pipeline, GenerationPipeline)
    prepared = pipeline.prepare(PictureRequest(decode_picture(PHOTO.read_bytes())))
    batch = pipeline.batch([prepared])
    for _ in batch.steps():
        pass
    return pipeline, batch.trace(0), prepared.source


def score_of_photo(model: str, place: ScorePlace) -> Explained:
    pipeline, trace, source = captioned(model)
    return taken_apart(pipeline.runtime, model, trace, place, source)


@pytest.mark.parametrize("kind", ["cross", "decoder-self"])
def test_the_parts_add_up_to_the_score_of_a_cell_of_a_photo(kind: str) -> None:
    _, trace, _ = captioned("caption-transformer")
    maps = [each for each in trace.output.maps if each.kind == kind and each.head == 1]
    assert len({each.layer for each in maps}) > 1
    for attention in maps:
        for row, column in ((0, 0), (2, 1), (4, attention.scores.shape[1] // 40)):
            place = ScorePlace(attention.kind, attention.layer, 1, row, column)
            found = score_of_photo("caption-transformer", place)
            assert found.split is not None
            expected = attention.scores[row, column]
            assert found.split.products.sum() == pytest.approx(expected, abs=1e-4)
            if kind == "cross":
                assert found.split.key == ("features", "position", "biases")


@pytest.mark.parametrize("model", ["caption-soft", "caption-hard"])
def test_words_and_cells_that_a_captioner_has_read_are_left_out(model: str) -> None:
    pipeline, trace, source = captioned(model)
    row, column = 3, int(trace.output.maps[0].weights[3].argmax())
    found = score_of_photo(model, ScorePlace("cross", 0, 0, row, column))
    score = trace.output.maps[0].scores[row, column]
    assert found.score == pytest.approx(float(score))
    assert found.written is not None
    assert found.cells is not None
    assert len(found.cells) == len(trace.source)
    parts = sum(each.change or 0 for each in (*found.written, *found.cells))
    assert parts + found.remainder == pytest.approx(found.score, abs=1e-4)

    def forced(tokens: Sequence[int], edits: Sequence[EditPlan] = ()) -> float:
        """Return the score behind these tokens, step by step."""
        state = pipeline.runtime.encode([source], EncodeOptions(edits=edits)).state
        for token in (START, *tokens):
            step, state = pipeline.runtime.step(state, np.zeros(1, np.int64), np.array([token]))
        return float(step.attended[0].scores[0, 0, column])

    tokens = [token.id for token in trace.output.tokens.tokens[:row]]
    words = [token.word for token in trace.output.tokens.tokens[:row]]
    for word, change in found.written:
        rest = [token for token, of in zip(tokens, words, strict=True) if of != word]
        assert change == pytest.approx(found.score - forced(rest), abs=1e-4)
    cell, change = max(found.cells, key=lambda each: abs(each.change or 0))
    edit = RowEdit("block", np.array([cell], np.int32))
    one = frozenset([0])
    plan = EditPlan([MapEdit("cross", "source", one, one, frozenset(range(row)), edit)])
    assert change == pytest.approx(found.score - forced(tokens, [plan]), abs=1e-4)
    first = score_of_photo(model, ScorePlace("cross", 0, 0, 0, column))
    assert (first.written, first.cells) == ((), ())


@pytest.mark.parametrize(
    ("place", "field"),
    [
        (ScorePlace("encoder-self", 0, 0, 0, 0), "kind"),
        (ScorePlace("cross", 1, 0, 0, 0), "layer"),
        (ScorePlace("cross", 0, 1, 0, 0), "head"),
        (ScorePlace("cross", 0, 0, 99, 0), "row"),
        (ScorePlace("cross", 0, 0, 0, 99), "column"),
    ],
)
def test_a_cell_that_does_not_exist_is_refused(place: ScorePlace, field: str) -> None:
    with pytest.raises(InputError) as caught:
        score(RECURRENT, place)
    assert (caught.value.code, caught.value.field) == ("out_of_range", field)


def test_a_masked_key_has_no_score() -> None:
    with pytest.raises(InputError, match="masked"):
        score(TRANSFORMER, ScorePlace("decoder-self", 0, 0, 0, 2))


def test_a_score_that_would_take_too_many_steps_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("heed.models.scores.explain.MOST_ROWS", 7)
    with pytest.raises(InputError, match="about 8 steps"):
        score(RECURRENT, ScorePlace("cross", 0, 0, 1, 1))


def test_a_score_gives_way_between_words_and_stays_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipeline, _ = run(RECURRENT)
    place = ScorePlace("cross", 0, 0, 1, 1)
    counts, found = [], []
    for waits, rows in ((False, 1000), (True, 1)):
        monkeypatch.setattr("heed.models.scores.explain.ROWS_AT_ONCE", rows)
        sliced = SlicedScore(DEFAULT_DIRECTORY / RECURRENT, place, lambda waits=waits: waits)
        counts.append(sliced.run(pipeline, TextRequest(TEXT)))
        assert sliced.total == 8
        found.append(sliced.result)
    assert counts == [1, 5]  # the run, each of three words, and the end
    assert [each.part for each in found[0].words] == [each.part for each in found[1].words]
    for one, other in zip(found[0].words, found[1].words, strict=True):
        assert one.change == pytest.approx(other.change, abs=1e-5)
    assert found[0].score == found[1].score


def test_the_weights_of_another_library_are_not_taken_apart() -> None:
    pipeline, _ = run(RECURRENT)
    sliced = SlicedScore(None, ScorePlace("cross", 0, 0, 0, 0))
    with pytest.raises(InputError, match="cannot be taken apart"):
        sliced.through(pipeline).run([TextRequest(TEXT)])
