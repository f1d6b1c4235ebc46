"""The other views of a trace: lines between the sentences, and models side by side."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.canned import trace
from tests.browser.steps import key_lines, open_part
from tests.browser.visits import Visit

DATES = "/?model=dates-additive&text=the%203rd%20of%20May%201979"
LONG = [["the"], ["inter", "nation", "al"], ["organ", "isation"], ["of"], ["words"]] * 6


def test_lines_run_between_the_words_and_follow_the_step(visit: Visit) -> None:
    page = visit(DATES)
    page.get_by_label("Ribbons", exact=True).check(force=True)
    expect(page.locator("#map")).to_be_hidden()
    expect(page.locator("#ribbons svg")).to_be_visible()
    expect(page).to_have_url(re.compile("view=ribbons"))
    for step in ("1", "2"):
        lit = page.locator("#ribbons .ribbon[data-lit]")
        expect(lit.first).to_have_attribute("data-row", str(int(step) - 1))
        page.locator("#forth").click()
    page.locator("#ribbons [data-row='5'] >> nth=-1").click()
    expect(page).to_have_url(re.compile("step=6"))
    page.reload()
    expect(page.locator("#ribbons [data-current]")).to_have_attribute("data-row", "5")


def test_a_word_that_was_read_lights_all_who_looked_at_it(visit: Visit) -> None:
    page = visit(f"{DATES}&view=ribbons&mass=100")
    column = page.locator("#ribbons .end[data-column='4']")
    column.hover()
    lit = page.locator("#ribbons .ribbon[data-lit]")
    expect(lit.nth(1)).to_be_attached()
    assert {node.get_attribute("data-column") for node in lit.all()} == {"4"}
    expect(page.locator("#tooltip")).to_contain_text("coverage")
    page.mouse.move(5, 5)
    expect(page.locator("#ribbons .ribbon[data-lit]:not([data-row='0'])")).to_have_count(0)
    assert lit.count() >= 1


def test_more_lines_are_drawn_until_they_hold_more(visit: Visit) -> None:
    page = visit(f"{DATES}&view=ribbons&mass=10")
    few = page.locator("#ribbons .ribbon").count()
    page.locator("#mass").fill("100")
    expect(page.locator("#mass-now")).to_contain_text("100")
    assert page.locator("#ribbons .ribbon").count() > few
    expect(page).to_have_url(re.compile("mass=100"))


@pytest.mark.parametrize("width", [360, 1280])
def test_lines_of_a_long_sentence_fit_the_page(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None], width: int
) -> None:
    page = visit.blank(viewport={"width": width, "height": 800})
    answer(page, trace(LONG, LONG))
    page.goto("/?view=ribbons&units=words")
    expect(page.locator("#ribbons svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#ribbons").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_a_step_is_taken_apart_in_the_order_of_its_parts(visit: Visit) -> None:
    page = visit(f"{DATES}&view=step&part=1")
    titles = page.locator("#chain .part h3")
    expect(titles.first).to_contain_text("The decoder’s state asks (the query)")
    later = page.locator("#chain .part[data-later]")
    expect(later).to_have_count(5)
    for left in (4, 3, 2, 1, 0):
        page.locator("#forth").click()
        expect(later).to_have_count(left)
        expect(page.locator("#place")).to_contain_text("1 /")
    expect(page.locator("#chain .bars [data-written]")).to_contain_text("1")
    page.locator("#forth").click()
    expect(page.locator("#place")).to_contain_text("2 /")
    expect(later).to_have_count(5)
    expect(page).to_have_url(re.compile("step=2.*part=1|part=1.*step=2"))
    page.keyboard.press("ArrowDown")
    expect(later).to_have_count(0)
    expect(page.locator("#place")).to_contain_text("3 /")


def test_the_numbers_of_a_step_agree_with_each_other(visit: Visit) -> None:
    page = visit(f"{DATES}&view=step&step=2")
    open_part(page, "weights")
    for step in range(2):
        read = [
            [text.replace("−", "-") for text in row.locator("td").all_text_contents()]
            for row in key_lines(page)
        ]
        scores = [float(row[1]) for row in read]
        weights = [float(row[4]) for row in read]
        exponentials = [2.718281828 ** (score - max(scores)) for score in scores]
        for exponential, weight in zip(exponentials, weights, strict=True):
            assert abs(exponential / sum(exponentials) - weight) < 0.01
        if step == 0:
            page.locator("#wrote [data-row='2']").click()
            expect(page.locator("#place")).to_have_text("3 / 11")


@pytest.mark.parametrize(
    ("model", "first", "parts"),
    [("dates-dot", "State", 5), ("dates-none", "Vector", 3)],
)
def test_each_order_is_drawn_as_it_is(visit: Visit, model: str, first: str, parts: int) -> None:
    page = visit(f"/?model={model}&text=3%20May%201979&view=step")
    expect(page.locator("#chain .part-name").first).to_have_text(first)
    expect(page.locator("#chain .part")).to_have_count(parts)


@pytest.mark.parametrize(
    ("path", "place"), [(f"{DATES}&view=step", "2 /"), ("/picture?view=step&step=2", "3 /")]
)
def test_a_symbol_tells_its_number_and_keeps_the_focus_through_the_steps(
    visit: Visit, path: str, place: str
) -> None:
    page = visit(path)
    weights = open_part(page, "weights").locator(".symbol").first
    weights.hover()
    expect(page.locator("#tooltip")).to_have_text(re.compile(r"the weights, up to [01]\.\d{3}"))
    first = page.locator("#tooltip").inner_text()
    page.mouse.move(0, 0)
    expect(page.locator("#tooltip")).to_be_hidden()
    weights.focus()
    expect(page.locator("#tooltip")).to_have_text(first)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#place")).to_contain_text(place)
    expect(weights).to_be_focused()
    expect(page.locator("#tooltip")).not_to_have_text(first)


def test_models_stand_side_by_side_on_one_sentence(visit: Visit) -> None:
    page = visit(f"{DATES}&view=compare&with=dates-dot+dates-none")
    cards = page.locator("#compare-cards .card")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "3")
    shown = [card.get_attribute("data-model") for card in cards.all()]
    assert shown == ["dates-additive", "dates-dot", "dates-none"]
    expect(page.locator("#compare-texts .card-text")).to_have_text(["1979-05-03"] * 3)
    for card in cards.all():
        expect(card.locator(".measures")).to_contain_text("%")
    expect(cards.nth(2)).to_contain_text("no attention")
    assert cards.nth(2).locator("canvas").count() == 0
    page.locator("#with-list label", has_text="no attention").click()
    expect(cards).to_have_count(2)
    expect(page).to_have_url(re.compile(r"with=dates-dot(&|$)"))
    expect(page.locator("#difference canvas")).to_be_visible()
    page.go_back()
    page.go_forward()
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")


def test_a_word_under_the_pointer_is_lit_in_all_of_them(visit: Visit) -> None:
    page = visit(f"{DATES}&view=compare&with=dates-dot")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    page.locator("#compare-cards canvas").first.hover(position={"x": 60, "y": 60})
    expect(page.locator("#compare-cards .row-head[data-lit]")).to_have_count(2)
    expect(page.locator("#compare-cards .column-head[data-lit]")).to_have_count(2)
    expect(page.locator("#tooltip")).to_contain_text("α")
    page.locator("#compare-cards .column-head").nth(4).hover()
    lit = page.locator("#compare-cards .column-head[data-lit]")
    expect(lit).to_have_count(2)
    assert {node.get_attribute("data-column") for node in lit.all()} == {"4"}


def test_the_step_is_shown_in_all_of_them(visit: Visit) -> None:
    page = visit(f"{DATES}&view=compare&with=dates-dot&step=3")
    rows = page.locator("#compare-cards .row-head[data-lit]")
    expect(rows).to_have_text(["7", "7"])
    page.locator("#forth").click()
    expect(rows).to_have_text(["9", "9"])


def test_a_model_without_attention_can_be_compared_too(visit: Visit) -> None:
    page = visit("/?model=dates-none&text=3%20May%201979")
    expect(page.locator(".blind")).to_be_visible()
    page.get_by_label("Compare", exact=True).check(force=True)
    expect(page.locator(".blind")).to_be_hidden()
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")


def test_another_sentence_is_compared_at_once(visit: Visit) -> None:
    page = visit(f"{DATES}&view=compare")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    page.locator("#text").fill("4 July 1776")
    page.locator("#text").press("Enter")
    expect(page.locator("#compare-texts .card-text")).to_have_text(["1776-07-04"] * 2)


def test_a_model_that_fails_says_so_in_its_place(visit: Visit) -> None:
    page = visit.blank()

    def refuse(route: Any) -> None:
        if '"dates-dot"' in (route.request.post_data or ""):
            error = {"code": "overloaded", "message": "Too many are asking.", "field": None}
            route.fulfill(status=503, json={"error": error})
        else:
            route.fallback()

    page.route("**/api/v1/translate", refuse)
    page.goto(f"{DATES}&view=compare&with=dates-dot+dates-none")
    failed = page.locator("#compare-cards [data-model='dates-dot']")
    expect(failed).to_contain_text("Too many are asking.")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")


def test_the_map_can_be_taken_along_as_a_spreadsheet(visit: Visit) -> None:
    page = visit(f"{DATES}&show=call")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save CSV").click()
    lines = waiting.value.path().read_text(encoding="utf-8-sig").split("\n")
    assert lines[0].startswith("characters,t,h,e")
    for line in lines[1:-1]:
        cells = next(csv.reader([line]))
        assert abs(sum(map(float, cells[1:])) - 1) < 1e-3


def test_all_heads_are_seen_at_once_and_one_is_opened(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank()
    answer(page, trace(LONG[:5], LONG[:5], layers=2, heads=4, self_attention=True))
    page.goto("/?view=heads&units=words")
    heads = page.locator("#heads .head-map")
    expect(heads).to_have_count(8)
    expect(page.locator("#heads canvas")).to_have_count(8)
    page.locator("#heads [data-layer='0'][data-head='2']").click()
    expect(page.locator("#map")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert page.locator("#layer").input_value() == "0"
    assert page.locator("#head").input_value() == "2"
    expect(page).to_have_url(re.compile("layer=1&head=3"))


def test_heads_are_pooled_and_taken_apart_again(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank()
    answer(page, trace(LONG[:5], LONG[:5], layers=2, heads=4))
    page.goto("/?units=words")
    page.locator("#head").select_option(label="mean of all")
    expect(page).to_have_url(re.compile("pool=mean"))
    strongest = "() => Math.max(...(document.querySelector('#plot').data?.[0].z.flat() ?? [2]))"
    page.wait_for_function(f"{strongest} <= 1")
    page.locator("#head").select_option(label="3")
    expect(page).not_to_have_url(re.compile("pool"))


def test_the_numbers_of_a_head_are_a_chain_of_its_own(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank()
    deep = trace(LONG[:2], LONG[:2], layers=2, heads=2, transformer=True)
    answer(page, deep)
    page.goto("/?view=step&step=2")
    for place, (layer, head) in enumerate([(1, 0), (1, 1), (0, 1)]):
        page.locator("#layer").select_option(label=str(layer + 1))
        page.locator("#head").select_option(label=str(head + 1))
        part = open_part(page, "query")
        expect(part).to_contain_text(f"the query of head {head + 1} of layer {layer + 1} 8 numbers")
        (made,) = (
            one
            for one in deep["maps"]
            if (one["kind"], one["layer"], one["head"]) == ("cross", layer, head)
        )
        query, size = made["queries"][1]["summary"], made["queries"][1]["size"]
        open_part(page, "scores")
        rows = key_lines(page)
        assert len(rows) == len(made["keys"])
        sums = [0.0] * size
        for row, key, value in zip(rows, made["keys"], made["values"], strict=True):
            cells = [text.replace("−", "-") for text in row.locator("td").all_text_contents()]
            dot = sum(q * k for q, k in zip(query, key["summary"], strict=True))
            assert abs(dot / size**0.5 - float(cells[1])) < 0.02
            assert row.locator(".spark").count() == 3
            sums = [s + float(cells[4]) * v for s, v in zip(sums, value["summary"], strict=True)]
        context = open_part(page, "context")
        strip = context.locator(".vector").first.locator(".strip")
        assert _told(strip, size) == pytest.approx(sums, abs=0.02)
        expect(context.locator(".vector")).to_have_count(2 if layer == 1 else 1)
        if place == 2:
            expect(context).to_contain_text("go on into layer 2")
    open_part(page, "scores").locator(".symbol", has_text="kⱼ").hover()
    expect(page.locator("#tooltip")).to_have_text(
        re.compile(r"the key of head . of layer 1 .*: 8 numbers")
    )


def _told(strip: Locator, size: int) -> list[float]:
    """The numbers of a vector's drawing, pointed at one after the other."""
    titles = strip.evaluate(
        """(box, size) => Array.from({ length: size }, (_, place) => {
          const { left, width } = box.getBoundingClientRect();
          const clientX = left + ((place + 0.5) / size) * width;
          box.dispatchEvent(new PointerEvent("pointermove", { clientX }));
          return box.title;
        })""",
        size,
    )
    return [float(title.replace("−", "-")) for title in titles]


