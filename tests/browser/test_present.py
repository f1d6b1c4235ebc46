"""A presentation: large type, the keys of a presenter, and a word to guess."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from heed.app.pages.qr_code import qr_svg
from tests.browser.test_access import faults
from tests.browser.visits import Visit

BAR = 64
"""The pixels that are kept for the bar."""
FAULTS = """(bar) => {
  const faults = [];
  const stage = document.getElementById("stage");
  const rooms = [...document.querySelectorAll("[data-room]")].filter((each) => each.offsetHeight);
  const end = innerHeight - bar;
  const seen = (at) => {
    const { width, height } = at.getBoundingClientRect();
    return width > 3 && height > 3 && at.checkVisibility({ visibilityProperty: true });
  };
  const name = (at) => `${at.id} ${at.getAttribute("class")} ${at.textContent.trim().slice(0, 20)}`;
  if (!stage.hasAttribute("data-fitted")) faults.push("is not fitted yet");
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) faults.push("the page scrolls");
  if (document.querySelector(".present-bar").getBoundingClientRect().top < end)
    faults.push("the bar takes more than its room");
  for (const each of document.querySelectorAll(".top, .ask, .player, .said, .picture-head, .panel"))
    if (each.checkVisibility()) faults.push(`is shown: ${name(each)}`);
  for (const room of rooms) {
    const { bottom, height } = room.getBoundingClientRect();
    if (bottom > end + 1) faults.push("the bar covers the picture");
    if (height < 0.4 * innerHeight) faults.push(`${height} pixels are little room`);
    if (room.scrollWidth > room.clientWidth + 2 || room.scrollHeight > room.clientHeight + 2)
      faults.push(`the picture is cut off: ${room.scrollWidth} × ${room.scrollHeight}`);
    for (const each of room.querySelectorAll("canvas, img, svg, table, li, .row-head")) {
      const place = each.getBoundingClientRect();
      if (seen(each) && !each.closest(".plot") && place.bottom > end + 3)
        faults.push(`the bar covers ${name(each)}`);
    }
  }
  const scale = Number(getComputedStyle(document.documentElement).getPropertyValue("--present"));
  const fit = Number(stage.style.getPropertyValue("--fit") || 1);
  const large = `.line, .read-words, .lesson-prose, .arcs-word[data-current] text,
    #row-heads [data-current] span, #column-heads [data-first] span,
    .end:is([data-current], [data-first]) text, [aria-pressed="true"] > .graph-name,
    .arcs-word[data-first]:not([data-quiet]) text,
    .network:not(.network-fold *) :is([data-first], [data-now]) > text`;
  for (const each of document.querySelectorAll(large)) {
    if (!seen(each)) continue;
    const grown = each.closest(".lesson") ? 1 : each.closest("[data-room]") ? scale * fit : scale;
    const own = each.closest(".network svg")?.viewBox.baseVal.width;
    const drawn = own ? each.closest("svg").clientWidth / own : 1;
    const size = parseFloat(getComputedStyle(each).fontSize) * grown * drawn;
    if (size < 27.9) faults.push(`${size} pixels: ${name(each)}`);
  }
  const read = ".line .piece, .read-word, .story-text, .lesson-prose > p";
  const words = document.querySelectorAll(read);
  for (const each of words) {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (seen(each) && walker.nextNode())
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[^\\s—-]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, index);
        range.setEnd(walker.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) faults.push(`is broken: ${word}`);
      }
  }
  return faults;
}"""
"""Whatever of a presentation is cut off, covered, broken, too small, or should be hidden."""
SENTENCE = "text=I do not know where she lives."
PRESENTED = {
    "text": f"/?model=en-fr-additive&{SENTENCE}",
    "layers": f"/?model=en-fr-transformer&{SENTENCE}&view=network",
    "self-attention": f"/?model=en-fr-transformer&{SENTENCE}&map=encoder-self&view=arcs",
    "no attention": f"/?model=en-fr-none&{SENTENCE}",
    "several lines": "/?model=en-fr-additive&step=40&text="
    + "A man in a green shirt stands in front of the house. " * 6,
    "long": "/?model=en-fr-additive&text="
    + "The old man with the white hat walks slowly along the river. " * 3,
    "lesson": "/?lesson=attention&at=3&model=en-fr-additive&text=The+white+house&view=step&step=2",
    "picture": "/picture?sample=photographer",
    "heads": "/picture?sample=giraffes&model=caption-transformer",
    "ask": "/picture?model=ask&sample=photographer&question=What is the man holding?",
    "see": "/see",
    "graph": "/graph",
    "glimpse": "/glimpse",
    "read": "/read",
    "story": "/story",
}
"""Pages, each of which is presented in all of its views."""


def presented(visit: Visit, query: str = "present=1", **options: object) -> Page:
    page = visit(f"/?{query}", **{"viewport": {"width": 1280, "height": 720}, **options})
    expect(page.locator(".present-bar")).to_be_attached()
    expect(page.locator("#ask")).to_be_hidden()
    return page


@pytest.mark.parametrize("name", PRESENTED)
def test_each_view_is_whole_above_the_bar(visit: Visit, name: str) -> None:
    address = PRESENTED[name]
    page = visit(f"{address}{'&' if '?' in address else '?'}present=1")
    chosen = page.get_by_label("View", exact=True)
    expect(page.locator(".present-bar option").first).to_be_attached()
    views = chosen.locator("option").evaluate_all("all => all.map(({ value }) => value)")
    for width, height in ((1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        for view in views:
            chosen.select_option(view)
            expect(page.locator("#stage")).to_have_attribute("data-view", view)
            faultless(page, f"{view} at {width} × {height}")


def faultless(page: Page, shown: str) -> None:
    """Wait until a presentation has no faults."""
    try:
        page.wait_for_function(f"(bar) => ({FAULTS})(bar).length === 0", arg=BAR)
    except TimeoutError:
        raise AssertionError(f"{shown}: {page.evaluate(FAULTS, BAR)}") from None


@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (1920, 1080)])
def test_the_whole_map_of_the_opening_example_is_on_the_screen(
    visit: Visit, size: tuple[int, int]
) -> None:
    page = presented(visit, viewport={"width": size[0], "height": size[1]})
    last = page.locator(".column-head, .row-head").all()
    expect(page.locator("#map")).not_to_have_attribute("data-more", "")
    for heading in (*last, page.locator(".corner-read"), page.locator(".corner-wrote")):
        box = heading.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]
    map_box = page.locator("#map").bounding_box()
    corner = page.locator(".corner-wrote").bounding_box()
    assert map_box is not None
    assert corner is not None
    assert corner["x"] >= map_box["x"] - 1


@pytest.mark.parametrize("model", ["en-fr-additive", "en-fr-transformer"])
def test_the_context_of_the_network_is_on_the_wall(visit: Visit, model: str) -> None:
    page = presented(visit, f"present=1&view=network&model={model}&step=2")
    for _ in range(2):
        expect(page.locator('.network [data-part="context"]')).to_be_in_viewport(ratio=0.9)
        page.keyboard.press("ArrowRight")


def test_the_button_begins_it_and_escape_ends_it(page: Page) -> None:
    page.get_by_role("button", name="Present").click()
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator(".present-bar")).to_be_visible()
    page.get_by_role("button", name="Exit").click()
    expect(page.locator(".present-bar")).to_have_count(0)
    expect(page.locator("#ask")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present"))


def test_the_keys_of_a_presenter_turn_the_words(visit: Visit) -> None:
    page = presented(visit)
    for key in ("ArrowRight", "PageDown"):
        page.keyboard.press(key)
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^3 /"))
    page.keyboard.press("PageUp")
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^2 /"))
    page.keyboard.press("Escape")
    expect(page.locator(".present-bar")).to_have_count(0)


def test_the_next_word_is_hidden_until_it_is_revealed(visit: Visit) -> None:
    page = presented(visit, "present=guess&step=2")
    root = page.locator("html")
    word = page.locator('#wrote [aria-current="step"]')
    transparent = "rgba(0, 0, 0, 0)"
    expect(root).to_have_attribute("data-guess", "hidden")
    expect(word).to_have_css("color", transparent)
    expect(page.locator("#sentence")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-guess", "shown")
    expect(word).not_to_have_css("color", transparent)
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^2 /"))
    page.keyboard.press("ArrowRight")
    expect(root).to_have_attribute("data-guess", "hidden")
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^3 /"))
    page.keyboard.press("g")
    expect(page).to_have_url(re.compile("present=1"))
    expect(word).not_to_have_css("color", transparent)


TOLD = """(word) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = [];
  while (walker.nextNode()) {
    const { data, parentElement: at } = walker.currentNode;
    const shown = at.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const { color } = getComputedStyle(at);
    if (shown && color !== "rgba(0, 0, 0, 0)" && data.split(/[^\\p{L}]+/u).includes(word))
      told.push(`${at.tagName} ${at.className} ${data}`);
  }
  return told;
}"""
"""Elements in which a word can be read."""


def names(page: Page) -> set[str]:
    """The words that a screen reader says: where a button has a name, not the text within."""
    said = re.sub(r'": .*$', "", page.locator("body").aria_snapshot(), flags=re.MULTILINE)
    return set(re.split(r"[^\w]+", said))


@pytest.mark.parametrize(
    ("path", "word"),
    [
        (f"/?model=en-fr-additive&{SENTENCE}&step=3", "sais"),
        ("/picture?sample=photographer&step=10", "camera"),
        ("/read?text=The keys to the cabinet are on the table.&step=6", "are"),
    ],
)
def test_no_view_tells_the_word_that_is_to_be_guessed(visit: Visit, path: str, word: str) -> None:
    page = visit(f"{path}&present=guess")
    expect(page.locator("html")).to_have_attribute("data-guess", "hidden")
    chosen = page.get_by_label("View", exact=True)
    for view in chosen.locator("option").evaluate_all("all => all.map(({ value }) => value)"):
        chosen.select_option(view)
        expect(page.locator("#stage")).to_have_attribute("data-view", view)
        expect(page.locator("#stage")).to_have_attribute("data-fitted", "")
        assert page.evaluate(TOLD, word) == [], view
        assert word not in names(page), view
        page.mouse.move(640, 420)  # a tooltip would have the name of the row
        assert page.evaluate(TOLD, word) == [], view


@pytest.mark.parametrize("path", ["/story?step=2", "/glimpse?step=2"])
def test_the_answer_of_a_run_is_told_at_its_end(visit: Visit, path: str) -> None:
    page = visit(f"{path}&present=guess")
    answer = page.locator("#answer")
    expect(answer).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-guess", "shown")
    expect(answer).to_be_hidden()
    page.keyboard.press("g")
    expect(answer).to_be_visible()


def test_the_code_of_the_page_covers_the_presentation(visit: Visit) -> None:
    page = presented(visit)
    page.route("**/qr.svg?*", with_code)
    page.keyboard.press("q")
    card = page.get_by_role("dialog")
    expect(card.get_by_role("img", name="http://192.0.2.7:8000/?step=2")).to_be_visible()
    expect(card.get_by_role("paragraph").filter(has_text="192.0.2.7")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(page.locator(".present-bar")).to_be_attached()


def with_code(route: Route) -> None:
    """Answer with the code of a page in the network."""
    assert "present" not in route.request.url
    route.fulfill(content_type="image/svg+xml", body=qr_svg("http://192.0.2.7:8000/?step=2"))


def test_on_a_server_of_this_machine_alone_the_card_says_why_there_is_no_code(visit: Visit) -> None:
    page = visit("/story")
    page.get_by_role("button", name="Share", exact=True).click()
    card = page.get_by_role("dialog")
    expect(card.get_by_role("status")).to_contain_text("--host 0.0.0.0")
    card.get_by_text("Cite").click()
    expect(card.get_by_label("BibTeX")).to_have_value(re.compile(r"@software\{heed[^@]+@.*sukhb"))
    assert faults(page) == []
    card.get_by_role("button", name="All files").click()
    expect(card).to_be_hidden()
    expect(page.get_by_role("button", name="Save SVG")).to_be_in_viewport()


def test_what_no_address_holds_is_saved_before_it_has_a_code(visit: Visit) -> None:
    edges = "".join(f"%0Anode{node} - node{node + 1}" for node in range(60))
    page = visit(f"/graph?graph=node0: A{edges}")
    with page.expect_request("**/qr.svg?*") as asked:
        page.get_by_role("button", name="Share", exact=True).click()
    assert re.search(r"of=%2Ft%2F[A-Za-z0-9]+$", asked.value.url)


def test_a_clicker_turns_the_steps_of_a_lesson(visit: Visit) -> None:
    page = visit("/?lesson=attention&at=5&present=1&model=dates-additive&text=3+June+1999&step=2")
    expect(page.locator(".present-bar")).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".present-bar .place")).to_have_text(re.compile("^3 /"))
    page.keyboard.press("PageDown")
    expect(page.locator("#lesson-title")).to_have_text("Repeat until the end")
    page.keyboard.press("PageUp")
    expect(page.locator("#lesson-title")).not_to_have_text("Repeat until the end")


def test_a_highlight_follows_the_pointer(visit: Visit) -> None:
    page = presented(visit)
    page.mouse.move(300, 200)
    laser = page.locator(".laser")
    expect(laser).to_be_visible()
    box = laser.bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - 300) <= 1
    assert abs(box["y"] + box["height"] / 2 - 200) <= 1
    page.keyboard.press("l")
    expect(laser).to_be_hidden()


def test_the_cell_under_the_pointer_is_the_one_it_names(visit: Visit) -> None:
    page = presented(visit)
    expect(page.locator("#map")).to_have_attribute("data-painted", re.compile(r"\d"))
    heads = page.locator("#column-heads .column-head")
    column, row = heads.nth(2), page.locator("#row-heads .row-head").nth(1)
    across, down = column.bounding_box(), row.bounding_box()
    assert across is not None
    assert down is not None
    page.mouse.move(across["x"] + across["width"] / 2, down["y"] + down["height"] / 2)
    expect(page.locator("#tooltip")).to_contain_text(f"“{row.inner_text()}” ←")


def test_the_view_is_chosen_in_the_bar(visit: Visit) -> None:
    page = presented(visit)
    page.get_by_label("View", exact=True).select_option("ribbons")
    expect(page.locator("#ribbons svg")).to_be_visible()
    expect(page).to_have_url(re.compile("view=ribbons.*present=1"))


def test_a_lesson_goes_on_in_a_presentation(visit: Visit) -> None:
    page = visit("/?lesson=attention&at=5&present=1&model=dates-additive&text=3+June+1999&step=11")
    expect(page.locator(".present-bar")).to_be_attached()
    page.locator("#lesson-next").evaluate("node => node.click()")
    expect(page.locator("#lesson-title")).to_have_text("Repeat until the end")
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.locator(".present-bar")).to_have_count(1)


def test_a_presentation_keeps_nobody_out(visit: Visit) -> None:
    page = presented(visit, reduced_motion="reduce", color_scheme="dark")
    assert faults(page) == []


def test_on_a_phone_the_result_fills_the_screen(visit: Visit) -> None:
    page = presented(visit, viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#wrote")).to_be_in_viewport()
