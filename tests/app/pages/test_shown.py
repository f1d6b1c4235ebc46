"""An answer as a page shows it before any script."""

from __future__ import annotations

import json
from typing import Any

import httpx
import numpy as np
import pytest

from heed.app.pages import shown as module
from heed.app.pages.links import Looks
from heed.app.pages.notes import direction
from heed.app.pages.shown import SHADES, Shown, Table, picked, shown_of
from heed.app.schemas import TraceOut
from tests.app.pages.test_example import card
from tests.browser.canned import trace


def drawn(told: dict[str, Any], name: str = "en-fr-additive", **looks: Any) -> Shown:
    """What is shown of a canned trace."""
    shown = shown_of(json.dumps(told).encode(), card(name), Looks(**looks))
    assert shown is not None
    return shown


def table(told: dict[str, Any], name: str = "en-fr-additive", **looks: Any) -> Table:
    found = drawn(told, name, **looks).table
    assert found is not None
    return found


def numbers(of: Table) -> list[list[float]]:
    return [[cell.weight for cell in row.cells] for row in of.rows]


def shades(of: Table) -> list[list[int]]:
    return [[cell.shade for cell in row.cells] for row in of.rows]


def test_of_a_model_that_looks_at_nothing_there_is_the_text_and_no_table(
    client: httpx.Client,
) -> None:
    asked = {"text": "1 May 2001", "model": "dates-none"}
    answered = client.post("/api/v1/translate", json=asked).content
    shown = shown_of(answered, card("dates-none"))
    assert shown is not None
    assert shown.table is None
    assert shown.wrote.text == "2001-05-01"


def test_no_text_leads_out_of_its_script() -> None:
    told = trace([["</script>"], ["b"]], [["a"], ["b"]])
    shown = drawn(told)
    assert "<" not in shown.trace
    assert json.loads(shown.trace) == told


def test_words_are_summed_over_what_was_read_and_averaged_over_what_was_written() -> None:
    told = trace([["a", "b"], ["c"]], [["d", "e"]])
    told["maps"][0]["weights"] = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0, 0, 0, 1]]
    found = table(told)
    assert [heading.text for heading in found.columns] == ["ab", "c", "⟨end⟩"]
    assert np.allclose(numbers(found), [[0.45, 0.25, 0.3], [0, 0, 1]])
    assert shades(found)[1] == [0, 0, SHADES]
    assert drawn(told).mergeable
    assert found.short
    apart = table(told, units="subwords")
    assert np.allclose(numbers(apart), told["maps"][0]["weights"])


def test_it_is_coloured_by_row_and_by_logarithm_where_the_address_says_so() -> None:
    told = trace([["a"], ["b"]], [["c"]])
    told["maps"][0]["weights"] = [[0.5, 0.05, 0.45], [0.0, 0.0, 1.0]]
    assert shades(table(told)) == [[12, 1, 11], [0, 0, 24]]
    assert shades(table(told, scale="row")) == [[24, 2, 22], [0, 0, 24]]
    assert shades(table(told, scale="row", log=True))[0] == [24, 16, 24]


def test_the_row_of_the_step_is_marked_and_past_the_end_the_last() -> None:
    told = trace([["a"]], [["b", "c"], ["d"]])
    current = [
        [row.current for row in table(told, step=step).rows].index(True) for step in (1, 2, 3, 99)
    ]
    assert current == [0, 0, 1, 2]


def test_of_several_heads_it_shows_the_one_that_was_measured_to_look_best() -> None:
    told = TraceOut.model_validate(trace([["a"]], [["b"]], layers=2, heads=2))
    measured = {"alignment_layer0_head1": 0.9, "alignment_layer1_head0": 0.2}
    places = [
        picked(told, measured, Looks()),
        picked(told, {}, Looks()),
        picked(told, measured, Looks(layer=2)),
        picked(told, measured, Looks(layer=7, head=1)),
    ]
    assert [(one.layer, one.head) for one in places if one] == [(0, 1), (1, 0), (1, 0), (0, 0)]


def test_what_can_be_chosen_stands_there_from_the_start() -> None:
    choices = drawn(trace([["a"]], [["b"]], layers=2, heads=2), layer=1, head=2).choices
    assert [option.name for option in choices.heads] == ["1", "2", "mean of all", "largest of all"]
    assert [option.chosen for option in choices.heads] == [False, True, False, False]
    assert [option.chosen for option in choices.layers] == [True, False]


@pytest.mark.parametrize("looks", [{"pool": "mean"}, {"map": "encoder-self"}, {"rows": "1"}])
def test_what_the_table_cannot_show_waits_for_the_script(looks: dict[str, str]) -> None:
    assert drawn(trace([["a"]], [["b"]])).stays
    assert not drawn(trace([["a"]], [["b"]]), **looks).stays


def test_what_is_too_large_comes_after_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.dumps(trace([["a"]], [["b"]])).encode()
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    assert shown_of(content, None) is None
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    assert shown_of(content, None) is None
    assert shown_of(content, None, bounded=False) is not None


def test_the_direction_is_that_of_the_first_letter() -> None:
    assert direction("(1) שלום") == "rtl"
    assert direction("12 May") == "ltr"
    assert direction("…") == "ltr"


def test_what_was_passed_over_is_told(client: httpx.Client) -> None:
    asked = {"model": "en-fr-additive"}

    def passed(text: str) -> str:
        told = client.post("/api/v1/translate", json=asked | {"text": text}).json()
        return drawn(told).read.note

    assert passed("I love you.") == ""
    assert passed("I love you 😀😀") == "Ignored (unknown to this model): “😀”."
    assert passed("你 love 好 吗 😀").endswith("it: “你”, “好”, “吗” and 1 more.")
    hardly = "Rare in training, so the model may guess: "
    assert passed("I love Zorblax.") == f"{hardly}“Zorblax”."
    assert passed("I love Zorblax 😀.").endswith(f"it: “😀”. {hardly}“Zorblax”.")