def test_from_step_to_step_nothing_is_made_anew(visit: Visit) -> None:
    page = visit(f"{DATES}&view=step")
    open_part(page, "context")
    nodes = page.locator("#chain .vector, #chain .bars, #chain tr, #chain .symbol")
    nodes.evaluate_all("nodes => nodes.forEach(node => { node.dataset.seen = ''; })")
    drawn = page.locator("#chain .strip .up")
    first = drawn.get_attribute("d") or ""
    page.locator('#wrote [data-row="3"]').click()
    expect(drawn).not_to_have_attribute("d", first)
    page.locator("#slider").press("Home")
    expect(drawn).to_have_attribute("d", first)
    assert nodes.evaluate_all("nodes => nodes.every(node => 'seen' in node.dataset)")
    word = open_part(page, "word").locator("[data-written] .bar-label")
    written = word.inner_text()
    page.locator('#wrote [data-row="3"]').click()
    expect(word).not_to_have_text(written)


def test_where_there_is_no_single_head_nothing_is_taken_for_its_numbers(
    visit: Visit, answer: Callable[[Page, dict[str, Any]], None]
) -> None:
    page = visit.blank(viewport={"width": 360, "height": 740})
    answer(page, trace(LONG[:4], LONG[:4], layers=2, heads=2, transformer=True))
    page.goto("/?view=step")
    open_part(page, "context")
    expect(page.locator("#chain .keys")).to_have_attribute("data-own", "")
    box = page.locator("#chain .keys-box")
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.locator("#head").select_option(label="mean of all")
    query = open_part(page, "query")
    expect(query).to_contain_text("Choose a single head")
    page.locator("#kind").select_option(label="Masked self-attention (output to output)")
    expect(query).to_contain_text("the last output token")
    expect(query).to_contain_text("trace does not contain it")
    open_part(page, "scores")
    expect(page.locator("#chain .keys .spark")).to_have_count(0)
    expect(page.locator("#chain .part")).to_have_count(6)


