"""Edits of attention on the page: by mouse, by keys and by address, and the words that follow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import Visit

HOUSE = "/?model=en-fr-additive&text=The+white+house+on+the+hill+is+old."
BEFORE = "La maison blanche sur la colline est vieille."
WRITTEN = "#wrote .piece"


@pytest.fixture
def editing(visit: Visit) -> Page:
    """The page with its controls for edits on the map."""
    page = visit(f"{HOUSE}&editing=1")
    expect(page.locator("#edit-cells")).to_be_visible()
    return page


def written(page: Page) -> Locator:
    return page.locator("#wrote")


def edits(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("edits", [""])[0]


def middle(page: Page, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    cells = page.locator("#edit-cells").bounding_box()
    assert cells is not None
    rows, columns = (page.locator(f"#{name}-heads > *").count() for name in ("row", "column"))
    return (
        cells["x"] + cells["width"] * (column + 0.5) / columns,
        cells["y"] + cells["height"] * (row + 0.5) / rows,
    )


def test_a_cell_is_dragged_and_the_words_follow(editing: Page) -> None:
    page = editing
    x, y = middle(page, row=1, column=5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 120, steps=4)
    expect(page.locator("#edit-cell")).to_contain_text(
        re.compile(r"“hill” with a weight of 0\.[89]")
    )
    page.mouse.up()
    expect(written(page)).to_contain_text("La colline")
    expect(page.locator("#before")).to_contain_text(BEFORE)
    expect(page.locator("#before [data-kept]")).to_have_text(["La"])
    expect(page.locator("#before [data-gone]").first).to_have_text("maison")
    expect(page.locator("#edit-effect")).to_contain_text("instead of “maison”")
    page.wait_for_url(re.compile(r"edits=set_q2_k6_p0\.[89]"))
    page.get_by_role("button", name="Undo").click()  # the whole drag at once
    expect(written(page)).to_contain_text(BEFORE)
    expect(page.locator(".edit-chip")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(written(page)).to_contain_text("La colline")


def test_a_drag_is_one_edit_though_its_row_gets_other_tokens(visit: Visit) -> None:
    text = "The old woman showed the children the small house near the church."
    page = visit(f"/?{urlencode({'model': 'en-fr-additive', 'text': text, 'editing': 1})}")
    expect(page.locator("#edit-cells")).to_be_visible()
    x, y = middle(page, row=2, column=3)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 120, steps=4)
    expect(written(page)).to_contain_text("La vieille montra")  # two pieces, where "femme" is one
    with page.expect_response("**/translate"):
        page.mouse.move(x, y - 100)
    page.mouse.up()
    expect(page.locator(".edit-chip")).to_have_text([re.compile("“showed” = 0.[0-9]+ at step 3")])
    page.get_by_role("button", name="Undo").click()
    expect(written(page)).to_contain_text("La vieille femme")


def test_a_movement_to_the_same_weight_requests_nothing(editing: Page) -> None:
    page = editing
    sent: list[Any] = []
    page.on("request", lambda asked: sent.append(asked.post_data) if asked.post_data else None)
    x, y = middle(page, row=1, column=5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 120)
    expect(written(page)).to_contain_text("La colline")
    page.mouse.move(x + 1, y - 120)
    page.mouse.move(x, y - 120)
    with page.expect_response("**/translate"):
        page.mouse.up()  # the scores
    with page.expect_request("**/translate"):
        page.mouse.click(*middle(page, row=2, column=1))
    assert len(sent) == len(set(sent)) == 3


def test_an_answer_during_a_drag_has_weights_and_the_last_one_has_scores(visit: Visit) -> None:
    page = visit("/?model=en-fr-transformer&editing=1")
    expect(page.locator("#edit-cells")).to_be_visible()
    x, y = middle(page, row=1, column=2)
    page.mouse.move(x, y)
    page.mouse.down()
    with page.expect_response("**/translate") as passing:
        page.mouse.move(x, y - 60)
    assert passing.value.json()["request"]["detail"] == "weights"
    with page.expect_response("**/translate") as last:
        page.mouse.up()
    assert last.value.json()["request"]["detail"] == "steps"
    page.locator("#numbers > summary").click()
    expect(page.locator("#numbers-body tr td:nth-child(3)").first).to_have_text(re.compile(r"\d"))


def test_a_map_that_is_edited_follows_the_window(editing: Page) -> None:
    page = editing
    grid = page.locator("#map-grid")
    x, y = middle(page, row=1, column=5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=4)
    page.mouse.up()
    expect(page.locator(".edit-chip")).to_have_count(1)
    width = re.compile(r"--cell-width: \d[^;]*")
    (wide,) = width.findall(grid.get_attribute("style") or "")
    page.set_viewport_size({"width": 400, "height": 720})
    expect(grid).not_to_have_attribute("style", re.compile(re.escape(wide)))
    expect(grid).to_have_attribute("style", width)


def test_a_press_blocks_and_a_second_one_takes_it_off(editing: Page) -> None:
    page = editing
    page.mouse.click(*middle(page, row=2, column=1))
    expect(page.locator(".edit-chip")).to_have_text(["block “white” at step 3×"])
    expect(page.locator("#edit-cell")).to_contain_text("weight of 0.00")
    page.mouse.click(*middle(page, row=2, column=1))
    expect(page.locator(".edit-chip")).to_have_count(0)
    page.locator("#column-heads > *").nth(1).click()
    expect(page.locator(".edit-chip")).to_have_text(["block “white”×"])
    expect(written(page)).to_contain_text("La maison sur la colline")
    page.locator("#row-heads > *").nth(0).click()
    expect(page.locator(".edit-chip")).to_have_text(["block “white”×", "uniform at step 1×"])
    page.get_by_role("button", name="Drop: block “white”").click()
    expect(page.locator(".edit-chip")).to_have_text(["uniform at step 1×"])
    page.get_by_role("button", name="Reset").click()
    expect(written(page)).to_contain_text(BEFORE)


def test_a_cell_is_chosen_and_edited_with_the_keys(visit: Visit) -> None:
    page = visit(HOUSE)
    page.locator("#wrote [data-row]").first.focus()
    page.keyboard.press("e")
    cells = page.locator("#edit-cells")
    expect(cells).to_be_visible()
    cells.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("#edit-cell")).to_contain_text("“blanche” looks at “white”")
    page.keyboard.press("-")
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^“white” = 0.9[0-9]* at step 3×")])
    page.keyboard.press("Delete")
    expect(page.locator(".edit-chip")).to_have_text(["block “white” at step 3×"])
    page.keyboard.press("u")
    expect(page.locator(".edit-chip")).to_have_count(2)
    page.keyboard.press("e")
    expect(cells).to_have_count(0)


def test_edits_come_from_the_address_and_show_what_they_changed(visit: Visit) -> None:
    page = visit(f"{HOUSE}&edits=block_wwhite&editing=difference")
    expect(written(page)).to_contain_text("La maison sur la colline")
    expect(page.locator("#edit-help")).to_contain_text("what the edits changed")
    page.locator("#edit-compare").uncheck()
    expect(page.locator("#edit-help")).to_contain_text("watch the one word go")
    page.locator("#text").fill("I do not know where she lives.")
    page.locator("#text").press("Enter")
    expect(written(page)).to_contain_text("Je ne sais pas")
    assert edits(page) == ""


def test_what_the_server_refuses_is_said_and_not_kept(visit: Visit) -> None:
    page = visit(f"{HOUSE}&edits=only_k1&editing=1")
    expect(page.locator("#edit-cells")).to_be_visible()
    page.locator("#column-heads > *").nth(0).click()
    expect(page.locator("#edit-refusal")).to_contain_text("without a key")
    expect(page.locator(".edit-chip")).to_have_text(["only “The”×"])
    page.goto(f"{HOUSE}&edits=block_k400")
    expect(page.locator("#form-error")).to_contain_text("cannot be made")
    expect(written(page)).to_contain_text(BEFORE)


def test_one_head_of_several_is_left_out(visit: Visit) -> None:
    page = visit("/?model=en-fr-transformer&text=I+do+not+know+where+she+lives.&editing=1")
    page.get_by_role("button", name="Without this head").click()
    expect(page.locator(".edit-chip")).to_have_count(1)
    page.get_by_role("button", name="Only this head").click()
    expect(page.locator(".edit-chip")).to_have_count(3)
    expect(page.locator("#edit-scope option")).to_have_count(3)


@pytest.mark.parametrize(
    ("view", "mark"),
    [
        ("step", '[data-part="weight:1"]'),
        ("network", '[data-part="weight:1"]'),
        ("ribbons", 'path[data-row="2"][data-column="1"]'),
    ],
)
def test_a_weight_is_dragged_in_other_views(visit: Visit, view: str, mark: str) -> None:
    page = visit(f"{HOUSE}&editing=1&step=3&view={view}")
    expect(page.locator("[data-edited]")).to_have_count(1)
    page.locator(mark).first.scroll_into_view_if_needed()  # once the panel has its place beside it
    box = page.locator(mark).first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 70, steps=3)
    expect(page.locator("#edit-cell")).to_contain_text("“white” with a weight of 0.4")
    page.mouse.up()
    expect(page.locator(".edit-chip")).to_have_text([re.compile("“white” = 0.4[0-9]* at step 3")])


COMPARED = f"{HOUSE}&view=compare&with=en-fr-dot+en-fr-transformer&editing=1"


def compared_row(page: Page, model: str, row: int) -> tuple[float, float]:
    """A place in a row of the map of a model that is compared."""
    card = page.locator(f'#compare-cards [data-model="{model}"]')
    frame = card.locator(".plot-frame").bounding_box()
    assert frame is not None
    height = frame["height"] / card.locator(".row-head").count()
    return frame["x"] + 20, frame["y"] + height * (row + 0.5)


def test_a_row_is_dragged_from_one_model_to_another(visit: Visit) -> None:
    page = visit(COMPARED)
    expect(page.locator("#compare-cards[data-gives]")).to_have_attribute("data-drawn", "3")
    page.mouse.move(*compared_row(page, "en-fr-dot", 4))
    page.mouse.down()
    page.mouse.move(*compared_row(page, "en-fr-additive", 1), steps=4)
    expect(page.locator(".row-ghost")).to_contain_text("“la”")
    page.mouse.up()
    expect(page.locator(".row-ghost")).to_have_count(0)
    expect(page.locator(".edit-chip")).to_have_text(["row given at step 2×"])
    expect(page.locator("#edit-cell")).to_contain_text("looks where “dot product (Luong)” looked")
    expect(page.locator("#edit-effect")).to_contain_text("“la” is written instead of “maison”")
    # The models that gave, or did not take part, write what they wrote.
    texts = page.locator("#compare-texts .compare-text")
    expect(texts.nth(1)).to_contain_text(BEFORE)
    expect(texts.nth(2)).to_contain_text(BEFORE)
    page.get_by_role("button", name="Undo").click()
    expect(written(page)).to_contain_text(BEFORE)


def test_a_row_is_given_with_the_keys_to_a_model_that_then_comes_first(visit: Visit) -> None:
    page = visit(COMPARED)
    expect(page.locator("#compare-cards[data-gives]")).to_have_attribute("data-drawn", "3")
    additive, dot = (
        page.locator(f'#compare-cards [data-model="en-fr-{name}"] .small-box')
        for name in ("additive", "dot")
    )
    said = page.locator("#edit-cell")
    additive.focus()
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Row 3 of “additive (Bahdanau)”, “blanche”")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("is taken")
    dot.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#compare-cards .card").first).to_have_attribute("data-model", "en-fr-dot")
    expect(page.locator(".edit-chip")).to_have_text(["row given at step 2×"])
    expect(page.locator("#compare-note")).to_contain_text("only that of “dot product (Luong)”")
    expect(page.locator("#model-now")).to_contain_text("dot product")


CAPTIONED = "/picture?model=caption-soft&view=compare&editing=1"


def captioned(visit: Visit, **how: Any) -> tuple[Page, Callable[[str, int], Locator]]:
    """Captioners of one photo that are edited, and their words."""
    page = visit(CAPTIONED, **how)
    expect(page.locator("#compare-cards[data-gives]")).to_have_attribute("data-drawn", "3")
    card = '#compare-cards [data-model="caption-{}"] [data-place]'
    return page, lambda model, row: page.locator(card.format(model)).nth(row)


def middle_of(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_word_of_a_caption_is_dragged_to_that_of_another_model(visit: Visit) -> None:
    page, word = captioned(visit)
    before = page.locator('[data-model="caption-transformer"] .card-text').inner_text()
    page.mouse.move(*middle_of(word("transformer", 1)))
    page.mouse.down()
    page.mouse.move(*middle_of(word("soft", 2)), steps=4)
    expect(page.locator(".row-ghost .photo-panel")).to_be_visible()
    expect(word("soft", 2)).to_have_attribute("data-mark", "aim")
    page.mouse.up()
    expect(page.locator(".row-ghost")).to_have_count(0)
    expect(page.locator(".edit-chip")).to_have_text(["row given at step 3×"])
    expect(page.locator("#edit-cell")).to_contain_text("“soft attention” looks where")
    expect(page.locator("#edit-effect")).not_to_be_empty()
    # The model that gave the row writes what it wrote.
    expect(page.locator('[data-model="caption-transformer"] .card-text')).to_have_text(before)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".edit-chip")).to_have_count(0)


def test_a_word_is_given_with_the_keys_to_a_captioner_that_then_comes_first(visit: Visit) -> None:
    page, word = captioned(visit)
    said = page.locator("#edit-cell")
    word("soft", 0).locator("..").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(word("soft", 2)).to_have_attribute("data-mark", "chosen")
    expect(said).to_contain_text("Row 3 of “soft attention”")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("is taken")
    word("transformer", 0).locator("..").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    cards = page.locator("#compare-cards .card")
    expect(cards.first).to_have_attribute("data-model", "caption-transformer")
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^row given at step 2")])
    expect(page.locator("#compare-note")).to_contain_text("only that of “Transformer”")


def test_a_finger_drags_a_word_of_a_caption_or_presses_two(visit: Visit) -> None:
    page, word = captioned(visit, **PHONE)
    chips = page.locator(".edit-chip")
    word("hard", 1).tap()
    expect(word("hard", 1)).to_have_attribute("data-mark", "taken")
    word("soft", 1).tap()
    expect(chips).to_have_text(["row given at step 2×"])
    expect(page.locator("#edit-effect")).to_contain_text("Step")  # the cards are drawn anew
    word("soft", 0).evaluate("word => word.scrollIntoView()")
    fingers = Fingers(page)
    (x, y), aim = (middle_of(word(model, 4)) for model in ("hard", "soft"))
    fingers.drag((x, y), (x, y - 30), aim)
    expect(page.locator(".row-ghost")).to_be_visible()
    fingers.touch("touchEnd")
    expect(chips).to_have_text(["row given at step 2×", "row given at step 5×"])


def test_a_head_that_is_pressed_counts_nothing(visit: Visit) -> None:
    page = visit("/?model=en-fr-transformer&text=She+lives+here.&editing=1&view=heads")
    expect(page.locator("[data-edited]")).to_have_count(1)
    page.locator("[data-layer][data-head]").nth(1).click()
    expect(page.locator(".edit-chip")).to_have_text(["silence · head 2 · layer 1×"])
    expect(page.locator("#stage")).to_have_attribute("data-view", "heads")


def test_the_shelf_shows_an_edit_that_teaches(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&editing=1")
    page.get_by_role("button", name="Swap two nouns").click()
    expect(written(page)).to_contain_text("Un chien joue avec un garçon.")
    expect(page.locator("#edit-help")).to_contain_text("change places")
    page.go_back()
    expect(page.locator(".edit-chip")).to_have_count(0)


ON_A_LINE = """() => {
  for (const line of document.querySelectorAll("line[data-row][data-column]")) {
    const screen = line.getScreenCTM();
    const [one, other] = [[line.x1, line.y1], [line.x2, line.y2]].map(([x, y]) =>
      new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(screen));
    for (const share of [0.3, 0.5, 0.7]) {
      const [x, y] = [
        one.x + share * (other.x - one.x),
        one.y + share * (other.y - one.y),
      ];
      if (document.elementFromPoint(x, y) === line) return [x, y];
    }
  }
}"""


def test_an_edge_of_the_graph_is_dragged(visit: Visit) -> None:
    page = visit("/graph?editing=1")
    expect(page.locator("[data-edited]")).to_have_count(1)
    x, y = page.evaluate(ON_A_LINE)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 60, steps=3)
    page.mouse.up()
    expect(page.locator(".edit-chip")).to_have_text([re.compile(r"^“.+” = 0\.\d+ at “.+”")])
    expect(page.locator("#edit-effect")).to_contain_text("class")


def test_a_word_that_is_read_is_blocked(visit: Visit) -> None:
    page = visit("/read?editing=1&view=map")
    expect(page.locator("#edit-cells")).to_be_visible()
    page.locator("#column-heads > *").nth(2).click()
    expect(page.locator(".edit-chip")).to_have_count(1)
    expect(page.locator("#edit-effect")).to_contain_text("moved most")


def test_a_sentence_of_a_story_is_dragged_and_blocked(visit: Visit) -> None:
    page = visit("/story?editing=1")
    expect(page.locator("[data-edited]")).to_have_count(1)
    chips = page.locator(".edit-chip")
    cell = page.locator('.story-cell[data-row="0"][data-column="3"]')
    box = cell.bounding_box()
    assert box is not None
    x, y = box["x"] + 20, box["y"] + 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 70, steps=3)
    expect(cell).to_have_text("0.50")
    expect(page.locator("#edit-cell")).to_contain_text("Hop 1 looks at “Mary took the ball.”")
    page.mouse.up()
    expect(chips).to_have_text(["“Mary took the ball.” = 0.5 at hop 1×"])
    page.get_by_role("button", name="Undo").click()
    page.locator('.story-text[data-column="4"]').click()
    expect(chips).to_have_text(["block “Mary moved to the office.”×"])
    expect(page.locator("#answer")).to_have_text("the kitchen")
    expect(page.locator("#answer-before")).to_contain_text("Without the edits: the office")
    expect(page.locator("#edit-effect")).to_contain_text("“the kitchen” instead of “the office”")
    page.locator("#edit-compare").check()
    expect(page.locator('.story-cell[data-row="2"][data-column="4"]')).to_have_text("−1.00")
    page.get_by_role("button", name="Reset").click()
    page.locator(".story-side").focus()
    for key in ("ArrowUp", "ArrowRight", "Delete"):
        page.keyboard.press(key)
    expect(chips).to_have_text(["block “Tom walked to the garden.” at hop 2×"])


def spot(page: Page, across: float, down: float) -> tuple[float, float]:
    """A place on the photo, by shares of its sides."""
    box = page.locator("#edit-cells").bounding_box()
    assert box is not None
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


GIRAFFES = "/picture?model=caption-soft&sample=giraffes&step=2&editing=1"


def test_the_photo_is_brushed_and_the_caption_follows(visit: Visit) -> None:
    page = visit(GIRAFFES)
    expect(page.locator("#edit-cells")).to_be_visible()
    page.locator("#edit-weight").fill("95")
    page.mouse.move(*spot(page, 0.03, 0.39))
    with page.expect_request("**/api/v1/caption") as sent:
        page.mouse.down()
        for down in (0.39, 0.46, 0.53, 0.61):
            page.mouse.move(*spot(page, 0.03, down))
            page.mouse.move(*spot(page, 0.33, down))
    assert sent.value.headers["cache-control"] == "no-store"
    page.mouse.up()
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^20 cells = 0.95 at step 2")])
    expect(page.locator("#before [data-gone]")).to_have_text(["giraffes"])
    expect(written(page)).to_contain_text("trees")
    page.mouse.click(*spot(page, 0.9, 0.9))
    expect(page.locator(".edit-chip").first).to_have_text(re.compile("^block cell 181 at step 2"))
    page.locator("#edit-away").check()
    page.mouse.move(*spot(page, 0.03, 0.39))
    page.mouse.down()
    page.mouse.move(*spot(page, 0.33, 0.39), steps=3)
    page.mouse.up()
    expect(page.locator(".edit-chip").first).to_have_text(re.compile("^block 6 cells at step 2"))
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".edit-chip")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".edit-chip")).to_have_count(2)


def test_the_photo_is_edited_with_the_keys(visit: Visit) -> None:
    page = visit(GIRAFFES)
    expect(page.locator("#wrote")).to_contain_text("giraffes")  # else a cell of another photo
    cells = page.locator("#edit-cells")
    cells.focus()
    said = page.locator("#edit-cell")
    expect(said).to_contain_text("“giraffes” looks at row 8, column 12")
    page.locator("#wrote [data-row]", has_text="standing").click()
    expect(said).to_contain_text("“standing” looks at row 11, column 8")  # the strongest of a row
    page.locator("#wrote [data-row]", has_text="giraffes").click()
    cells.focus()
    expect(said).to_contain_text("“giraffes” looks at row 8, column 12")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("row 7, column 11")
    page.keyboard.press("Enter")
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^cell 95 = 0.8 at step 2")])
    page.keyboard.press("+")
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^cell 95 = 0.85 at step 2")])
    page.keyboard.press("Delete")
    expect(page.locator(".edit-chip")).to_have_text([re.compile("^block cell 95 at step 2")])
    page.locator("#edit-gate").fill("0")
    expect(page.locator(".edit-chip").last).to_have_text(re.compile("^gate β = 0 at step 2"))


def test_a_cell_is_edited_in_a_step_and_the_photo_shows_what_changed(visit: Visit) -> None:
    page = visit(f"{GIRAFFES}&view=step")
    expect(page.locator("[data-edited]")).to_have_count(1)
    page.locator(".part-line", has_text="Weights").click()
    cells = page.locator(".part .grid-of")
    cells.scroll_into_view_if_needed()
    box = cells.bounding_box()
    assert box is not None
    x, y = box["x"] + 0.1 * box["width"], box["y"] + 0.5 * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 70, steps=3)
    page.mouse.up()
    chips = page.locator(".edit-chip")
    expect(chips).to_have_text([re.compile("^cell 100 = 0.5[0-9]* at step 2")])
    cells.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    expect(chips.first).to_have_text(re.compile("^block cell 114 at step 2"))
    page.get_by_role("radio", name="Network").check(force=True)
    expect(page.locator("#view-network[data-edited]")).to_have_count(1)
    expect(page.locator('#view-network [data-part="weight:99"]').first).to_be_visible()
    page.get_by_role("radio", name="Photo").check(force=True)
    page.locator("#edit-compare").check()
    expect(page.locator("#edit-help")).to_contain_text("blue-green where it is lower")
    expect(page.locator("#bar-bottom")).to_have_text(re.compile("^−0"))


SIZE = {"width": 390, "height": 844}
PHONE: dict[str, Any] = {"viewport": SIZE, "has_touch": True, "is_mobile": True}
Place = tuple[float, float]


class Fingers:
    """Fingers on the screen of a phone, as the browser itself gets them."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *places: Place) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        event = {"type": kind, "touchPoints": points}
        self._session.send("Input.dispatchTouchEvent", event)

    def drag(self, begin: Place, *ways: Place) -> None:
        """Move one finger, which stays on the screen."""
        self.touch("touchStart", begin)
        for place in ways:
            self.touch("touchMove", place)

    def join(self, held: Place, second: Place) -> None:
        """Set a second finger beside the one that is held, and spread both."""
        self.touch("touchStart", held, second)
        for way in (15, 30, 45):
            self.touch("touchMove", (held[0], held[1] - way), (second[0], second[1] + way))
        self.touch("touchEnd")


