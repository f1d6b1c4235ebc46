"""The interpreter of edits, compared with the definition of each operation written as a loop."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.models.edits.rows import EditedRows, RowEdit, edited_rows, permutation

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
CLOSE = 1e-6
Masses = list[float]
OPERATIONS = (
    *("block", "only", "scale", "set", "temperature"),
    *("uniform", "permute", "row", "silence"),
)


def edited_row(scores: Sequence[float], edits: Sequence[RowEdit]) -> EditedRows:
    """Edit one row among others, of which none changes another."""
    others = [[0.0 if score > -math.inf else score for score in scores], list(scores)[::-1]]
    made = edited_rows([others[0], scores, others[1]], edits)
    return EditedRows(made.softmax[1], made.factors[1])


def keys(*indices: int) -> Any:
    return np.array(indices, np.int32)


def by_hand(scores: Sequence[float], edits: Sequence[RowEdit]) -> Masses:
    """Weights alone, no scores: each operation as a person would describe it."""
    top = max(scores)
    seen = [key for key, score in enumerate(scores) if score > -math.inf]
    mass = [math.exp(score - top) for score in scores]
    factors = [1.0] * len(scores)
    for edit in edits:
        chosen = [key for key in seen if key in edit.keys]
        others = [key for key in seen if key not in edit.keys]
        live = [key for key in seen if mass[key] > 0]
        if edit.op == "block":
            for key in chosen:
                mass[key] = 0.0
        elif edit.op == "only" and chosen:
            for key in others:
                mass[key] = 0.0
        elif edit.op == "scale":
            for key in chosen:
                mass[key] *= edit.number
        elif edit.op == "set" and chosen and (others or edit.number in (0, 1)):
            for part, total in ((chosen, edit.number), (others, 1 - edit.number)):
                now = sum(mass[key] for key in part)
                for key in part:
                    mass[key] = total * (mass[key] / now if now else 1 / len(part))
        elif edit.op == "temperature":
            most = max(mass)
            mass = [(each / most) ** (1 / edit.number) if each else 0.0 for each in mass]
        elif edit.op == "uniform":
            mass = [1.0 if key in live else 0.0 for key in range(len(mass))]
        elif edit.op == "permute":
            order = permutation(len(live), int(edit.number))
            before = list(mass)
            for place, key in zip(order, live, strict=True):
                mass[key] = before[live[place]]
        elif edit.op == "row" and any(edit.weights[key] for key in seen):
            mass = [edit.weights[key] if key in seen else 0.0 for key in range(len(mass))]
        elif edit.op == "silence":
            for key in chosen:
                factors[key] = 0.0
    whole = sum(mass)
    return [each / whole * factor for each, factor in zip(mass, factors, strict=True)]


@st.composite
def rows(draw: st.DrawFn) -> list[float]:
    """Scores of some keys, of which a few are masked."""
    scores = draw(st.lists(st.floats(-8, 8, width=32), min_size=2, max_size=9))
    masked = draw(st.sets(st.integers(0, len(scores) - 1), max_size=len(scores) - 2))
    return [-math.inf if key in masked else score for key, score in enumerate(scores)]


@st.composite
def row_edits(draw: st.DrawFn, count: int) -> RowEdit:
    some = draw(st.sets(st.integers(0, count - 1), min_size=1))
    of = keys(*sorted(some))
    weight = st.floats(0.001, 0.999)
    op = draw(st.sampled_from(OPERATIONS))
    match op:
        case "scale":
            return RowEdit(op, of, draw(st.floats(0.01, 50)))
        case "set":
            return RowEdit(op, of, draw(weight))
        case "temperature":
            return RowEdit(op, number=draw(st.floats(0.3, 5)))
        case "permute":
            return RowEdit(op, number=draw(st.integers(0, 2**32 - 1)))
        case "row":
            weights = draw(st.lists(weight, min_size=count, max_size=count))
            return RowEdit(op, weights=np.array(weights))
        case "uniform":
            return RowEdit(op)
    return RowEdit(op, of)


@given(st.data())
def test_any_edits_in_a_row_are_those_of_the_loop_by_hand(data: st.DataObject) -> None:
    scores = data.draw(rows())
    edits: list[RowEdit] = []
    for edit in data.draw(st.lists(row_edits(len(scores)), max_size=5)):
        try:
            by_hand(scores, [*edits, edit])
        except ZeroDivisionError:  # a row without a key, which is refused
            continue
        edits.append(edit)
    made = edited_row(scores, edits)
    assert made.weights == pytest.approx(by_hand(scores, edits), abs=CLOSE)
    assert made.softmax.sum() == pytest.approx(1)
    assert (made.weights[np.isneginf(scores)] == 0).all()


@given(rows(), st.data())
def test_all_edits_that_leave_one_key_are_equal(scores: list[float], data: st.DataObject) -> None:
    seen = [key for key, score in enumerate(scores) if score > -math.inf]
    left = data.draw(st.sampled_from(seen))
    others = keys(*(key for key in range(len(scores)) if key != left))
    ways = [
        [RowEdit("block", others)],
        [RowEdit("only", keys(left))],
        [RowEdit("set", keys(left), 1.0)],
        [RowEdit("set", others, 0.0)],
        [RowEdit("scale", others, 0.0)],
    ]
    for edits in ways:
        weights = edited_row(scores, edits).weights
        assert weights.tolist() == [float(key == left) for key in range(len(scores))]


@given(rows(), st.data())
def test_a_weight_set_to_what_it_is_changes_nothing(
    scores: list[float], data: st.DataObject
) -> None:
    seen = [key for key, score in enumerate(scores) if score > -math.inf]
    some = data.draw(st.sets(st.sampled_from(seen), min_size=1, max_size=len(seen) - 1))
    before = edited_row(scores, ()).weights
    of = keys(*sorted(some))
    after = edited_row(scores, [RowEdit("set", of, float(before[of].sum()))]).weights
    assert after == pytest.approx(before, abs=CLOSE)


@pytest.mark.parametrize("weight", [1e-300, 1e-12, 0.3, 1 - 1e-12])
@pytest.mark.parametrize("far", [0.0, 60.0, 900.0, -900.0])
def test_a_weight_can_be_set_near_0_and_1_and_where_it_was_near_them(
    weight: float, far: float
) -> None:
    made = edited_row([far, 1.0, 0.0], [RowEdit("set", keys(0), weight)]).weights
    assert made[0] == pytest.approx(weight, rel=1e-9)
    assert made[1] / made[2] == pytest.approx(math.e)


def test_blocked_keys_stay_blocked_but_set_and_row_revive_them() -> None:
    scores, block = [0.0, 1.0, 2.0, -math.inf], RowEdit("block", keys(0))
    for edit in (
        RowEdit("temperature", number=3.0),
        RowEdit("uniform"),
        RowEdit("permute", number=7),
        RowEdit("scale", keys(0), 9.0),
    ):
        assert edited_row(scores, [block, edit]).weights[0] == 0
    assert edited_row(scores, [block, RowEdit("set", keys(0), 0.4)]).weights[0] == pytest.approx(
        0.4
    )
    row = RowEdit("row", weights=np.array([1.0, 1.0, 2.0, 6.0]))
    assert edited_row(scores, [block, row]).weights == pytest.approx([0.25, 0.25, 0.5, 0])


def test_a_row_that_cannot_see_the_keys_stays() -> None:
    scores, unseen = [0.0, 1.0, -math.inf], keys(2, 5)
    before = edited_row(scores, ()).weights.tolist()
    for op in ("block", "only", "scale", "set", "silence"):
        assert edited_row(scores, [RowEdit(op, unseen, 0.5)]).weights.tolist() == before
    assert edited_row(scores[:1], [RowEdit("set", keys(0), 0.5)]).weights.tolist() == [1]


def test_extreme_temperatures_give_numbers() -> None:
    for temperature in (5e-324, 1e-30, 1e300):
        cooled = [RowEdit("temperature", number=temperature)]
        assert np.isfinite(edited_row([3.0, 2.0, -3e38], cooled).weights).all()
        then = [*cooled, RowEdit("set", keys(1), 0.5)]
        assert edited_row([3.0, 2.0, -3e38], then).weights[1] == pytest.approx(0.5)


def test_silence_takes_weight_from_a_row() -> None:
    made = edited_row([0.0, 0.0], [RowEdit("silence", keys(0)), RowEdit("set", keys(0), 0.75)])
    assert made.weights.tolist() == pytest.approx([0, 0.25])
    assert made.softmax.tolist() == pytest.approx([0.75, 0.25])


def test_a_permutation_is_the_same_in_every_language() -> None:
    assert permutation(6, 1) == VECTORS["permutation"]["order"]
    assert sorted(permutation(300, 2**32 - 1)) == list(range(300))


@pytest.mark.parametrize("case", VECTORS["rows"], ids=lambda case: case["name"])
def test_the_vectors_that_all_runtimes_share(case: dict[str, Any]) -> None:
    scores = [-math.inf if score is None else score for score in case["scores"]]
    edits = [row_edit(each) for each in case["edits"]]
    assert edited_row(scores, edits).weights == pytest.approx(case["weights"], abs=CLOSE)
    assert by_hand(scores, edits) == pytest.approx(case["weights"], abs=CLOSE)


def row_edit(case: dict[str, Any]) -> RowEdit:
    """Return an edit of the vectors."""
    return RowEdit(
        case["op"],
        keys(*case.get("keys", ())),
        case.get("number", 0.0),
        np.array(case.get("weights", ()), np.float64),
    )