def test_one_head_is_not_laid_out_beside_itself(visit: Visit) -> None:
    page = visit(f"{DATES}&view=heads")
    expect(page.locator("#map")).to_be_visible()
    expect(page.locator("#heads-option")).to_be_hidden()


def test_small_weights_are_told_apart_by_their_logarithm(visit: Visit) -> None:
    page = visit(DATES)
    total = "() => document.querySelector('#plot').data[0].z.flat().reduce((a, b) => a + b, 0)"
    before = page.evaluate(total)
    page.locator("#log").check(force=True)
    page.wait_for_function(f"() => ({total})() > {before}")
    expect(page.locator("#bar-bottom")).to_contain_text("1/1000")
    expect(page).to_have_url(re.compile("log=true"))


def test_words_are_linked_by_pressing_and_the_maps_measured_against_the_links(
    visit: Visit,
) -> None:
    page = visit("/?model=en-fr-additive&view=ribbons&text=She%20sings.")
    page.get_by_text("Your links").click()
    page.locator('#ribbons .end[data-row="1"]').click()
    page.locator('#ribbons .end[data-column="1"]').click()
    expect(page.locator("#ribbons .link")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"links=1-1"))
    # The same by keyboard: a second press makes it possible, the first word is linked, too.
    linked = page.get_by_role("group", name="Input words").get_by_role("button")
    linked.nth(1).press("Enter")
    expect(page.locator(".link[stroke-dasharray]")).to_have_count(1)
    page.get_by_role("group", name="Output words").get_by_role("button").first.press("Enter")
    linked.first.press("Enter")
    expect(page.get_by_role("textbox", name="Links")).to_have_value("0-0 1?1")
    expect(page.locator(".link-figures tbody tr")).to_contain_text("0.00")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as TSV").click()
    assert download.value.path().read_text("utf-8").split("\t")[2] == "0-0 1?1\n"
    page.get_by_text("Share and download").click()
    with page.expect_download() as download:
        page.locator("#save-json").click()
    assert json.loads(download.value.path().read_text("utf-8"))["links"] == "0-0 1?1"


