from __future__ import annotations

import math
import weakref
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from heed.app.http.encoding import to_json
from heed.app.inference.execution import trace_bytes
from heed.app.schemas import (
    Detail,
    MapOut,
    StartEvent,
    StepEvent,
    StepOut,
    TraceOut,
    VectorOut,
    Wire,
)
from heed.models.catalogue import Catalogue
from heed.models.config import TransformerConfig
from heed.models.generation.picture_pipeline import PictureRequest
from heed.models.generation.translator import TextRequest
from heed.models.pictures.decode import decode_picture
from heed.models.trace import (
    Alternative,
    AttentionMap,
    Drawn,
    GridAxis,
    HeadVectors,
    ModelStamp,
    Output,
    SearchRequest,
    Timing,
    Token,
    TokenAxis,
    Trace,
    TraceHeader,
    TraceRequest,
    TraceStep,
    Word,
)
from heed.output.serialize import (
    axis_out,
    map_out,
    request_out,
    start_event,
    step_event,
    steps_out,
    trace_out,
)
from tests.models.drawn import quarters, saved
from tests.models.tiny import NETWORK, write_tiny

DETAILS: tuple[Detail, ...] = ("weights", "steps", "full")
LAYERS = TransformerConfig(
    vocabulary=259, width=8, heads=2, feedforward=12, encoder_layers=2, decoder_layers=2
)
DIGITS = {"weights": 5, "probability": 6, "vector": 4, "head": 3}
"""Decimal places, as documented in docs/api.md."""


def axis(text: str, merge: str) -> TokenAxis:
    tokens = tuple(Token(i, sign, i, i + 1, 0) for i, sign in enumerate(text))
    return TokenAxis(text, tokens, (Word(text, 0, len(text)),), merge)  # type: ignore[arg-type]


def vector(size: int = 100) -> np.ndarray:
    return np.linspace(-1, 1, size, dtype=np.float32)


def trace(written: str = "xyz") -> Trace:
    rows = len(written)
    weights = np.full((rows, 4), 1 / 3, dtype=np.float32)
    weights[:, 3] = 0
    scores = np.zeros((rows, 4), dtype=np.float32)
    scores[:, 3] = -np.inf
    cross = AttentionMap("cross", 0, 0, "target", "source", weights, scores)
    own = AttentionMap("encoder-self", 0, 0, "source", "source", np.eye(4), np.eye(4))
    step = TraceStep(-0.0, (Alternative(1, "x", 0.123456789),), vector(), vector(), vector())
    output = Output(axis(written, "mean"), (cross, own), (step,) * rows, -1.23456, -0.5, "end")
    return Trace(
        model=ModelStamp("m", "0" * 64, "additive", "before"),
        task="t",
        request=TraceRequest("abcd", SearchRequest("beam", beam=2)),
        source=axis("abcd", "sum"),
        output=output,
        runners_up=(replace(output, score=-0.7),),
        timing=Timing(1.23456, 2.0),
        memory=np.stack([vector()] * 4),
    )


def with_heads(written: str = "xyz") -> Trace:
    """Return the trace of a model whose heads project their input."""
    made = trace(written)

    def headed(output: Output) -> Output:
        cross, own = output.maps
        vectors = HeadVectors(*(np.stack([vector(48)] * count) for count in (len(written), 4, 4)))
        return replace(output, maps=(cross._replace(vectors=vectors), own))

    return replace(made, output=headed(made.output), runners_up=(headed(made.runners_up[0]),))


def read(schema: type[Any], wire: dict[str, Any]) -> Any:
    """Return the value of the schema that the JSON has."""
    return schema.model_validate_json(to_json(wire), strict=True)


def out_of(made: Trace, detail: Detail) -> TraceOut:
    return TraceOut.model_validate_json(trace_bytes(made, detail), strict=True)


