from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from app.events import to_json
from app.wire import axis_out, map_out, step_event, steps_out, trace_out
from models.trace import (
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
    TraceRequest,
    TraceStep,
    Word,
)


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
    """The trace of a model whose heads project what they are given."""
    made = trace(written)

    def headed(output: Output) -> Output:
        cross, own = output.maps
        vectors = HeadVectors(*(np.stack([vector(48)] * count) for count in (len(written), 4, 4)))
        return replace(output, maps=(replace(cross, vectors=vectors), own))

    return replace(made, output=headed(made.output), runners_up=(headed(made.runners_up[0]),))


def test_numbers_are_rounded_once() -> None:
    out = trace_out(trace(), "steps")
    assert out.maps[0].weights[0] == [0.333333, 0.333333, 0.333333, 0.0]
    assert out.log_probability == -1.2346
    assert out.timing.encode_ms == 1.2346
    assert out.steps[0].alternatives[0].probability == 0.123457
    assert str(out.steps[0].surprise) == "0.0"


def test_what_was_kept_of_each_token_goes_along_where_vectors_do() -> None:
    assert trace_out(trace(), "weights").memory is None
    for detail in ("steps", "full"):
        memory = trace_out(trace(), detail).memory  # type: ignore[arg-type]
        assert memory is not None
        assert len(memory) == len(trace().source)
        assert (memory[0].values is not None) == (detail == "full")


def test_the_vectors_of_a_head_go_along_where_vectors_do() -> None:
    assert b"queries" not in to_json(trace_out(trace(), "full"))
    assert b"queries" not in to_json(trace_out(with_heads(), "weights"))
    for detail in ("steps", "full"):
        cross, own = trace_out(with_heads(), detail).maps  # type: ignore[arg-type]
        assert cross.queries is not None
        assert [len(each or ()) for each in (cross.queries, cross.keys, cross.values)] == [3, 4, 4]
        assert own.queries is own.keys is own.values is None
        assert (cross.queries[0].size, len(cross.queries[0].picture)) == (48, 16)
        assert (cross.queries[0].values is not None) == (detail == "full")


def test_the_sum_of_the_faded_pictures_is_the_picture_of_the_sum() -> None:
    values = np.random.default_rng(7).normal(size=(4, 50)).astype(np.float32)
    made = trace().output.maps[0]
    vectors = HeadVectors(np.zeros((3, 50), np.float32), values, values)
    out = map_out(replace(made, vectors=vectors), "steps")
    pictures = np.array([one.picture for one in out.values or ()])
    cells = np.split(made.weights[0] @ values, [i * 50 // 16 for i in range(1, 16)])
    expected = [cell.mean() for cell in cells]
    assert made.weights[0] @ pictures == pytest.approx(expected, abs=1e-3)


def test_keys_and_values_are_told_once_for_all_hypotheses() -> None:
    out = trace_out(with_heads(), "steps")
    assert out.maps[0].keys
    other = out.runners_up[0].maps[0]
    assert other.queries
    assert other.keys is other.values is None


def test_a_masked_key_has_no_score() -> None:
    scores = trace_out(trace(), "steps").maps[0].scores
    assert scores is not None
    assert scores[0] == [0.0, 0.0, 0.0, None]
    assert b"null" in to_json(trace_out(trace(), "steps"))


def test_a_picture_of_a_vector_holds_the_means_of_neighbours() -> None:
    state = trace_out(trace(), "full").steps[0].state
    assert state is not None
    assert (state.size, len(state.picture)) == (100, 32)
    assert state.values == pytest.approx(vector().tolist(), abs=1e-4)
    assert state.norm == pytest.approx(np.linalg.norm(vector()), abs=1e-4)
    cells = np.split(vector(), [i * 100 // 32 for i in range(1, 32)])
    assert state.picture == pytest.approx([cell.mean() for cell in cells], abs=1e-4)


@pytest.mark.parametrize("size", [1, 31, 32, 33, 256])
def test_vectors_of_any_size_have_a_picture(size: int) -> None:
    step = TraceStep(-1.0, (), vector(size), vector(size), vector(size))
    (out,) = steps_out([step], "steps")
    assert out.state is not None
    assert len(out.state.picture) == min(size, 32)


def test_a_step_event_holds_the_rows_that_changed() -> None:
    output = trace("xyz").output
    event = step_event(output, 2, "steps")
    assert (event.index, event.since) == (2, 2)
    assert len(event.steps) == len(event.maps[0].weights) == len(event.maps[0].scores or ()) == 1
    assert [one.kind for one in event.maps] == ["cross"]
    (queries,) = (one.queries for one in step_event(with_heads().output, 2, "steps").maps)
    assert len(queries or ()) == 1
    assert b'"keys"' not in to_json(step_event(with_heads().output, 2, "steps"))
    revised = step_event(output, 1, "weights")
    assert len(revised.steps) == len(revised.maps[0].weights) == 2
    assert b"scores" not in to_json(revised)


def test_nothing_written_is_a_trace_too() -> None:
    out = trace_out(trace(""), "full")
    assert out.text == ""
    assert out.steps == []
    assert out.maps[0].weights == []


def test_runners_up_have_their_own_maps() -> None:
    out = trace_out(trace(), "weights")
    assert out.runners_up[0].score == -0.7
    assert map_out(trace().output.maps[0], "weights") == out.runners_up[0].maps[0]


def test_a_picture_is_told_as_cells_over_the_users_own_picture() -> None:
    out = axis_out(GridAxis(2, 3, 0, 0, 90, 40))
    assert out.model_dump() == {
        "kind": "grid",
        "rows": 2,
        "columns": 3,
        "left": 0,
        "top": 0,
        "width": 90,
        "height": 40,
    }


@pytest.mark.parametrize("detail", ["weights", "steps"])
def test_a_step_tells_its_gate_and_what_was_drawn(detail: str) -> None:
    step = trace().output.steps[0]._replace(gate=0.123456789, drawn=Drawn(3, -0.123456))
    (out,) = steps_out([step], detail)  # type: ignore[arg-type]
    told = json.loads(to_json(out))
    assert told["gate"] == 0.123457
    assert told["drawn"] == {"cell": 3, "log_probability": -0.1235}
    plain = json.loads(to_json(steps_out([trace().output.steps[0]], detail)[0]))  # type: ignore[arg-type]
    assert not {"gate", "drawn"} & set(plain)
