"""All heads of a large model on one screen: labelled, enlarged, and reached with the keyboard."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_access import faults
from tests.browser.visits import Visit

START = "/?model=dates-additive&text=3%20May%201979&show=bring"
TOKENS = ["[CLS]", *"the cat sat on the mat".split(), "[SEP]"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def weights(layer: int, head: int) -> list[list[float]]:
    """Each row is mostly on one column, another one in each head."""
    count = len(TOKENS)
    scores = [
        [3.0 if column == (row + head) % count else 0.1 * layer for column in range(count)]
        for row in range(count)
    ]
    raised = [[math.exp(score) for score in row] for row in scores]
    return [[value / sum(row) for value in row] for row in raised]


def places(page: Page, selector: str) -> list[dict[str, float]]:
    """Return the places of the elements of a selector, in one call.

    A locator finds them in another call, after which the page may have drawn them anew.
    """
    boxes: list[dict[str, float]] = page.evaluate(
        """selector => Array.from(document.querySelectorAll(selector), (each) => {
          const { x, y, width } = each.getBoundingClientRect();
          return { x, y, width };
        })""",
        selector,
    )
    return boxes


def imported(page: Page, layers: int = 12, heads: int = 12) -> None:
    """Open the attention of a model with this many heads."""
    maps = [[weights(layer, head) for head in range(heads)] for layer in range(layers)]
    body = {"source": TOKENS, "kind": "encoder-self", "weights": maps}
    page.locator("#file").set_input_files(
        {"name": "bert.json", "mimeType": "application/json", "buffer": json.dumps(body).encode()}
    )
    expect(page.locator("#form-error")).to_contain_text("bert.json")
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("#heads canvas")).to_have_count(layers * heads)


def test_the_heads_of_twelve_layers_fit_on_one_screen(visit: Visit) -> None:
    page = visit(START)
    imported(page)
    for width, height in ((1280, 720), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            "() => document.getElementById('heads').getBoundingClientRect().height <= innerHeight"
        )
        assert len({round(head["y"]) for head in places(page, "#heads .head-map")}) == 12
    expect(page.locator("#heads h3")).to_have_text([f"Layer {layer}" for layer in range(1, 13)])
    expect(page.locator(".head-numbers")).to_contain_text("12")


def test_a_small_head_is_enlarged_under_the_pointer_and_with_the_keyboard(visit: Visit) -> None:
    page = visit(START)
    imported(page)
    lens = page.locator(".lens")
    expect(lens).to_be_hidden()
    page.locator("#heads [data-layer='3'][data-head='4']").hover()
    expect(lens).to_contain_text("Layer 4, head 5")
    expect(lens.locator(".row-head").nth(1)).to_have_text("the")
    page.keyboard.press("Escape")
    expect(lens).to_be_hidden()
    page.locator("#heads [tabindex='0']").focus()
    page.keyboard.press("Home")
    expect(page.locator("#heads [data-layer='0'][data-head='0']")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(lens).to_contain_text("Layer 2, head 2")
    expect(page.locator("#heads [tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator("#layer")).to_have_value("1")
    expect(page.locator("#head")).to_have_value("1")


def test_on_a_phone_they_keep_its_width_and_keep_nobody_out(visit: Visit) -> None:
    page = visit(START, **PHONE)
    imported(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []


@pytest.mark.parametrize("options", [{}, PHONE])
def test_a_number_stands_above_the_heads_that_have_it(
    visit: Visit, options: dict[str, Any]
) -> None:
    page = visit(START, **options)
    imported(page)
    numbers = places(page, ".head-numbers > :not(.layer-word)")
    heads = places(page, "#heads [data-layer='0']")
    assert len(numbers) == len(heads) == 12
    for above, below in zip(numbers, heads, strict=True):
        middle = above["x"] + above["width"] / 2
        assert below["x"] <= middle <= below["x"] + below["width"]


@pytest.mark.parametrize("heads", [4, 8])
def test_a_line_of_heads_leaves_no_place_empty(visit: Visit, heads: int) -> None:
    page = visit(START)
    imported(page, layers=2, heads=heads)
    lines = Counter(round(head["y"]) for head in places(page, "#heads .head-map"))
    assert len(set(lines.values())) == 1
    assert page.locator("#heads .head-name").first.inner_text().startswith("Head 1")