def test_a_finger_drags_a_cell_of_a_map_in_sight_and_two_do_not(visit: Visit) -> None:
    page = visit(f"{HOUSE}&editing=1", **PHONE)
    expect(page.locator("#edit-cells")).to_be_visible()
    frame = page.locator("#plot-frame").bounding_box()
    assert frame is not None
    assert frame["y"] + frame["height"] < SIZE["height"]
    fingers, chips = Fingers(page), page.locator(".edit-chip")
    x, y = middle(page, row=1, column=5)
    fingers.drag((x, y), (x, y - 30), (x, y - 70))
    expect(page.locator("#edit-cell")).to_contain_text(re.compile(r"“hill” with a weight of 0\.5"))
    expect(page.locator("#edit-cells")).to_be_in_viewport()
    fingers.touch("touchEnd")
    expect(chips).to_have_text([re.compile(r"^“hill” = 0\.5[0-9]* at step 2")])
    assert page.evaluate("scrollY") == 0
    x, y = middle(page, row=3, column=2)
    fingers.drag((x, y), (x, y - 30))
    expect(chips).to_have_count(2)
    fingers.join((x, y - 30), (x + 60, y + 40))
    expect(chips).to_have_text([re.compile("^“hill”")])
    fingers.touch("touchStart", middle(page, row=2, column=1))
    fingers.touch("touchEnd")
    expect(chips.last).to_have_text(re.compile("^block “white” at step 3"))


