"""The drawing of the architecture is that of the code, and its layout holds for any code."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from docs import draw_architecture as drawing


def test_the_drawing_is_up_to_date() -> None:
    assert drawing.TARGET.read_text(encoding="utf-8") == drawing.svg(), "make architecture"


def test_the_drawing_is_well_formed() -> None:
    ElementTree.fromstring(drawing.svg())


def test_only_arrows_that_follow_from_others_are_left_out() -> None:
    edges = {("a", "b"), ("b", "c"), ("a", "c"), ("a", "d")}
    assert drawing.reduced(edges) == {("a", "b"), ("b", "c"), ("a", "d")}


def test_imports_against_the_layers_and_circles_are_drawn_apart() -> None:
    layer = {"high": 0, "low": 1}
    edges = {("high", "low"), ("low", "high")}
    assert drawing.split_circles(layer, edges, layer) == ({("high", "low")}, {("low", "high")})
    forward, back = drawing.split_circles("ab", {("a", "b"), ("b", "a")}, {})
    assert len(forward) == len(back) == 1


def test_arrows_run_down_and_boxes_stand_apart() -> None:
    names = set("abcdefg")
    edges = {("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("a", "e"), ("e", "g"), ("d", "g")}
    it = drawing.panel("training", names, edges)
    assert all(it.y[a] < it.y[b] for a, b in it.edges)
    for row in it.rows:
        places = [it.x[name] for name in row if name in names]
        gaps = [b - a for a, b in pairwise(places)]
        assert all(gap >= drawing.WIDTH + drawing.GAP - 1e-6 for gap in gaps)
    assert min(it.x[name] for name in names) >= drawing.WIDTH / 2
    assert max(it.x[name] for name in names) <= it.width - drawing.WIDTH / 2


@pytest.mark.parametrize("name", drawing.CAPTIONS)
def test_a_caption_fits_its_box(name: str) -> None:
    inside = "." in name or name.count("/") > 1
    titles = ("heed.app", "heed.models")
    assert len(drawing.CAPTIONS[name]) <= (29 if inside and name not in titles else 60)


def test_every_layer_of_the_contracts_has_a_caption() -> None:
    for root in ("heed.app", "heed.models"):
        assert drawing.layers(root)
        boxes = {name for name in drawing.layers(root) if not name.endswith("__main__")}
        assert boxes <= drawing.CAPTIONS.keys()