# --- against the schema -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def ran(seeing_weights: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Trace]:
    """Traces of a text or a picture by a model of every family."""
    folder = tmp_path_factory.mktemp("families")
    write_tiny(folder / "none", replace(NETWORK, mechanism="none", order="fixed"))
    write_tiny(folder / "heads", replace(NETWORK, mechanism="multihead", heads=2, order="after"))
    write_tiny(folder / "layers", LAYERS)
    picture = decode_picture(saved(quarters(), "JPEG"), max_bytes=10**6, max_pixels=10**6)
    traces = []
    for catalogue in (Catalogue(folder), Catalogue(seeing_weights)):
        for model, card in catalogue.cards.items():
            for search in (SearchRequest(), SearchRequest("beam", beam=3)):
                question = "What is it?" if card.task == "ask" else None
                draws = 3 if card.mechanism == "hard" else 0
                looked = PictureRequest(picture, question, None, search, draws)
                ask = looked if card.reads_pictures else TextRequest("3 may 1979", None, search)
                traces += catalogue.load(model).run([ask])
                traces += catalogue.load(model).run([replace(ask, vectors="all")])
    return traces


@pytest.mark.parametrize("detail", DETAILS)
def test_every_trace_is_serialized_exactly_as_by_its_schema(
    ran: list[Trace], detail: Detail
) -> None:
    assert {one.model.mechanism for one in ran} >= {"none", "additive", "multihead", "soft", "hard"}
    hardly_met = replace(
        trace(), source=replace(axis("abcd", "sum"), rare_words=(0,), unknown_words=())
    )
    for one in [*ran, trace(), with_heads(), trace(""), hardly_met]:
        content = trace_bytes(one, detail)
        assert to_json(TraceOut.model_validate_json(content, strict=True)) == content


def opening_of(one: Trace) -> TraceHeader:
    return TraceHeader(one.model, one.task, one.request, one.source, one.picture, one.question)


@pytest.mark.parametrize("detail", DETAILS)
def test_every_event_is_serialized_exactly_as_by_its_schema(
    ran: list[Trace], detail: Detail
) -> None:
    for one in [*ran, with_heads()]:
        events: list[tuple[type[Wire], dict[str, Any]]] = [
            (StartEvent, start_event(opening_of(one), detail)),
            (StepEvent, step_event(one.output, 1, detail)),
        ]
        for schema, wire in events:
            assert to_json(read(schema, wire)) == to_json(wire)


def test_every_number_equals_that_of_the_model_up_to_rounding(ran: list[Trace]) -> None:
    for one in [*ran, with_heads()]:
        wire = orjson.loads(trace_bytes(one, "full"))
        outputs = [(wire, one.output), *zip(wire["runners_up"], one.runners_up, strict=True)]
        for found, output in outputs:
            for rounded, whole, digits in _numbers(found, output):
                given, wanted = np.array(rounded, np.float64), np.array(whole, np.float64)
                assert given == pytest.approx(given.round(digits), nan_ok=True, abs=1e-12)
                assert given == pytest.approx(wanted, nan_ok=True, abs=0.51 * 10**-digits)
            assert found["target"]["tokens"] == [token._asdict() for token in output.target.tokens]
            assert found["target"]["words"] == [word._asdict() for word in output.target.words]


def _numbers(found: dict[str, Any], output: Output) -> Iterator[tuple[Any, Any, int]]:
    """Yield serialized numbers, the numbers of the model, and the decimal places."""
    for wire, made in zip(found["maps"], output.maps, strict=True):
        yield wire["weights"], made.weights, DIGITS["weights"]
        yield wire["scores"], np.where(np.isfinite(made.scores), made.scores, np.nan), 4
        if made.vectors is not None:
            yield from _vectors(wire["queries"], made.vectors.queries, DIGITS["head"])
    steps = output.steps
    chances = [math.exp(step.log_probability) for step in steps]
    bits = [-step.log_probability / math.log(2) for step in steps]
    yield [step["probability"] for step in found["steps"]], chances, DIGITS["probability"]
    yield [step["surprise"] for step in found["steps"]], bits, 4
    for name in ("query", "context", "state"):
        vectors = [getattr(step, name) for step in steps]
        yield from _vectors([step[name] for step in found["steps"]], vectors, DIGITS["vector"])
    others = [[one["probability"] for one in step["alternatives"]] for step in found["steps"]]
    yield others, [[one.probability for one in step.alternatives] for step in steps], 6