def test_links_that_were_taken_off_an_example_stay_off(visit: Visit) -> None:
    text = "My%20old%20friend%20lives%20in%20the%20white%20house%20on%20the%20hill."
    page = visit(f"/?model=en-es-additive&view=ribbons&text={text}")
    links = page.get_by_role("textbox", name="Links")
    page.get_by_text("Your links").click()
    expect(links).to_have_value(re.compile("0-0 1-1"))
    links.fill("")
    links.press("Enter")
    expect(page).to_have_url(re.compile(r"links=(&|$)"))
    expect(page.locator("#ribbons .link")).to_have_count(0)
    expect(links).to_have_value("")


def test_ribbons_of_a_model_without_attention_say_so(visit: Visit) -> None:
    page = visit("/?model=en-fr-none&view=ribbons&text=She%20sings.")
    expect(page.locator("#blind-text")).to_be_visible()
    expect(page.locator('#wrote [aria-current="step"]')).to_have_count(1)


def test_a_fact_about_the_map_marks_its_cells_and_offers_an_edit(visit: Visit) -> None:
    text = "We%20met%20Theodora%20in%20Boston."
    page = visit(f"/?model=en-fr-additive&show=why&text={text}")
    copied = page.locator('[data-finding="copied"]')
    expect(copied).to_contain_text("Boston")
    copied.get_by_role("button").press("Enter")
    expect(page.locator("#plot-frame .found")).to_have_count(1)
    expect(copied.get_by_role("link")).to_contain_text("Gu et al. 2016")
    page.get_by_label("Ribbons", exact=True).check(force=True)
    expect(page.locator("#ribbons [data-found]")).to_have_count(1)
    copied.get_by_role("button", name="Try: block “Boston”").click()
    expect(page).to_have_url(re.compile(r"edits="))
    expect(page.locator("#edit-effect")).not_to_be_empty()  # the facts are listed anew
    guided = page.locator('[data-finding="guided"]')
    guided.get_by_role("button").press("Enter")
    guided.get_by_role("button", name=re.compile("^Try: ask ")).click()
    expect(page).to_have_url(re.compile("model=en-fr-additive-free"))
    expect(page).not_to_have_url(re.compile("edits="))
