"""The example that comes with the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager

import httpx
import numpy as np

from heed.models.card import Card
from heed.models.card_parser import parse_card
from heed.models.catalogue import DEFAULT_DIRECTORY
from tests.conftest import DEFAULT, Running, wait_for

Served = Callable[..., AbstractContextManager[Running]]
EXAMPLE = re.compile(r'<script type="application/json" id="example">(.*?)</script>', re.DOTALL)


def card(name: str = DEFAULT) -> Card:
    return parse_card(DEFAULT_DIRECTORY / name)


def given(client: httpx.Client, path: str = "/") -> dict | None:
    """The trace in the page."""
    found = EXAMPLE.search(client.get(path).text)
    return json.loads(found[1]) if found else None


def test_the_page_comes_with_its_example(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    embedded = given(client)
    assert embedded is not None
    body = {"text": card().examples[0], "model": DEFAULT}
    answered = client.post("/api/v1/translate", json=body).json()
    del embedded["timing"], answered["timing"]
    assert embedded == answered


def test_the_table_of_the_example_has_a_heading_and_a_number_for_every_weight(
    client: httpx.Client,
) -> None:
    wait_for(lambda: given(client))
    embedded = given(client)
    assert embedded is not None
    page = client.get("/").text
    table = page[page.index('<table id="served"') : page.index("</table>")]
    (seen,) = embedded["maps"]
    numbers = [float(cell) for cell in re.findall(r"<td[^>]*>(\d\.\d\d)</td>", table)]
    assert np.allclose(numbers, np.ravel(seen["weights"]), atol=0.0051)
    headings = re.findall(r'<th scope="(col|row)"[^>]*><span dir="auto">([^<]*)</span>', table)
    read = [html.unescape(text) for scope, text in headings if scope == "col"]
    assert "".join(read[:-1]).replace("␣", " ") == embedded["source"]["text"]
    assert read[-1] == "⟨end⟩"
    assert len([scope for scope, _ in headings if scope == "row"]) == len(seen["weights"])
    assert "style=" not in table


def test_the_state_of_the_views_does_not_change_the_page(client: httpx.Client) -> None:
    wait_for(lambda: given(client))
    assert client.get("/?view=lines&step=2&units=words&log=true").text == client.get("/").text
    assert given(client, "/picture") is None


def test_without_preloading_the_first_visit_makes_the_example(served: Served) -> None:
    with served(preload="none") as it:
        assert given(it.client) is None
        wait_for(lambda: given(it.client))