def _vectors(wire: list[Any], made: Any, digits: int) -> Iterator[tuple[Any, Any, int]]:
    yield [one["values"] for one in wire], made, 4
    yield [one["norm"] for one in wire], [np.linalg.norm(one) for one in made], digits


# --- the parts of a trace ---------------------------------------------------------------------


def test_numbers_are_rounded_once() -> None:
    out = out_of(trace(), "steps")
    assert out.maps[0].weights[0] == [0.33333, 0.33333, 0.33333, 0.0]
    assert out.log_probability == -1.2346
    assert out.timing.encode_ms == 1.2346
    assert out.steps[0].alternatives[0].probability == 0.123457
    assert str(out.steps[0].surprise) == "0.0"


def test_memory_vectors_are_part_of_a_trace_with_vectors() -> None:
    assert out_of(trace(), "weights").memory is None
    for detail in DETAILS[1:]:
        memory = out_of(trace(), detail).memory
        assert memory is not None
        assert len(memory) == len(trace().source)
        assert (memory[0].values is not None) == (detail == "full")


def test_the_vectors_of_a_head_are_part_of_a_trace_with_vectors() -> None:
    assert b"queries" not in trace_bytes(trace(), "full")
    assert b"queries" not in trace_bytes(with_heads(), "weights")
    for detail in DETAILS[1:]:
        cross, own = out_of(with_heads(), detail).maps
        assert cross.queries is not None
        assert [len(each or ()) for each in (cross.queries, cross.keys, cross.values)] == [3, 4, 4]
        assert own.queries is own.keys is own.values is None
        assert (cross.queries[0].size, len(cross.queries[0].summary)) == (48, 16)
        assert (cross.queries[0].values is not None) == (detail == "full")


