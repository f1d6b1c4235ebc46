"""The picture: what must never merge, shrink, drift apart or be cut off."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.canned import trace
from tests.browser.visits import Visit

Answer = Callable[[Page, dict[str, Any]], None]
LONG = [["the"], ["inter", "nation", "al"], ["organ", "isation"], ["of"], ["words"]] * 6


@pytest.fixture
def shown(visit: Visit, answer: Answer) -> Callable[..., Page]:
    """The page with this trace, whatever it asks for."""

    def show(made: dict[str, Any], path: str = "/?units=words", **options: Any) -> Page:
        page = visit.blank(**options)
        answer(page, made)
        page.goto(path)
        expect(page.locator("#map")).to_have_attribute("data-painted", "1")
        return page

    return show


def box(locator: Locator) -> dict[str, float]:
    """Where it is on the screen."""
    found = locator.bounding_box()
    assert found is not None
    return dict(found)


def test_words_spelled_the_same_stay_apart(shown: Callable[..., Page]) -> None:
    page = shown(trace([["the"], ["the"], ["the"]], [["la"], ["la"]]))
    expect(page.locator("#column-heads > *")).to_have_text(["the", "the", "the", "⟨end⟩"])
    expect(page.locator("#row-heads > *")).to_have_text(["la", "la", "⟨end⟩"])
    data = page.evaluate(
        "() => { const {z, x, y} = document.querySelector('#plot').data[0]; return {z, x, y}; }"
    )
    assert (data["x"], data["y"]) == ([0, 1, 2, 3], [0, 1, 2])
    assert [len(row) for row in data["z"]] == [4, 4, 4]


@pytest.mark.parametrize("words", [[["a"], ["b"]], LONG, [["שלום"], ["עולם"], ["יפה"]]])
def test_headings_stand_over_their_cells(
    shown: Callable[..., Page], words: list[list[str]]
) -> None:
    page = shown(trace(words, [["x"], ["y"], ["z"]]))
    frame = box(page.locator("#plot-frame"))
    image = box(page.locator("#plot .heatmaplayer image"))
    assert abs(frame["x"] - image["x"]) < 1
    assert abs(frame["width"] - image["width"]) < 1
    heads = page.locator("#column-heads > *")
    cell = frame["width"] / heads.count()
    assert cell >= 26
    rtl = page.locator("#map").get_attribute("dir") == "rtl"
    for index in range(heads.count()):
        place = heads.count() - 1 - index if rtl else index
        assert abs(box(heads.nth(index))["x"] - (frame["x"] + place * cell)) < 1
    rows = page.locator("#row-heads > *")
    for index in range(rows.count()):
        wanted = frame["y"] + index * frame["height"] / rows.count()
        assert abs(box(rows.nth(index))["y"] - wanted) < 1


def test_a_long_map_scrolls_under_headings_that_stay(shown: Callable[..., Page]) -> None:
    page = shown(trace(LONG * 2, LONG * 2), "/?units=subwords&size=readable")
    corner, first = box(page.locator(".corner")), box(page.locator("#column-heads > *").first)
    page.locator("#map").evaluate("map => map.scrollTo(600, 400)")
    assert box(page.locator(".corner")) == corner
    assert box(page.locator("#column-heads"))["y"] == first["y"] - (first["y"] - corner["y"])
    assert box(page.locator("#row-heads"))["x"] == corner["x"]
    assert box(page.locator("#column-heads > *").first)["x"] == first["x"] - 600
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_current_row_scrolls_into_its_box(shown: Callable[..., Page]) -> None:
    page = shown(trace(LONG * 2, LONG * 2), "/?units=subwords&size=readable")
    page.locator("#slider").press("End")
    row, whole = box(page.locator("#row-heads [data-current]")), box(page.locator("#map"))
    assert whole["y"] < row["y"] < whole["y"] + whole["height"]


def test_a_long_word_keeps_to_its_place(shown: Callable[..., Page]) -> None:
    endless = "donaudampfschifffahrtsgesellschaft" * 3
    page = shown(trace([[endless], ["x"]], [[endless]]), viewport={"width": 360, "height": 780})
    head = page.locator("#row-heads > *").first
    assert box(head)["width"] <= 100
    expect(head).to_have_attribute("title", endless)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_one_token_is_a_map_too(shown: Callable[..., Page]) -> None:
    page = shown(trace([], []))
    expect(page.locator("#sentence")).to_have_text(re.compile("^Step 1 of 1: ended the text"))
    expect(page.locator("#slider")).to_be_disabled()
    expect(page.locator("#column-heads > *")).to_have_text(["⟨end⟩"])


def test_a_text_from_right_to_left_is_drawn_so(shown: Callable[..., Page]) -> None:
    page = shown(trace([["مرحبا"], ["بالعالم"]], [["hello"], ["world"]]))
    expect(page.locator("#read")).to_have_attribute("dir", "rtl")
    expect(page.locator("#wrote")).to_have_attribute("dir", "ltr")
    heads = page.locator("#column-heads > *")
    assert box(heads.nth(0))["x"] > box(heads.nth(1))["x"] > box(heads.nth(2))["x"]
    assert page.evaluate("() => document.querySelector('#plot').layout.xaxis.range") == [2.5, -0.5]
    page.locator("#plot").hover(position={"x": box(page.locator("#plot"))["width"] - 10, "y": 10})
    expect(page.locator("#tooltip")).to_contain_text("مرحبا")


def test_arabic_typed_into_the_field_runs_from_the_right(page: Page) -> None:
    page.locator("#text").fill("٣ مايو")
    assert page.locator("#text").evaluate("field => getComputedStyle(field).direction") == "rtl"
    page.locator("#text").press("Enter")
    expect(page.locator("#read")).to_have_attribute("dir", "rtl")


def test_the_pointer_reads_the_exact_numbers(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"], ["c"]], [["x"], ["y"]]))
    page.locator("#plot").hover(position={"x": 5, "y": 5})
    expect(page.locator("#tooltip")).to_have_text(re.compile(r"“x” ← “a”\s*α 0\.9250\s+e −0\.078"))
    page.mouse.move(2, 2)
    expect(page.locator("#tooltip")).to_be_hidden()


def test_a_cell_and_a_heading_choose_their_row(page: Page) -> None:
    height = box(page.locator("#plot-frame"))["height"] / page.locator("#row-heads > *").count()
    page.locator("#plot").click(position={"x": 40, "y": height * 2.5})
    page.mouse.move(2, 2)
    expect(page.locator("#place")).to_have_text(re.compile("^3 /"))
    page.locator('#row-heads [data-row="4"]').click()
    expect(page.locator("#place")).to_have_text(re.compile("^5 /"))


def test_words_and_pieces_are_two_views_of_one_trace(shown: Callable[..., Page]) -> None:
    page = shown(
        trace([["un", "like"], ["this"]], [["so"], ["ge", "nau"]]), "/?step=3&units=subwords"
    )
    expect(page.locator("#column-heads > *")).to_have_text(["un", "like", "this", "⟨end⟩"])
    expect(page.locator("#place")).to_have_text("3 / 4")
    page.get_by_label("words", exact=True).check(force=True)
    expect(page.locator("#column-heads > *")).to_have_text(["unlike", "this", "⟨end⟩"])
    expect(page.locator("#place")).to_have_text("2 / 3")
    expect(page).to_have_url(re.compile("units=words"))


def test_the_bar_says_what_the_colours_are_scaled_to(page: Page) -> None:
    expect(page.locator("#bar-top")).to_have_text(re.compile(r"^\d\.\d\d$"))
    page.get_by_label("each row").check(force=True)
    expect(page.locator("#bar-top")).to_have_text("row maximum")
    expect(page.locator("#map")).to_have_attribute("data-painted", "2")
    rows = page.evaluate(
        "() => document.querySelector('#plot').data[0].z.map(row => Math.max(...row))"
    )
    assert all(top == 1 for top in rows)


def test_layers_and_heads_can_be_chosen_where_there_are_several(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"], ["c"]], [["x"]], layers=2, heads=3))
    expect(page.locator("#layer")).to_have_value("1")
    expect(page.locator("#head")).to_have_value("0")
    expect(page.locator("label:has(#kind)")).to_be_hidden()
    before = page.locator("#sentence").inner_text()
    page.locator("#head").select_option(label="3")
    expect(page.locator("#sentence")).not_to_have_text(before)
    expect(page).to_have_url(re.compile("head=3"))


def test_with_one_map_there_is_nothing_to_choose(page: Page) -> None:
    for name in ("kind", "layer", "head"):
        expect(page.locator(f"label:has(#{name})")).to_be_hidden()
    expect(page.locator("#hypotheses")).to_be_hidden()


def test_a_map_of_the_input_with_itself(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"]], [["x"]], self_attention=True), "/?map=encoder-self")
    expect(page.locator("#row-heads > *")).to_have_text(["a", "b", "⟨end⟩"])
    expect(page.locator("#sentence")).to_have_text(re.compile("^Position 1 of 3: “a”"))


def test_the_table_holds_the_same_numbers(page: Page) -> None:
    assert page.locator("#table table").count() == 0, "not made before it is wanted"
    page.locator("#table summary").click()
    table = page.locator("#table table")
    expect(table.locator("thead th[scope=col]:not(.margin)")).to_have_count(
        page.locator("#column-heads > *").count()
    )
    expect(table.locator("tbody th[scope=row]")).to_have_count(
        page.locator("#row-heads > *").count()
    )
    expect(table.locator("caption")).to_contain_text("sums to 1")
    for row in range(table.locator("tbody tr").count()):
        cells = table.locator("tbody tr").nth(row).locator("td:not(.margin)").all_inner_texts()
        assert abs(sum(map(float, cells)) - 1) < 0.02
    coverages = table.locator("tfoot td.margin").all_inner_texts()
    assert abs(sum(map(float, coverages)) - table.locator("tbody tr").count()) < 0.1


def test_sixty_by_sixty_steps_without_drawing_again(shown: Callable[..., Page]) -> None:
    page = shown(trace(LONG, LONG), "/?units=subwords")
    for _ in range(20):
        page.locator("#slider").press("ArrowRight")
    expect(page.locator("#place")).to_have_text(re.compile("^21 /"))
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")


def test_without_plotly_everything_else_still_works(visit: Visit) -> None:
    page = visit.blank()
    page.route("**/plotly.min.js", lambda route: route.abort())
    page.goto("/")
    expect(page.locator("#plot")).to_contain_text("could not be drawn")
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("^Step 2 of"))
    page.locator("#table summary").click()
    expect(page.locator("#table table")).to_be_visible()


def test_what_is_held_tells_its_sums(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"], ["c"]], [["x"], ["y"]]))
    heads = page.locator("#column-heads > *")
    heads.nth(0).click()
    heads.nth(1).click()
    expect(page.locator("#row-sums > *")).to_have_text(["0.95", "0.95", "0.05"])
    expect(page.locator("#map-note")).to_contain_text("Selected: “a” and “b”")
    expect(page).to_have_url(re.compile(r"columns=1\+2"))
    page.locator("#row-heads > *").nth(1).click(modifiers=["Shift"])
    expect(page.locator("#column-sums > *")).to_have_text(["0.03", "0.93", "0.03", "0.03"])
    expect(page).to_have_url(re.compile(r"rows=2"))
    page.reload()
    expect(page.locator("#row-sums > *")).to_have_text(["0.95", "0.95", "0.05"])
    expect(page.locator("#column-sums > *")).to_have_count(4)
    page.locator("#slider").press("Escape")
    expect(page.locator("#row-sums > *")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("columns="))


def test_columns_are_held_from_the_keyboard_in_the_table(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"]], [["x"], ["y"]]), "/?units=words&show=table")
    button = page.locator("#table-body").get_by_role("button", name="b", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    expect(page.locator("#table-body tbody tr").nth(1)).to_contain_text("0.933")
    expect(page.locator("#row-sums > *")).to_have_text(["0.03", "0.93", "0.03"])


def test_a_new_sentence_lets_go(shown: Callable[..., Page]) -> None:
    page = shown(trace([["a"], ["b"]], [["x"]]), "/?units=words&columns=1")
    expect(page.locator("#row-sums > *")).to_have_count(2)
    page.locator("#text").fill("another")
    page.locator("#text").press("Enter")
    expect(page.locator("#row-sums > *")).to_have_count(0)
