"""The style sheets: a short scale of sizes, one colour scale, and no rule that hides a view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from heed.app.pages.link_preview import graph
from heed.output.colours import SCALE

ROOT = Path(__file__).parents[2]
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
DECLARATION = re.compile(r"([\w-]+): ?([^;}]+)")
LENGTH = re.compile(r"(?<![\w.-])-?(\d*\.?\d+)(rem|px)\b")
HAIRLINE = 7.5
"""Pixels: borders, outlines and what makes up for them are no steps of the scale."""
TYPE = re.compile(r"font(-size)?$")
SPACE = re.compile(r"(row-|column-)?gap$|(margin|padding)(-\w+)*$")


def declarations(path: Path) -> Iterator[tuple[str, str, str]]:
    """Selector, property and value of all declarations of a style sheet."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
    for selector, body in RULE.findall(text):
        for name, value in DECLARATION.findall(body):
            yield selector.strip(), name, value


def variable(name: str) -> tuple[str, str]:
    """The light and the dark value of a colour of the page."""
    for path in STYLES:
        found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", path.read_text("utf-8"))
        if found:
            return found[1], found[2]
    raise KeyError(name)


def lengths(value: str) -> list[str]:
    """The lengths in a value, without hairlines."""
    return [
        f"{size}{unit}"
        for size, unit in LENGTH.findall(value)
        if float(size) and not (unit == "px" and float(size) <= HAIRLINE)
    ]


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_sizes_of_type_and_gaps_are_steps_of_the_scale(path: Path) -> None:
    for selector, name, value in declarations(path):
        if TYPE.match(name):
            assert not lengths(re.sub(r"/\S+", "", value)), f"{selector}: {name}: {value}"
        elif SPACE.match(name):
            assert not lengths(value), f"{selector}: {name}: {value}"


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_no_rule_hides_anything_by_the_name_of_a_view(path: Path) -> None:
    for selector, name, value in declarations(path):
        hides = (name, value.strip()) in {("display", "none"), ("display", "none !important")}
        assert not (hides and re.search(r":not\(\[data-view=|^\S*\[data-view=", selector)), selector


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_no_rule_restyles_the_whole_result_with_each_request(path: Path) -> None:
    """`aria-busy` of the result changes with a request: a child of any name would be one of its."""
    for selector, _, _ in declarations(path):
        assert not re.search(r"\[aria-busy[^,]*[ >+~](\*|:(?!:))", selector), selector


def test_page_scripts_and_previews_have_one_colour_scale() -> None:
    script = (ROOT / "static/js/core/colours.js").read_text("utf-8")
    light, dark = (
        tuple(re.findall(r"#\w{6}", stops)) for stops in re.findall(r"stops: \[([^\]]*)\]", script)
    )
    styled = [variable("paper"), *(variable(f"stop-{at}") for at in range(1, len(light)))]
    assert tuple(zip(light, dark, strict=True)) == tuple(styled)
    assert light == SCALE


def test_the_classes_of_a_graph_have_one_colour_each() -> None:
    marks = (ROOT / "static/js/views/graph/marks.js").read_text("utf-8")
    found = re.search(r"COLOURS = \[([^\]]*)\]", marks)
    assert found
    page = tuple(variable(f"class-{at}")[0] for at in range(4))
    assert page == tuple(re.findall(r"#\w{6}", found[1])) == graph.COLOURS
