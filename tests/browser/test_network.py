"""The picture of the network: arrows, parts, keyboard, player, phone, files."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.downloads import saved
from tests.browser.steps import open_part
from tests.browser.test_access import faults
from tests.browser.visits import Visit

SENTENCE = quote("The white house is old.")
TEXT = f"/?text={SENTENCE}&view=network&step=3&model="
PICTURE = "/picture?view=network&step=2&sample=portrait&model="
FULL = 26
"""Width of an arrow of weight 1."""
WEIGHTS = """() => [...document.querySelectorAll('.network [data-weight]')].map(arrow => [
  Number(arrow.dataset.weight), Number(arrow.getAttribute('stroke-width')),
])"""
WATCHED = """() => {
  const drawing = document.querySelector('.network svg');
  window.before = new Set(drawing.querySelectorAll('[data-part]'));
  window.rows = [];
  new MutationObserver(() => window.rows.push(drawing.dataset.row))
    .observe(drawing, { attributeFilter: ['data-row'] });
  window.touched = 0;
  new MutationObserver(records => { window.touched += records.length; })
    .observe(drawing, { subtree: true, childList: true, attributes: true, characterData: true });
}"""
TO_STEPS = """async (steps) => {
  const slider = document.getElementById('slider');
  const parts = Number(slider.step) < 1 ? document.querySelectorAll('#chain .part').length : 1;
  for (const step of steps) {
    slider.value = String(step * parts);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
}"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def drawn(page: Page, kind: str) -> None:
    """Wait until a picture of this kind is drawn."""
    expect(page.locator(f'.network svg[data-kind="{kind}"] [data-part]')).not_to_have_count(0)


def arrows(page: Page) -> list[list[float]]:
    """Return weight and width of each arrow."""
    found: list[list[float]] = page.evaluate(WEIGHTS)
    return found


def part(page: Page, name: str) -> None:
    """Press a part, which may be narrower than a pointer needs."""
    page.locator(f'.network [data-part="{name}"]').first.dispatch_event("click")


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("en-fr-additive", "recurrent"),
        ("en-fr-dot", "recurrent"),
        ("en-fr-transformer", "transformer"),
    ],
)
def test_arrows_are_as_wide_as_the_weights_of_the_step(visit: Visit, model: str, kind: str) -> None:
    page = visit(TEXT + model)
    drawn(page, kind)
    before = arrows(page)
    assert len(before) > 3
    assert sum(weight for weight, _ in before) == pytest.approx(1, abs=0.01)
    for weight, width in before:
        assert width == pytest.approx(max(weight * FULL, 0.5), abs=0.02)
    page.locator("#slider").press("ArrowRight")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "3")
    assert arrows(page) != before
    assert faults(page) == []


