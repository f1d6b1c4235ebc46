"""Word alignments read off attention: their error rate, and rows that drift."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from heed.models.align import Counts, Gold, alignments, landed, links_of
from heed.models.catalogue import Catalogue
from heed.models.generation.requests import TextRequest
from heed.models.heads import Links, parse_links, read_links
from heed.models.trace import TokenAxis, Trace
from tests.models.test_heads import KNOWN, traces_of_file

TEXT, TARGET = "I do not know where she lives .", "je ne sais pas où elle vit ."
SURE = "0-0 2-1 3-2 2-3 4-4 5-5 6-6 7-7"
GOLD = Gold(parse_links(SURE), parse_links(SURE))


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A pair that is forced, with links that its model knows."""
    [trace] = Catalogue().load("en-fr-additive").run([TextRequest(TEXT, TARGET)])
    return trace


def test_possible_links_are_told_from_sure_ones() -> None:
    assert sorted(parse_links("0-0 2?1")) == [(0, 0)]
    assert sorted(read_links("0-0 2?1", "-?")) == [(0, 0), (2, 1)]
    with pytest.raises(ValueError, match="links are pairs"):
        read_links("0+1", "-?")


def test_the_error_rate_is_that_of_och_and_ney() -> None:
    made: Links = frozenset({(0, 0), (1, 1), (2, 2)})
    gold = Gold(frozenset({(0, 0), (3, 3)}), frozenset({(0, 0), (3, 3), (1, 1)}))
    counts = Counts().plus(made, gold)
    assert counts == (3, 2, 1, 2)
    assert counts.error == pytest.approx(1 - (1 + 2) / (3 + 2))


def test_a_translator_aligns_what_it_writes(trace: Trace) -> None:
    [alignment] = alignments([trace], [GOLD])
    assert alignment.error < 0.2
    assert not alignment.drifts
    assert landed(trace, alignment, [5]) == [5]


@pytest.mark.parametrize("late", [1, -1])
def test_rows_that_are_one_late_or_early_are_found(trace: Trace, late: int) -> None:
    [attention] = trace.output.maps
    rolled = attention._replace(weights=np.roll(attention.weights, late, axis=0))
    moved = replace(trace, output=replace(trace.output, maps=(rolled,)))
    [straight], [drifted] = (alignments([each], [GOLD]) for each in (trace, moved))
    assert drifted.shift == late
    assert drifted.error == pytest.approx(straight.error, abs=0.15)


def test_a_word_is_linked_to_the_sum_of_its_pieces(trace: Trace) -> None:
    source, target = trace.source, trace.output.target
    assert isinstance(source, TokenAxis)
    assert isinstance(target, TokenAxis)
    weights = np.zeros((len(target), len(source)), np.float32)
    weights[:, 0] = 1
    assert links_of(weights, source, target) == {(0, place) for place in range(8)}


def test_the_figures_are_those_that_the_page_computes() -> None:
    """`tests/js/core/alignment.test.js` compares the page with the same file."""
    given = json.loads(KNOWN.read_text("utf-8"))["aligned"]
    gold = Gold(parse_links(given["links"]), read_links(given["links"], "-?"))
    found = alignments(traces_of_file()[:1], [gold])
    assert [each._asdict() for each in found] == [
        pytest.approx(expected, abs=1e-9) for expected in given["figures"]
    ]