def test_the_weighted_sum_of_summaries_is_the_summary_of_the_weighted_sum() -> None:
    values = np.random.default_rng(7).normal(size=(4, 50)).astype(np.float32)
    made = trace().output.maps[0]
    vectors = HeadVectors(np.zeros((3, 50), np.float32), values, values)
    out = read(MapOut, map_out(made._replace(vectors=vectors), "steps"))
    pictures = np.array([one.summary for one in out.values or ()])
    cells = np.split(made.weights[0] @ values, [i * 50 // 16 for i in range(1, 16)])
    expected = [cell.mean() for cell in cells]
    assert made.weights[0] @ pictures == pytest.approx(expected, abs=1e-3)


def test_shared_keys_and_values_are_sent_once_for_all_hypotheses() -> None:
    out = out_of(with_heads(), "steps")
    assert out.maps[0].keys
    other = out.runners_up[0].maps[0]
    assert other.queries
    assert other.keys is other.values is None


def test_every_hypothesis_has_the_keys_of_its_own_output(ran: list[Trace]) -> None:
    wire = [one for one in ran if one.request.vectors == "all" and one.runners_up]
    kinds = set()
    for one in wire:
        for map_ in (each for other in out_of(one, "steps").runners_up for each in other.maps):
            kinds.add((map_.kind, map_.key))
            if map_.key == "decoder_input":
                assert len(map_.keys or ()) == len(map_.values or ()) == len(map_.weights)
            else:
                assert map_.keys is map_.values is None
    assert kinds > {("decoder-self", "decoder_input"), ("encoder-self", "source")}


def test_options_other_than_the_defaults_are_part_of_the_request() -> None:
    made = trace()
    assert "vectors" not in request_out(made.request, "steps")
    assert request_out(replace(made.request, vectors="all"), "steps")["vectors"] == "all"


def test_a_masked_key_has_no_score() -> None:
    scores = out_of(trace(), "steps").maps[0].scores
    assert scores is not None
    assert scores[0] == [0.0, 0.0, 0.0, None]
    assert b"null" in trace_bytes(trace(), "steps")


def test_the_summary_of_a_vector_has_the_means_of_neighbours() -> None:
    state = out_of(trace(), "full").steps[0].state
    assert state is not None
    assert (state.size, len(state.summary)) == (100, 32)
    assert state.values == pytest.approx(vector().tolist(), abs=1e-4)
    assert state.norm == pytest.approx(np.linalg.norm(vector()), abs=1e-4)
    cells = np.split(vector(), [i * 100 // 32 for i in range(1, 32)])
    assert state.summary == pytest.approx([cell.mean() for cell in cells], abs=1e-4)


@pytest.mark.parametrize("size", [1, 31, 32, 33, 256])
def test_vectors_of_any_size_have_a_summary(size: int) -> None:
    step = TraceStep(-1.0, (), vector(size), vector(size), vector(size))
    (wire,) = steps_out([step], "steps")
    assert len(read(VectorOut, wire["state"]).summary) == min(size, 32)


def test_a_step_event_holds_the_rows_that_changed() -> None:
    output = trace("xyz").output
    event = read(StepEvent, step_event(output, 2, "steps"))
    assert (event.index, event.since) == (2, 2)
    assert len(event.steps) == len(event.maps[0].weights) == len(event.maps[0].scores or ()) == 1
    assert [one.kind for one in event.maps] == ["cross"]
    (headed,) = step_event(with_heads().output, 2, "steps")["maps"]
    assert len(headed["queries"]) == 1
    assert "keys" not in headed
    revised = step_event(output, 1, "weights")
    assert len(revised["steps"]) == len(revised["maps"][0]["weights"]) == 2
    assert b"scores" not in to_json(revised)


def test_an_empty_output_is_serialized() -> None:
    out = out_of(trace(""), "full")
    assert out.text == ""
    assert out.steps == []
    assert out.maps[0].weights == []


def test_runners_up_have_their_own_maps() -> None:
    out = out_of(trace(), "weights")
    assert out.runners_up[0].score == -0.7
    assert read(MapOut, map_out(trace().output.maps[0], "weights")) == out.runners_up[0].maps[0]


def test_cells_refer_to_the_original_picture() -> None:
    assert axis_out(GridAxis(2, 3, 0, 0, 90, 40)) == {
        "kind": "grid",
        "unit": "cells",
        "rows": 2,
        "columns": 3,
        "left": 0,
        "top": 0,
        "width": 90,
        "height": 40,
    }


@pytest.mark.parametrize("detail", DETAILS[:2])
def test_a_step_has_its_gate_and_the_drawn_cell(detail: Detail) -> None:
    step = trace().output.steps[0]._replace(gate=0.123456789, drawn=Drawn(3, -0.123456))
    (wire,) = steps_out([step], detail)
    assert read(StepOut, wire).gate == 0.12346
    assert wire["drawn"] == {"cell": 3, "log_probability": -0.1235}
    assert not {"gate", "drawn"} & set(steps_out([trace().output.steps[0]], detail)[0])


# --- memory -----------------------------------------------------------------------------------


def test_arrays_of_one_map_are_freed_before_those_of_the_next_are_made() -> None:
    made: list[weakref.ref[np.ndarray]] = []

    def one_map() -> dict[str, np.ndarray]:
        assert all(before() is None for before in made)
        weights = np.zeros((2, 2))
        made.append(weakref.ref(weights))
        return {"weights": weights}

    assert orjson.loads(to_json({"maps": [partial(one_map)] * 3}))["maps"][2]["weights"][1] == [
        0,
        0,
    ]
    assert len(made) == 3


@pytest.mark.parametrize("detail", DETAILS)
def test_a_deferred_trace_has_the_json_of_one_made_at_once(detail: Detail) -> None:
    for made in (trace(), with_heads()):
        assert trace_bytes(made, detail) == to_json(trace_out(made, detail))


def test_an_object_without_json_is_refused() -> None:
    with pytest.raises(TypeError):
        to_json({"odd": object()})