def test_without_attention_there_is_one_vector(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-none")
    drawn(page, "fixed")
    assert arrows(page) == []
    part(page, "context")
    expect(page.locator(".network-card")).to_contain_text("the whole input is compressed")
    assert faults(page) == []


def test_a_part_shows_its_numbers_and_follows_the_player(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive")
    drawn(page, "recurrent")
    card = page.locator(".network-card")
    part(page, "weight:1")
    expect(card).to_contain_text("Attention to “white”")
    numbers = card.locator("dl").inner_text()
    weight = page.locator('[data-part="weight:1"] [data-weight]').get_attribute("data-weight")
    assert weight
    assert weight in numbers
    page.locator("#slider").press("Home")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "0")
    expect(card.locator("dl")).not_to_have_text(numbers)
    part(page, "memory:1")
    expect(card.locator(".strip")).to_have_count(1)
    card.get_by_role("button", name="Close").click()
    expect(card).to_be_hidden()


def test_the_parts_are_one_tab_stop_and_the_arrow_keys_move_between_them(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive")
    drawn(page, "recurrent")
    expect(page.locator('.network svg [tabindex="0"]')).to_have_count(1)
    page.locator('.network svg [tabindex="0"]').focus()
    focused = page.locator(".network svg :focus")
    expect(focused).to_have_attribute("data-part", "input:0")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_attribute("data-part", "input:1")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("data-part", "memory:1")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "2")
    page.keyboard.press("Enter")
    expect(page.locator(".network-card h3")).to_contain_text("h₂")
    page.keyboard.press("Escape")
    expect(page.locator(".network-card")).to_be_hidden()
    expect(focused).to_have_attribute("data-part", "memory:1")


def test_playing_goes_part_by_part_and_hides_later_words(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive&speed=0.5")
    drawn(page, "recurrent")
    words = page.locator('.network [data-part^="output:"]')
    every = words.count()
    page.locator("#slider").press("Home")
    page.locator("#slider").press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(words).not_to_have_count(every)
    expect(page.locator(".network [data-later]")).not_to_have_count(0)
    page.get_by_role("button", name="Pause", exact=True).click()
    expect(words).not_to_have_count(every)
    page.locator("#slider").press("End")
    expect(words).to_have_count(every)


def test_a_written_word_is_a_step(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive")
    drawn(page, "recurrent")
    part(page, "output:1")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "1")
    expect(page.locator(".network-card .bars li")).not_to_have_count(0)


@pytest.mark.parametrize(
    ("model", "kind", "named"),
    [
        ("caption-soft", "captioner", "gate"),
        ("caption-transformer", "captioner", "decoder:0"),
        ("ask", "ask", "word:1"),
    ],
)
def test_the_network_of_a_photo(visit: Visit, model: str, kind: str, named: str) -> None:
    page = visit(PICTURE + model)
    drawn(page, kind)
    shown = arrows(page)
    assert shown
    for weight, width in shown:
        assert width == pytest.approx(max(weight * FULL, 0.5), abs=0.02)
    part(page, named)
    expect(page.locator(".network-card")).to_be_visible()
    part(page, "cells")
    expect(page.locator(".network-card")).to_contain_text("14 × 14 cells")
    assert faults(page) == []


@pytest.mark.parametrize("path", [TEXT + "en-fr-transformer", PICTURE + "ask"])
def test_a_phone_has_it_without_scrolling_the_page_sideways(visit: Visit, path: str) -> None:
    page = visit(path, viewport={"width": 390, "height": 844}, color_scheme="dark")
    expect(page.locator(".network svg [data-part]")).not_to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    part(page, "context")
    expect(page.locator(".network-card")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_stands_beside_the_parts_of_a_step(visit: Visit) -> None:
    page = visit(TEXT.replace("network", "step") + "en-fr-additive")
    drawn(page, "recurrent")
    expect(page.locator(".network-fold")).to_have_attribute("open", "")
    page.locator("#slider").press("ArrowDown")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "3")


def test_it_is_saved_as_a_drawing(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive&show=call")
    drawn(page, "recurrent")
    _, drawing = saved(page, "SVG")
    assert re.search(r"<desc>Step 3: the decoder looks mostly at", drawing.decode())


@pytest.mark.parametrize("view", ["step", "network"])
def test_steps_that_follow_each_other_in_one_frame_are_drawn_once(visit: Visit, view: str) -> None:
    page = visit(TEXT.replace("network", view) + "en-fr-transformer")
    drawn(page, "transformer")
    page.evaluate(WATCHED)
    page.evaluate(TO_STEPS, [1, 2, 4, 5])
    expect(page.locator(".network svg")).to_have_attribute("data-row", "4")
    assert page.evaluate("window.rows") == ["4"]


def test_a_step_keeps_the_elements_of_the_picture(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-transformer")
    drawn(page, "transformer")
    page.evaluate(WATCHED)
    page.evaluate(TO_STEPS, [4])
    expect(page.locator(".network svg")).to_have_attribute("data-row", "3")
    parts = page.evaluate("window.before.size")
    kept = page.evaluate("[...window.before].filter(node => node.isConnected).length")
    assert parts > 20
    assert kept == parts


def test_a_pointer_on_the_word_that_is_shown_changes_nothing_in_the_picture(visit: Visit) -> None:
    page = visit(TEXT + "en-fr-additive")
    drawn(page, "recurrent")
    page.locator("#slider").press("End")
    last = page.locator("#wrote [data-row]").last
    expect(page.locator(".network svg")).to_have_attribute(
        "data-row", last.get_attribute("data-row") or ""
    )
    page.evaluate(TWO_FRAMES)
    page.evaluate(WATCHED)
    last.dispatch_event("pointerover", {"pointerType": "mouse", "bubbles": True})
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("window.touched") == 0


@pytest.mark.parametrize("folded", [True, False])
def test_a_picture_out_of_sight_or_folded_is_not_drawn_until_it_is_seen(
    visit: Visit, folded: bool
) -> None:
    size = {"width": 720 if folded else 1280, "height": 900}  # beside the parts it does not fold
    page = visit(TEXT.replace("network", "step") + "en-fr-additive", viewport=size)
    drawn(page, "recurrent")
    if folded:
        page.locator(".network-fold summary").click()
    else:
        page.locator(".network-fold").evaluate("node => { node.style.marginTop = '400vh' }")
        page.evaluate("scrollTo(0, 0)")
    page.evaluate(TWO_FRAMES)
    page.evaluate(TWO_FRAMES)
    page.evaluate(WATCHED)
    page.evaluate(TO_STEPS, [4])
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("window.touched") == 0
    if folded:
        page.locator(".network-fold summary").click()
    else:
        page.locator(".network-fold").evaluate("node => { node.style.marginTop = '' }")
    expect(page.locator(".network svg")).to_have_attribute("data-row", "3")


def test_the_numbers_of_a_photo_stay_open_from_step_to_step(visit: Visit) -> None:
    page = visit(PICTURE.replace("network", "step") + "caption-soft")
    open_part(page, "weights")
    panel = page.locator(".digits")
    panel.locator("summary").click()
    expect(panel.locator("tbody")).to_contain_text(re.compile(r"\d"))
    numbers = panel.locator("tbody").inner_text()
    page.evaluate(TO_STEPS, [4])
    expect(panel.locator("tbody")).not_to_have_text(numbers)
    expect(panel).to_have_attribute("open", "")


def test_loaded_weights_are_arrows_of_their_width(visit: Visit) -> None:
    page = visit("/?model=dates-additive&text=3%20May%201979&show=bring&view=network")
    body = {
        "source": ["the", "cat", "sat"],
        "target": ["le", "chat"],
        "weights": [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]],
    }
    page.locator("#file").set_input_files(
        {"name": "own.json", "mimeType": "application/json", "buffer": json.dumps(body).encode()}
    )
    drawn(page, "generic")
    expect(page.locator(".network [data-later]")).to_have_count(0)
    assert [weight for weight, _ in arrows(page)] == pytest.approx([0.7, 0.2, 0.1])
    expect(page.locator('.network [data-part="softmax"], .network [data-weight]')).to_have_count(3)
    part(page, "weight:0")
    expect(page.locator(".network-card")).to_contain_text("0.7000")