def test_a_finger_brushes_the_photo_and_two_do_not(visit: Visit) -> None:
    page = visit(GIRAFFES, **PHONE)
    expect(page.locator("#edit-cells")).to_be_visible()
    fingers, chips = Fingers(page), page.locator(".edit-chip")
    left, middle_, right = (spot(page, across, 0.3) for across in (0.1, 0.3, 0.6))
    fingers.drag(left, middle_)
    expect(chips).to_have_text([re.compile("^cells 58–61 = 0.8 at step 2")])
    fingers.join(middle_, right)
    expect(chips).to_have_count(0)
    fingers.drag(left, middle_, right)
    fingers.touch("touchEnd")
    expect(chips).to_have_text([re.compile("^cells 58–6[0-9] = 0.8 at step 2")])
    assert page.evaluate("scrollY") == 0


def test_a_shelf_over_the_photo_closes_the_gate(visit: Visit) -> None:
    page = visit("/picture?model=caption-soft&editing=1")
    page.get_by_role("button", name="Close the gate").click()
    expect(page.locator("#edit-help")).to_contain_text("words alone make")
    expect(written(page)).to_contain_text("dog")
    expect(page.locator("#before")).to_contain_text("sheep")


def test_patches_are_brushed_in_a_head_and_heads_are_taken_out(visit: Visit) -> None:
    page = visit("/see?head=3&editing=1")
    expect(page.locator("#edit-cells")).to_be_visible()
    chips, effect = page.locator(".edit-chip"), page.locator("#edit-effect")
    page.mouse.move(*spot(page, 0.1, 0.3))
    page.mouse.down()
    page.mouse.move(*spot(page, 0.3, 0.3), steps=4)
    page.mouse.up()
    expect(chips).to_have_text([re.compile("^cells 58–61 = 0.8 at the class token · head 3")])
    expect(effect).to_contain_text("The class is")
    page.locator("#edit-compare").check()
    expect(page.locator("#bar-bottom")).to_have_text(re.compile("^−0"))
    page.get_by_role("radio", name="Map").check(force=True)
    expect(page.locator("#edit-cell")).to_contain_text("looks at the patch in row 5, column 2")
    page.get_by_role("radio", name="Step").check(force=True)
    page.locator(".part-line", has_text="Weights").click()
    page.locator(".keys tr", has=page.get_by_role("rowheader", name="5.2", exact=True)).click()
    expect(chips.first).to_have_text(re.compile("^block cell 58 at the class token · head 3"))
    page.get_by_role("radio", name="Heads").check(force=True)
    expect(page.locator("[data-edited]")).to_have_count(1)
    page.locator("[data-layer][data-head]").first.click()
    expect(chips.last).to_have_text(re.compile("^silence · head 1 · layer 1"))
