"""A trace as a plain table."""

from __future__ import annotations

from typing import Any

import httpx
import numpy as np

from heed.app.pages.table import Table, table_of
from heed.app.schemas import TraceOut
from tests.browser.canned import trace
from tests.browser.canned_pictures import trace as picture_trace


def table(document: dict[str, Any], *, characters: bool = False) -> Table:
    found = table_of(TraceOut.model_validate(document), characters=characters)
    assert found is not None
    return found


def numbers(of: Table) -> list[Any]:
    return [cells for _, cells in of.rows]


def test_words_are_sums_over_input_tokens_and_means_over_output_tokens() -> None:
    document = trace([["a", "b"], ["c"]], [["d", "e"]])
    document["maps"][0]["weights"] = [[0.1, 0.2, 0.3, 0.4], [0.5, 0.1, 0.2, 0.2], [0, 0, 0, 1]]
    found = table(document)
    assert found.columns == ["ab", "c", "⟨end⟩"]
    assert [name for name, _ in found.rows] == ["de", "⟨end⟩"]
    assert np.allclose(numbers(found), [[0.45, 0.25, 0.3], [0, 0, 1]])
    assert found.largest == 1
    apart = table(document, characters=True)
    assert apart.columns == ["a", "b", "c", "⟨end⟩"]
    assert np.allclose(numbers(apart), document["maps"][0]["weights"])


def test_the_table_of_several_heads_is_the_mean_over_the_last_layer() -> None:
    document = trace([["a"]], [["b"]], layers=2, heads=2, self_attention=True)
    maps = {(one["layer"], one["head"]): one for one in document["maps"] if one["kind"] == "cross"}
    maps[0, 0]["weights"] = maps[0, 1]["weights"] = [[1, 0], [1, 0]]
    maps[1, 0]["weights"] = [[0, 1], [0, 1]]
    maps[1, 1]["weights"] = [[0.5, 0.5], [0, 1]]
    assert np.allclose(numbers(table(document)), [[0.25, 0.75], [0, 1]])


def test_a_model_without_attention_has_no_table(client: httpx.Client) -> None:
    body = {"text": "1 May 2001", "model": "dates-none"}
    answered = client.post("/api/v1/translate", json=body).json()
    assert table_of(TraceOut.model_validate(answered)) is None


def test_the_table_of_a_picture_names_the_strongest_cells_of_each_word() -> None:
    document = picture_trace()
    found = table(document)
    assert found.columns == ["probability", "strongest cells"]
    assert found.rows[-1][0] == "⟨end⟩"
    (seen,) = [one for one in document["maps"] if one["kind"] == "cross"]
    for number, (_, (chance, cells)) in enumerate(found.rows):
        strongest = int(np.argmax(seen["weights"][number]))
        row, column = divmod(strongest, document["source"]["columns"])
        weight = seen["weights"][number][strongest]
        assert chance == f"{document['steps'][number]['probability']:.2f}"
        assert str(cells).startswith(f"row {row + 1}, column {column + 1}: {weight:.2f}; row ")
        assert str(cells).count("row") == 3
