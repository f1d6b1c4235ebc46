"""The example that comes with the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import httpx
import numpy as np

from app.example import SHADES, direction, first_map, shown_of
from app.schemas import TraceOut
from models.zoo import DEFAULT_DIRECTORY, Card
from tests.browser.canned import trace
from tests.conftest import DEFAULT, Running, wait_for

Served = Callable[..., AbstractContextManager[Running]]
EXAMPLE = re.compile(r'<script type="application/json" id="example">(.*?)</script>', re.DOTALL)


def card(name: str = DEFAULT) -> Card:
    return Card.read(DEFAULT_DIRECTORY / name)


def given(client: httpx.Client, path: str = "/") -> dict | None:
    """The trace in the page."""
    found = EXAMPLE.search(client.get(path).text)
    return json.loads(found[1]) if found else None


def test_the_page_comes_with_its_example(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    told = given(client)
    assert told is not None
    asked = {"text": card().examples[0], "model": DEFAULT}
    answered = client.post("/api/v1/translate", json=asked).json()
    del told["timing"], answered["timing"]
    assert told == answered


def test_its_table_has_a_heading_and_a_number_for_every_weight(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    told = given(client)
    assert told is not None
    page = client.get("/").text
    table = page[page.index('<table id="served"') : page.index("</table>")]
    (seen,) = told["maps"]
    numbers = [float(cell) for cell in re.findall(r"<td[^>]*>(\d\.\d\d)</td>", table)]
    assert np.allclose(numbers, np.ravel(seen["weights"]), atol=0.0051)
    headings = re.findall(r'<th scope="(col|row)"[^>]*><span dir="auto">([^<]*)</span>', table)
    read = [html.unescape(text) for scope, text in headings if scope == "col"]
    assert "".join(read[:-1]).replace("␣", " ") == told["source"]["text"]
    assert read[-1] == "end"
    assert len([scope for scope, _ in headings if scope == "row"]) == len(seen["weights"])
    assert "style=" not in table


def test_an_address_that_asks_for_something_comes_without(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    assert given(client, "/?text=1+May+2001") is None
    assert given(client, "/picture") is None


def test_where_nothing_is_loaded_at_start_the_first_visit_has_it_made(served: Served) -> None:
    with served(preload="none") as it:
        assert given(it.client) is None
        wait_for(lambda: given(it.client))


def test_a_model_that_looks_at_nothing_has_no_map_to_send(client: httpx.Client) -> None:
    asked = {"text": "1 May 2001", "model": "dates-none"}
    answered = client.post("/api/v1/translate", json=asked).content
    assert shown_of(answered, card("dates-none")) is None


def test_no_text_leads_out_of_its_script() -> None:
    told = trace([["</script>"], ["b"]], [["a"], ["b"]])
    shown = shown_of(json.dumps(told).encode(), card())
    assert shown is not None
    assert "<" not in shown.trace
    assert json.loads(shown.trace) == told


def test_words_are_summed_over_what_was_read_and_averaged_over_what_was_written() -> None:
    told = trace([["a", "b"], ["c"]], [["d", "e"]])
    told["maps"][0]["weights"] = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0, 0, 0, 1]]
    shown = shown_of(json.dumps(told).encode(), card("en-fr-additive"))
    assert shown is not None
    assert [heading.text for heading in shown.columns] == ["ab", "c", "end"]
    weights = [[cell.weight for cell in row.cells] for row in shown.rows]
    assert np.allclose(weights, [[0.45, 0.25, 0.3], [0, 0, 1]])
    assert [cell.shade for cell in shown.rows[1].cells] == [0, 0, SHADES]
    assert shown.mergeable
    assert shown.short


def test_of_several_heads_it_shows_the_one_that_was_measured_to_look_best() -> None:
    told = TraceOut.model_validate(trace([["a"]], [["b"]], layers=2, heads=2))
    best = first_map(told, {"alignment_layer0_head1": 0.9, "alignment_layer1_head0": 0.2})
    last = first_map(told, {})
    assert best is not None
    assert last is not None
    assert (best.layer, best.head) == (0, 1)
    assert (last.layer, last.head) == (1, 0)


def test_the_direction_is_that_of_the_first_letter() -> None:
    assert direction("(1) שלום") == "rtl"
    assert direction("12 May") == "ltr"
    assert direction("…") == "ltr"
