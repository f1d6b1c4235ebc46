"""The plot of times over lengths."""

from xml.etree import ElementTree as ET

import pytest

from benchmarks.plot import APART, Panel, Scale, plot

LINES = {"Heed": [(10.0, 500.0), (200.0, 600.0)], "a & b": [(10.0, 900.0), (200.0, 601.0)]}
SPACE = "{http://www.w3.org/2000/svg}"


def drawn() -> ET.Element:
    return ET.fromstring(plot([Panel("one", LINES), Panel("two", LINES)], "length", "µs"))


def test_it_is_svg_with_both_panels_and_every_name() -> None:
    texts = [text.text for text in drawn().iter(f"{SPACE}text")]
    assert {"one", "two", "length", "µs", "10", "200", "500"} <= set(texts)
    assert texts.count("Heed") == texts.count("a & b") == 2


def test_names_whose_lines_end_together_do_not_cover_each_other() -> None:
    places = [
        float(text.attrib["y"]) for text in drawn().iter(f"{SPACE}text") if text.text in LINES
    ]
    assert abs(places[0] - places[1]) >= APART


def test_a_line_has_one_colour_in_all_panels() -> None:
    lines = [
        path.attrib["stroke"] for path in drawn().iter(f"{SPACE}path") if "fill" in path.attrib
    ]
    assert lines[:2] == lines[2:]
    assert lines[0] != lines[1]


def test_scales_are_logarithmic() -> None:
    scale = Scale(1, 100, 0, 10)
    assert [scale(value) for value in (1, 10, 100)] == pytest.approx([0, 5, 10])


def test_nothing_cannot_be_plotted() -> None:
    with pytest.raises(ValueError, match="nothing"):
        plot([Panel("empty", {})], "x", "y")
