"""Edits are resolved to rows, and those that no model can make are refused with a reason."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from heed.models.edits.operations import (
    OPERATIONS,
    Block,
    Edit,
    Gate,
    Only,
    Permute,
    Row,
    Scale,
    SetWeight,
    Silence,
    Temperature,
    Uniform,
    fields_of,
)
from heed.models.errors import InputError
from heed.models.generation.edits import EditedModel, ResolvedEdits, resolve
from heed.models.networks.map_group import MapGroup
from heed.models.trace import GridAxis, Token, TokenAxis, Word

NAMES = ("do", "not", "do", "it", "")
SOURCE = TokenAxis(
    "do not do it",
    (
        Token(5, "do", 0, 2, 0),
        Token(6, "no", 3, 5, 1),
        Token(7, "t", 5, 6, 1),
        Token(5, "do", 7, 9, 2),
        Token(8, "it", 10, 12, 3),
        Token(2, "", 12, 12, 4, special=True),
    ),
    (
        Word("do", 0, 2),
        Word("not", 3, 6),
        Word("do", 7, 9),
        Word("it", 10, 12),
        Word("", 12, 12, special=True),
    ),
    "sum",
)
CROSS = MapGroup("cross", 0, 1, "target", "source")
RECURRENT = EditedModel("small", (CROSS,), {"source": SOURCE}, 9, hides_end=True)
LAYERS = EditedModel(
    "layered",
    tuple(
        MapGroup(kind, layer, 2, query, key)
        for layer in (0, 1)
        for kind, query, key in (
            ("cross", "target", "source"),
            ("decoder-self", "target", "decoder_input"),
            ("encoder-self", "source", "source"),
        )
    ),
    {"source": SOURCE},
    9,
)
PICTURE = EditedModel(
    "seeing", (CROSS,), {"source": GridAxis(4, 4, 10.0, 0.0, 40.0, 80.0)}, 9, gated=True
)


def resolved(model: EditedModel, *edits: Edit) -> ResolvedEdits:
    made = resolve(edits, model)
    assert made is not None
    return made


def keys_of(model: EditedModel, edit: Edit, group: MapGroup = CROSS) -> list[int]:
    [row_edit] = resolved(model, edit).plan.row(group, 0, 0)
    return row_edit.keys.tolist()


def test_words_are_all_pieces_of_every_occurrence() -> None:
    assert keys_of(RECURRENT, Block(words="NOT")) == [1, 2]
    assert keys_of(RECURRENT, Block(words=("do", "it"))) == [0, 3, 4]
    assert keys_of(RECURRENT, Block(words="not", keys=4)) == [1, 2, 4]


def test_the_words_of_an_input_are_compared_once_for_all_edits() -> None:
    folded: list[str] = []

    class Counted(str):
        __slots__ = ()

        def casefold(self) -> str:
            folded.append(self)
            return super().casefold()

    words = tuple(word._replace(text=Counted(word.text)) for word in SOURCE.words)
    model = RECURRENT._replace(axes={"source": replace(SOURCE, words=words)})
    edits = [Block(words=("not", "NOT", "do"), queries=query) for query in range(9)]
    assert len(resolved(model, *edits).edits) == 9
    assert folded == ["do", "not", "do", "it"]


def test_a_box_is_the_cells_whose_middles_it_has_or_the_one_it_lies_in() -> None:
    assert keys_of(PICTURE, Block(box=(10, 0, 20, 20))) == [0, 1]
    assert keys_of(PICTURE, Block(box=(10, 25, 10, 50))) == [4, 8, 12]
    assert keys_of(PICTURE, Block(box=(31, 1, 2, 2))) == [2]


def test_rows_are_one_a_list_a_range_or_all() -> None:
    plan = resolved(
        LAYERS,
        Uniform(layers=1, heads=(1,), queries=range(2, 4)),
        Temperature(2, queries="all"),
        Permute(7, kind="encoder-self"),
    ).plan
    group = next(each for each in LAYERS.groups if (each.kind, each.layer) == ("cross", 1))
    assert [each.op for each in plan.row(group, 1, 2)] == ["uniform", "temperature"]
    assert [each.op for each in plan.row(group, 0, 2)] == ["temperature"]
    assert [each.op for each in plan.row(group, 1, 4)] == ["temperature"]
    own = next(each for each in LAYERS.groups if each.kind == "encoder-self")
    assert [each.op for each in plan.row(own, 0, 5)] == ["permute"]


def test_what_is_not_reached_is_unused() -> None:
    made = resolved(
        LAYERS, Uniform(queries=(3, 8)), Uniform(queries=7), Uniform(kind="encoder-self")
    )
    assert made.unused(3) == (0, 1)
    assert made.unused(4) == (1,)


def test_edits_that_do_nothing_are_dropped() -> None:
    idle = (Scale(1, keys=0), Temperature(1.0), Block(words=()), Uniform(heads=()))
    assert resolve(idle, LAYERS) is None
    assert resolved(LAYERS, *idle, Uniform()).edits == (Uniform(),)


@pytest.mark.parametrize(
    ("model", "edits", "code", "field"),
    [
        (RECURRENT, [Block(keys="all")], "empty_row", "edits[0]"),
        (RECURRENT, [Block(keys=range(5))], "empty_row", "edits[0]"),
        (RECURRENT, [Block(keys=(0, 1)), Only(keys=(0, 1))], "empty_row", "edits[1]"),
        (RECURRENT, [Only(keys=3), Scale(0, keys=3)], "empty_row", "edits[1]"),
        (RECURRENT, [SetWeight(0, keys="all")], "empty_row", "edits[0]"),
        (RECURRENT, [Row((0, 0, 0, 0, 0, 1))], "empty_row", "edits[0]"),
        (RECURRENT, [Row((0,) * 6)], "empty_row", "edits[0].weights"),
        (LAYERS, [Block(kind="decoder-self", keys=0)], "empty_row", "edits[0]"),
        (RECURRENT, [Block(keys=6)], "out_of_range", "edits[0].keys"),
        (RECURRENT, [Block(keys=-1)], "out_of_range", "edits[0].keys"),
        (RECURRENT, [Uniform(heads=1)], "out_of_range", "edits[0].heads"),
        (LAYERS, [Uniform(), Uniform(layers=(0, 2))], "out_of_range", "edits[1].layers"),
        (RECURRENT, [Uniform(queries=range(5, 10**9))], "out_of_range", "edits[0].queries"),
        (RECURRENT, [Block(words="dog")], "unknown_word", "edits[0].words"),
        (RECURRENT, [Block()], "missing_field", "edits[0].keys"),
        (RECURRENT, [Uniform(kind="encoder-self")], "invalid_choice", "edits[0].kind"),
        (RECURRENT, [Uniform(axis="question")], "invalid_choice", "edits[0].axis"),
        (RECURRENT, [SetWeight(0.5, keys=range(5))], "impossible_weight", "edits[0].weight"),
        (RECURRENT, [SetWeight(1.5, keys=0)], "out_of_range", "edits[0].weight"),
        (RECURRENT, [SetWeight(math.nan, keys=0)], "out_of_range", "edits[0].weight"),
        (RECURRENT, [Scale(-1, keys=0)], "out_of_range", "edits[0].factor"),
        (RECURRENT, [Scale(math.inf, keys=0)], "out_of_range", "edits[0].factor"),
        (RECURRENT, [Temperature(0)], "out_of_range", "edits[0].temperature"),
        (RECURRENT, [Permute(-1)], "out_of_range", "edits[0].seed"),
        (RECURRENT, [Row((1, -1, 0, 0, 0, 0))], "out_of_range", "edits[0].weights"),
        (RECURRENT, [Row((1, 1))], "invalid_row", "edits[0].weights"),
        (LAYERS, [Row((1, 1), kind="decoder-self")], "invalid_row", "edits[0].weights"),
        (RECURRENT, [Gate(0.5)], "edits_not_supported", "edits[0].op"),
        (PICTURE, [Gate(1.5)], "out_of_range", "edits[0].value"),
        (PICTURE, [Gate(0.5, heads=0)], "unknown_field", "edits[0].heads"),
        (PICTURE, [Block(words="dog")], "edits_not_supported", "edits[0].words"),
        (RECURRENT, [Block(box=(0, 0, 1, 1))], "edits_not_supported", "edits[0].box"),
        (PICTURE, [Block(box=(900, 0, 1, 1))], "out_of_range", "edits[0].box"),
        (RECURRENT._replace(longest=9_000), [Uniform()] * 12, "out_of_range", "edits[11]"),
    ],
)
def test_what_no_model_can_do_is_refused(
    model: EditedModel, edits: list[Edit], code: str, field: str
) -> None:
    with pytest.raises(InputError) as caught:
        resolve(edits, model)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert caught.value.message.endswith(".")


def test_rows_that_cannot_see_the_key_stay() -> None:
    resolved(LAYERS, Block(kind="decoder-self", keys=3), Only(kind="decoder-self", keys=4))
    resolved(LAYERS, SetWeight(0.5, kind="decoder-self", keys=0))
    resolved(LAYERS, Row((1, 2, 3), kind="decoder-self", queries=2))


def test_set_and_row_revive_what_was_blocked() -> None:
    resolved(RECURRENT, Only(keys=2), SetWeight(0.5, keys=3), Block(keys=2))
    resolved(RECURRENT, Only(keys=2), Row((1, 1, 1, 1, 1, 0)), Block(keys=2))
    resolved(RECURRENT, Silence(keys="all"))


def test_a_gate_has_the_last_value_of_each_step() -> None:
    plan = resolved(PICTURE, Gate(0.5), Gate(0.0, queries=2)).plan
    assert [plan.gate(step) for step in (0, 2, 8, 9)] == [0.5, 0.0, 0.5, None]


def test_an_edit_is_an_object_of_the_api() -> None:
    edit = SetWeight(0.4, words=["she", "he"], layers=range(1, 3), heads=0)  # type: ignore[arg-type]
    assert fields_of(edit) == {
        "op": "set",
        "weight": 0.4,
        "words": ["she", "he"],
        "layers": {"first": 1, "last": 2},
        "heads": 0,
    }
    assert hash(edit)
    assert OPERATIONS["set"] is SetWeight
