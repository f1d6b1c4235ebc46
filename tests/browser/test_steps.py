"""Walking through the steps: by slider, by playing, by keys, by pointing."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.visits import Visit


def current(page: Page) -> str | None:
    """The row that is lit in the output."""
    return page.locator("#wrote [aria-current=step]").get_attribute("data-row")


def expect_step(page: Page, step: int) -> None:
    """Everything that shows the step shows this one."""
    expect(page.locator("#place")).to_have_text(re.compile(rf"^{step} / \d+$"))
    expect(page.locator("#slider")).to_have_value(str(step))
    expect(page.locator("#sentence")).to_have_text(re.compile(rf"^Step {step} of"))
    expect(page.locator(f'#wrote [data-row="{step - 1}"]')).to_have_attribute(
        "aria-current", "step"
    )
    expect(page.locator("#wrote [aria-current]")).to_have_count(1)
    expect(page.locator(f'#row-heads [data-row="{step - 1}"]')).to_have_attribute(
        "data-current", ""
    )
    lit, row = (
        page.locator(".lit").bounding_box(),
        page.locator("#row-heads [data-current]").bounding_box(),
    )
    assert lit is not None
    assert row is not None
    assert abs(lit["y"] - row["y"]) < 1


def test_the_slider_walks_the_steps(page: Page) -> None:
    expect_step(page, 1)
    page.locator("#slider").fill("3")
    expect_step(page, 3)
    page.locator("#slider").press("ArrowRight")
    expect_step(page, 4)
    page.locator("#slider").press("Home")
    expect_step(page, 1)
    expect(page.locator("#slider")).to_have_attribute("aria-valuetext", re.compile("^Step 1 of"))


def test_the_buttons_walk_the_steps_and_stop_at_the_ends(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    expect_step(page, 2)
    page.get_by_role("button", name="Previous step").click()
    expect_step(page, 1)
    back = page.get_by_role("button", name="Previous step")
    expect(back).to_have_attribute("aria-disabled", "true")
    back.click(force=True)
    expect_step(page, 1)


def test_play_walks_all_steps_and_stops(visit: Visit) -> None:
    page = visit("/?speed=4")
    last = int(page.locator("#slider").get_attribute("max") or 0)
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#place")).to_have_text(f"{last} / {last}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect_step(page, last)
    expect(page).to_have_url(re.compile(rf"step={last}\b"))


def test_while_it_plays_what_comes_later_is_not_there_yet(page: Page) -> None:
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#map-grid")).to_have_attribute("data-writing", "")
    for place in ("#wrote", "#row-heads"):
        expect(page.locator(f"{place} [data-unwritten]")).not_to_have_count(0)
    page.get_by_role("button", name="Pause").click()
    for place in ("#wrote", "#row-heads"):
        expect(page.locator(f"{place} [data-unwritten]")).to_have_count(0)
    assert page.locator("#map-grid").get_attribute("data-writing") is None


def test_playing_goes_on_when_the_view_changes(visit: Visit) -> None:
    page = visit("/?speed=0.5")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#place")).not_to_have_text(re.compile("^1 /"))
    page.get_by_label("each row").check(force=True)
    expect(page.locator("#bar-top")).to_have_text("row maximum")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#place")).not_to_have_text(re.compile("^1 /"))


def test_a_new_question_ends_the_playing(page: Page) -> None:
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="Play").click()
    page.locator("#text").fill("5 june 2001")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("5 june 2001")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect_step(page, 1)


def test_a_piece_of_the_output_is_its_step(page: Page) -> None:
    page.locator('#wrote [data-row="3"]').click()
    page.mouse.move(0, 0)
    expect_step(page, 4)
    expect(page).to_have_url(re.compile("step=4"))


def test_pointing_at_a_piece_shows_its_step_until_the_pointer_leaves(page: Page) -> None:
    page.locator('#wrote [data-row="5"]').hover()
    expect_step(page, 6)
    page.mouse.move(2, 2)
    expect_step(page, 1)
    assert "step=" not in page.url


def test_where_it_looks_is_tinted_in_what_it_read(page: Page) -> None:
    tints = "nodes => nodes.map(node => node.style.backgroundColor)"
    first = page.locator("#read .piece").evaluate_all(tints)
    assert any(first)
    page.locator("#slider").press("End")
    last = page.locator("#read .piece, #read .mark").evaluate_all(tints)
    assert first != last[: len(first)]


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.locator("#text").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("5 june 2001")
    page.keyboard.press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("5 june 2001")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.locator("#wrote [data-row]:focus").count():
            break
    expect(page.locator("#wrote [data-row]:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect_step(page, 2)
    expect(page.locator('#wrote [data-row="1"]')).to_be_focused()
    page.keyboard.press("End")
    expect_step(page, int(page.locator("#slider").get_attribute("max") or 0))
    page.keyboard.press("Home")
    expect_step(page, 1)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Play")).to_be_focused()


def test_the_keys_move_the_row_in_the_map_too(page: Page) -> None:
    page.locator("#map").focus()
    page.keyboard.press("ArrowDown")
    expect_step(page, 2)
    page.keyboard.press("ArrowUp")
    expect_step(page, 1)


def test_typing_is_left_alone(page: Page) -> None:
    page.locator("#text").focus()
    for key in ("ArrowRight", "Home", "End", "Space"):
        page.keyboard.press(key)
    expect_step(page, 1)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_with_reduced_motion_nothing_moves_by_itself_but_play_still_steps(
    visit: Visit,
) -> None:
    page = visit("/?speed=4", reduced_motion="reduce")
    moving = "() => document.getAnimations().length"
    assert page.evaluate(moving) == 0
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#place")).not_to_have_text(re.compile("^1 /"))
    assert page.evaluate(moving) == 0


def test_the_numbers_of_the_step(page: Page) -> None:
    page.locator("#numbers summary").click()
    panel = page.locator("#numbers-body")
    expect(panel.get_by_role("heading", name="Alternatives")).to_be_visible()
    expect(panel.locator(".bars [data-written]")).to_have_count(1)
    expect(panel.locator(".strip")).to_have_count(3)
    expect(panel.locator(".order")).to_contain_text("Bahdanau")
    written = page.locator('#wrote [data-row="1"]').inner_text()
    page.get_by_role("button", name="Next step").click()
    expect(panel.locator("[data-written] .bar-label")).to_have_text(written)
    top = panel.locator("tbody tr").first
    weights = [float(cell) for cell in panel.locator("tbody td:last-child").all_inner_texts()]
    assert weights == sorted(weights, reverse=True)
    expect(top.get_by_role("rowheader")).to_be_visible()


def test_a_score_is_taken_apart_on_demand(visit: Visit) -> None:
    page = visit("/?model=en-fr-transformer&view=step&step=2&text=The%20dog%20sleeps.")
    page.get_by_text("Why this score?").click()
    table = page.locator("table.split")
    expect(table.locator("tfoot b")).to_have_text(re.compile(r"^−?\d+\.\d\d$"))
    expect(table.locator("thead th").first).to_have_text("embedding")
    page.get_by_label("Key", exact=True).select_option("0")
    expect(page.locator(".why-score [role=status]")).to_contain_text("is the sum of all products")
    page.route("**/score", lambda _: None)  # an answer that never comes
    page.locator("#wrote [data-row]").first.hover()
    expect(table).to_be_hidden()  # it has the numbers of another row
    page.mouse.move(0, 0)
    expect(table).to_be_visible()  # and is not asked for again
    page.get_by_label("Key", exact=True).select_option("1")
    expect(page.locator(".why-score [role=status]")).to_have_text("Computing…")
    expect(table).to_be_hidden()  # it has the numbers of another key
    page.get_by_role("radio", name="Map").check(force=True)
    expect(page.locator(".why-score")).to_be_hidden()


def test_the_score_of_a_cell_is_that_of_words_and_cells_before(visit: Visit) -> None:
    page = visit("/picture?model=caption-soft&view=step&step=3&sample=sheep")
    page.get_by_text("Why this score?").click()
    table = page.locator("table.split")
    expect(table.get_by_role("row", name="remainder")).to_be_visible()
    expect(table.get_by_role("row", name="the other 191 cells")).to_be_visible()
    expect(page.get_by_label("Key", exact=True).locator("option")).to_have_count(12)
