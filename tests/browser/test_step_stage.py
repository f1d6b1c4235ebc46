"""The view of a step: it is computed part by part, and nothing is known before its part."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import DEVICES, PHONE, whole_on_first_screen
from tests.browser.steps import open_part
from tests.browser.visits import Visit

SENTENCE = quote("The white house is old.")
RECURRENT = f"/?model=en-fr-additive&text={SENTENCE}&view=step"
STEPS = {
    "recurrent": f"{RECURRENT}&step=2",
    "transformer": f"/?model=en-fr-transformer&text={SENTENCE}&view=step&step=2",
    "captioner": "/picture?view=step&step=2",
    "story": "/story?view=step&step=1",
    "graph": "/graph?view=step&step=2",
    "read": "/read?view=step&step=4",
    "glimpse": "/glimpse?view=step&step=2",
    "see": "/see?view=step&layer=2&head=1",
}
NO_COLOUR = "rgba(0, 0, 0, 0)"
PLAYING = "document.getAnimations().filter(({ playState }) => playState === 'running').length"
LENGTH = """() => Math.max(0, ...document.getAnimations()
  .filter(({ effect }) => effect.target.closest('.parts'))
  .map(({ effect }) => effect.getComputedTiming().endTime))"""


def forth(page: Page, parts: int = 1) -> None:
    """Go so many parts on."""
    for _ in range(parts):
        page.locator("#forth").click()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", STEPS)
def test_the_diagram_and_the_current_part_are_on_the_first_screen(
    visit: Visit, kind: str, device: str
) -> None:
    page = visit(f"{STEPS[kind]}&part=3", **DEVICES[device], reduced_motion="reduce")
    expect(page.locator(".part[data-open]")).to_have_count(1)
    shown = ["#sentence", ".player", ".parts", ".part[data-open] h3"]
    if device == "desktop":
        shown.append(".network svg" if page.locator(".network").count() else ".step-aside")
    whole_on_first_screen(page, device, *shown)


def test_on_a_phone_the_network_is_open_and_closed_for_the_numbers(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=3", **PHONE, reduced_motion="reduce")
    body = page.locator(".part[data-open] .part-body")
    expect(page.locator(".network svg")).to_be_visible()
    expect(body).to_be_hidden()
    page.locator(".network-fold summary").click()
    expect(body).to_be_visible()
    expect(page.locator(".part-line").first).to_be_visible()


def test_the_first_step_is_computed_from_an_empty_box_like_the_others(visit: Visit) -> None:
    page = visit(RECURRENT)
    word = page.locator("#wrote [aria-current=step]")
    written = word.inner_text()
    expect(page.locator("#sentence")).to_contain_text(f"wrote “{written}”")
    forth(page)
    expect(page.locator("#place")).to_have_text(re.compile(r"^1 / \d+ · part 1$"))
    for said in ("query is formed", "compared with every input word", "turns the scores"):
        expect(page.locator("#sentence")).to_contain_text(said)
        expect(page.locator("#chain")).not_to_contain_text(written, use_inner_text=True)
        expect(word).to_have_css("color", NO_COLOUR)
        expect(word).to_have_accessible_name("Step 1, to come")
        expect(page.locator("#wrote [data-unwritten]").first).to_be_attached()
        forth(page)
    forth(page, 2)
    expect(page.locator("#sentence")).to_contain_text(f"wrote “{written}”")
    expect(word).not_to_have_css("color", NO_COLOUR)
    expect(page.locator("#chain [data-written]")).to_contain_text(written)
    expect(word).to_have_accessible_name(f"Step 1, “{written}”")


def test_a_word_in_pieces_is_whole_and_each_of_its_pieces_has_a_step(visit: Visit) -> None:
    text = "The automatic gardener saw chrysanthemums."
    page = visit(f"/?model=en-fr-additive&text={text}&view=step")
    pieces = page.locator(".piece-choice button")
    word = "automatique"
    page.locator("#wrote").get_by_text(word, exact=True).click()
    expect(pieces.first).to_have_attribute("aria-pressed", "true")
    assert "".join(pieces.all_inner_texts()) == word
    chosen = page.locator("#chain [data-written] .bar-label")
    expect(chosen).to_have_text(pieces.first.inner_text())
    place = page.locator("#place").inner_text()
    last = pieces.last.inner_text()
    pieces.last.click()
    expect(chosen).to_have_text(last)
    expect(page.locator("#place")).to_have_text(place)
    expect(page.locator("#read")).to_contain_text("chrysanthemums")
    page.get_by_label("subwords", exact=True).check(force=True)
    expect(page.locator("#wrote [aria-current=step]")).to_have_text(last)


def test_where_it_looks_is_known_from_the_weights_on(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=2")
    looked = page.locator("#read .piece", has_text="house")
    strong = page.locator('.network [data-part^="input:"] text[font-weight]')
    expect(looked).to_have_css("background-color", NO_COLOUR)
    expect(strong).to_have_count(0)
    forth(page)
    expect(page.locator("#sentence")).to_contain_text("Softmax")
    expect(looked).not_to_have_css("background-color", NO_COLOUR)
    expect(strong).not_to_have_count(0)


def test_a_row_that_is_not_computed_yet_is_not_shown_under_the_pointer(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=2")
    page.locator('#wrote [data-row="3"]').hover()
    expect(page.locator("#sentence")).to_contain_text("compared with every input word")
    page.locator('#wrote [data-row="0"]').hover()
    expect(page.locator("#sentence")).to_contain_text("Step 1 of")


def test_a_finished_part_is_a_line_that_opens(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=4")
    scores = page.locator('.part[data-name="scores"]')
    expect(scores).to_have_text(re.compile(r"^2\s+Scores\s+\S+ \d+\.\d"), use_inner_text=True)
    expect(page.locator('.part[data-name="state"] .part-line')).to_be_disabled()
    open_part(page, "scores")
    expect(scores.locator(".formula")).to_be_visible()
    expect(page.locator('.part[data-name="context"] .part-line')).to_be_visible()
    expect(page.locator("#place")).to_contain_text("part 4")
    forth(page)
    expect(page.locator('.part[data-name="state"]')).to_have_attribute("data-open", "")


def test_an_opened_part_stays_open_from_step_to_step(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2")
    weights = open_part(page, "weights")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#place")).to_contain_text("3 /")
    expect(weights).to_have_attribute("data-open", "")


def test_a_long_table_has_its_strongest_lines_and_says_how_many_more(visit: Visit) -> None:
    text = quote("A man in a green shirt stands in front of the old house. " * 3)
    page = visit(f"/?model=en-fr-additive&text={text}&view=step&step=3")
    open_part(page, "weights")
    lines = page.locator(".keys tbody tr")
    expect(lines.nth(24)).to_be_attached()
    expect(lines.locator("visible=true")).to_have_count(8)
    more = page.get_by_role("button", name=f"{lines.count() - 8} more")
    more.click()
    expect(lines.locator("visible=true")).to_have_count(lines.count())
    page.get_by_role("button", name="Only the 8 strongest").click()
    expect(lines.locator("visible=true")).to_have_count(8)


@pytest.mark.parametrize("speed", ["1", "2"])
def test_a_part_moves_for_as_long_as_the_player_shows_it(visit: Visit, speed: str) -> None:
    page = visit(f"{RECURRENT}&step=2&part=1&speed={speed}")
    forth(page)
    length = page.wait_for_function(LENGTH).json_value()
    assert 0 < length <= 1200 / float(speed) + 1


@pytest.mark.parametrize("kind", STEPS)
def test_each_part_of_each_kind_moves_its_figures(visit: Visit, kind: str) -> None:
    page = visit(f"{STEPS[kind]}&part=1&speed=0.5")
    count = page.locator(".part").count()
    for part in range(2, count + 1):
        forth(page)
        expect(page.locator(".part").nth(part - 1)).to_have_attribute("data-open", "")
        page.wait_for_function(f"() => {PLAYING} > 0")


def test_vectors_run_along_their_arrows_and_words_into_sentence_and_state(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=3&speed=0.5")
    forth(page)
    expect(page.locator(".runners > g")).not_to_have_count(0)
    forth(page)
    expect(page.locator(".runners text")).to_have_count(1)
    forth(page)
    expect(page.locator(".flying")).to_have_text(page.locator("#wrote [aria-current]").inner_text())
    page.keyboard.press("Home")
    expect(page.locator(".flying")).to_have_count(0)


def test_the_slider_holds_a_part_at_an_instant(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=1&part=1")
    slider = page.locator("#slider")
    slider.fill("3.5")
    expect(page.locator("#place")).to_contain_text("1 / 7 · part 4")
    held = """() => document.getAnimations().length && document.getAnimations()
      .every(({ playState, currentTime }) => playState === 'paused' && currentTime === 600)"""
    page.wait_for_function(held)
    slider.press("ArrowRight")
    expect(page.locator("#place")).to_contain_text("1 / 7 · part 5")


def test_nothing_moves_where_a_person_wants_less_motion(visit: Visit) -> None:
    page = visit(f"{RECURRENT}&step=2&part=1", reduced_motion="reduce")
    for part in range(2, 7):
        forth(page)
        expect(page.locator(".part").nth(part - 1)).to_have_attribute("data-open", "")
        assert page.evaluate("document.getAnimations().length") == 0


def test_the_answer_of_a_story_is_hidden_until_its_last_hop_is_computed(visit: Visit) -> None:
    page: Page = visit("/story?view=step&step=1")
    options: dict[str, Any] = {"use_inner_text": True}
    answer = page.locator("#answer").inner_text()
    forth(page)
    expect(page.locator("#place")).to_contain_text("part 1")
    expect(page.locator("#answer")).to_have_css("color", NO_COLOUR)
    expect(page.locator("#sentence")).not_to_contain_text(answer)
    expect(page.locator(".parts")).not_to_contain_text(answer, **options)
    page.keyboard.press("End")
    expect(page.locator("#sentence")).to_contain_text(answer)
    expect(page.locator("#answer")).not_to_have_css("color", NO_COLOUR)


def test_the_words_of_self_attention_are_there_from_the_beginning(visit: Visit) -> None:
    heads = "&map=encoder-self&layer=2&head=1"
    page = visit(f"/?model=en-fr-transformer&text={SENTENCE}&view=step&step=2&part=3{heads}")
    expect(page.locator("#sentence")).to_contain_text("Softmax")
    expect(page.locator("#wrote [data-unwritten]")).to_have_count(0)
    expect(page.locator("#wrote [aria-current=step]")).not_to_have_css("color", NO_COLOUR)
