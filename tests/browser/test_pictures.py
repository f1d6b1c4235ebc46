"""Pictures: a photo goes in, and the page shows where the model looked for each word.

What the page itself does is tested with canned answers, for they say where it looks. The tests at
the end ask the models that ship.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from heed.models.catalogue import DEFAULT_DIRECTORY
from tests.browser import canned_pictures as canned
from tests.browser.forms import open_form
from tests.browser.steps import open_part
from tests.browser.visits import Visit

CAPTIONERS = sorted(path.parent.name for path in DEFAULT_DIRECTORY.glob("caption-*/config.json"))
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
Open = Callable[..., tuple[Page, list[dict[str, bytes]]]]


@pytest.fixture
def show(visit: Visit) -> Open:
    """Open the page with canned models and answers; gives it and what it asks."""

    def show(path: str = "/picture", **options: Any) -> tuple[Page, list[dict[str, bytes]]]:
        page = visit.blank(**options)
        canned.catalogue(page)
        asked = canned.answers(page)
        page.goto(path)
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        return page, asked

    return show


def photo(name: str = "mine.png", content: bytes | None = None) -> FilePayload:
    return {"name": name, "mimeType": "image/png", "buffer": content or canned.shaped(90, 60)}


def written(page: Page) -> str:
    return " ".join(page.locator("#wrote .piece").all_inner_texts())


def give(page: Page, how: str, file: FilePayload) -> None:
    """Drop or paste a file, as a browser tells of it."""
    page.evaluate(
        """([how, name, type, content]) => {
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const held = new DataTransfer();
          held.items.add(new File([bytes], name, { type }));
          const event = how === "drop"
            ? new DragEvent("drop", { dataTransfer: held, bubbles: true, cancelable: true })
            : new ClipboardEvent("paste", { clipboardData: held, bubbles: true });
          document.body.dispatchEvent(event);
        }""",
        [how, file["name"], file["mimeType"], base64.b64encode(file["buffer"]).decode()],
    )


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the photo, in pixels of the window."""
    frame = page.locator("#photo").bounding_box()
    assert frame is not None
    return frame["x"] + x * frame["width"], frame["y"] + y * frame["height"]


def choose(page: Page, name: str, value: str) -> None:
    page.locator(f'input[name="{name}"][value="{value}"]').check(force=True)


# --- the photo ----------------------------------------------------------------------------------


def test_it_opens_on_a_finished_example(show: Open) -> None:
    page, asked = show()
    assert written(page) == "a woman in an orange suit near a flag"
    expect(page.locator("#sentence")).to_contain_text("attending mostly to")
    expect(page.locator("#photo")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert asked[0]["image"] == canned.sample()
    assert asked[0]["model"] == b"caption-soft"
    expect(page).to_have_title(re.compile("a woman in an orange suit"))


def test_beside_the_caption_stands_what_the_model_learned_from(show: Open) -> None:
    page, _ = show()
    expect(page.locator("#learned")).to_have_text("Learned from Flickr8k and everyday photos.")
    expect(page.locator("#wrote [data-guess]")).to_have_count(0)
    page.goto("/picture?model=caption-hard")
    expect(page.locator("#learned")).to_be_hidden()


def test_a_word_below_fifteen_percent_is_marked_as_a_guess(show: Open) -> None:
    page, _ = show()
    trace = canned.trace()
    for index, probability in ((3, 0.15), (5, 0.149), (8, 0.02)):
        trace["steps"][index]["probability"] = probability
    page.route("**/api/v1/caption", lambda route: route.fulfill(json=trace))
    page.reload()
    guesses = page.locator("#wrote [data-guess]")
    expect(guesses).to_have_text(["suit", "flag"])
    expect(guesses.first).to_have_accessible_name(re.compile("a guess"))
    expect(guesses.first).to_have_css("text-decoration-style", "dotted")
    expect(page.locator("#learned")).to_contain_text("a probability under 15")


def test_a_sample_is_one_click_and_stands_in_the_address(show: Open) -> None:
    page, asked = show()
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(page).to_have_url(re.compile("sample=sheep"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    assert asked[-1]["image"] == canned.sample("sheep")
    page.go_back()
    expect(page.get_by_role("button", name="Sample: a man behind a camera")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_photo_that_is_dropped_before_its_script_arrived_is_taken(visit: Visit) -> None:
    page, held = visit.blank(), list[Route]()
    canned.catalogue(page)
    asked = canned.answers(page)

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile("photo_input"), hold)
    with page.expect_request(re.compile("photo_input")):
        page.goto("/picture")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    give(page, "drop", photo())
    with page.expect_response("**/api/v1/caption"):
        held[0].continue_()
    assert asked[-1]["image"] == photo()["buffer"]


def test_a_photo_of_any_shape_is_chosen_taken_dropped_or_pasted(show: Open) -> None:
    page, asked = show()
    shapes = {"choose": (1, 1), "camera": (30, 400), "drop": (2000, 90), "paste": (400, 300)}
    for how, (width, height) in shapes.items():
        file = photo(content=canned.shaped(width, height))
        before = page.locator("#photo-image").get_attribute("src") or ""
        with page.expect_response("**/api/v1/caption"):
            if how in ("drop", "paste"):
                give(page, how, file)
            else:
                page.locator("#file" if how == "choose" else "#shot").set_input_files(file)
        assert asked[-1]["image"] == file["buffer"]
        expect(page).to_have_url(re.compile("sample=yours"))
        expect(page.locator("#photo-image")).not_to_have_attribute("src", before)
        expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        frame = page.locator("#photo").bounding_box()
        assert frame is not None
        assert 100 < frame["width"] <= 1100
        assert page.viewport_size is not None
        assert 80 < frame["height"] <= page.viewport_size["height"] - frame["y"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert frame["width"] / frame["height"] == pytest.approx(4 / 3, abs=0.05)


def test_the_button_opens_the_chooser_and_the_camera_is_asked_for(show: Open) -> None:
    page, _ = show()
    with page.expect_file_chooser() as waiting:
        page.get_by_role("button", name="Choose a photo").click()
    waiting.value.set_files(photo())
    expect(page).to_have_url(re.compile("sample=yours"))
    expect(page.locator("#shot")).to_have_attribute("capture", "environment")


def test_a_later_photo_ends_an_earlier_one(show: Open) -> None:
    page, _ = show()
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.fallback()
        else:
            held.append(route)

    page.route("**/api/v1/caption", hold_the_first)
    page.locator("#file").set_input_files(photo())
    expect(page.locator("#progress")).to_have_attribute("data-slow", "")
    expect(page.locator("#stage")).to_have_attribute("data-state", "waiting")
    expect(page.locator("#photo-image")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    expect(page).to_have_url(re.compile("sample=sheep"))


def test_what_the_server_refuses_stands_beside_the_photo(show: Open) -> None:
    page, _ = show()
    message = "The file is a PDF, whatever its name; send JPEG, PNG, WebP, GIF, BMP or TIFF."
    refused = {"code": "unsupported_picture", "message": message, "field": "image"}
    page.route(
        "**/api/v1/caption", lambda route: route.fulfill(status=415, json={"error": refused})
    )
    page.locator("footer").scroll_into_view_if_needed()
    give(page, "drop", {"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7"})
    expect(page.locator("#image-error")).to_have_text(message)
    expect(page.locator("#image-error")).to_be_in_viewport(ratio=1)
    page.unroute("**/api/v1/caption")
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(page.locator("#image-error")).to_be_hidden()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")


def test_an_address_of_somebodys_own_photo_says_so(show: Open) -> None:
    page, asked = show("/picture?sample=yours")
    expect(page.locator("#form-error")).to_contain_text("was not stored")
    assert asked[0]["image"] == canned.sample()


# --- the words ----------------------------------------------------------------------------------


def test_words_are_stepped_through_by_arrows_and_held_by_clicks(show: Open) -> None:
    page, _ = show("/picture?step=1")
    page.locator("#forth").click()
    expect(page.locator("#sentence")).to_contain_text("Step 2 of 10: wrote “woman”")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_have_text("3 / 10")
    page.locator('#wrote [data-row="4"]').click()
    expect(page).to_have_url(re.compile("step=5"))
    page.locator('#wrote [data-row="8"]').hover()
    expect(page.locator("#sentence")).to_contain_text("“flag”")
    page.mouse.move(5, 5)
    expect(page.locator("#sentence")).to_contain_text("“orange”")


def test_play_walks_the_words_from_the_first(show: Open) -> None:
    page, _ = show("/picture?speed=4")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("data-playing", "")
    expect(page.locator("#wrote [data-unwritten]")).not_to_have_count(0)
    expect(page.locator("#place")).to_have_text("10 / 10", timeout=30_000)
    expect(page.locator("#play")).not_to_have_attribute("data-playing", "")


def test_how_much_a_word_used_of_what_it_saw_is_told(show: Open) -> None:
    page, _ = show("/picture?step=2")
    expect(page.locator("#wrote .gate")).to_have_count(10)
    expect(page.locator("#words-name")).to_contain_text("β")
    expect(page.locator("#sentence")).to_contain_text("Gate β =")


def test_the_map_lies_where_the_model_looked(show: Open) -> None:
    page, _ = show("/picture?step=9&smoothing=0")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "9")
    heat = page.evaluate("document.getElementById('photo-plot').data[0].z")
    strongest = max((value, y, x) for y, row in enumerate(heat) for x, value in enumerate(row))
    assert strongest[1:] == (4, 0)
    sizes = page.evaluate("document.getElementById('photo-plot').layout.images[0]")
    assert sizes["sizex"] == pytest.approx(14)
    assert sizes["source"].startswith("data:image/jpeg")


def test_pointing_at_a_place_tells_its_numbers(show: Open) -> None:
    page, _ = show("/picture?step=9")
    expect(page.locator("#photo")).to_have_attribute("data-plotted", "")
    page.mouse.move(*place(page, 0.07, 0.35))
    expect(page.locator("#tooltip")).to_contain_text("row 5, column 1: α")
    expect(page.locator("#tooltip")).to_contain_text("highest for “flag”")


def test_each_style_is_drawn_and_stands_in_the_address(show: Open) -> None:
    page, _ = show("/picture?step=2")
    lowest = "document.getElementById('photo-plot').data?.[0].colorscale[0][1]"
    for style, ends in (("spotlight", " 0.800)"), ("outline", " 0.000)"), ("heat", " 0.000)")):
        choose(page, "style", style)
        expect(page.locator("#photo-marks .around")).to_have_count(4 if style == "outline" else 0)
        page.wait_for_function(f"(ends) => {lowest}?.endsWith(ends)", arg=ends)
        if style != "heat":
            expect(page).to_have_url(re.compile(f"style={style}"))


def test_opacity_and_smoothing_slide_and_stand_in_the_address(show: Open) -> None:
    page, _ = show("/picture?step=2")
    page.locator("#opacity").fill("30")
    page.locator("#smoothing").fill("0")
    expect(page).to_have_url(re.compile("opacity=30&smoothing=0"))
    expect(page.locator("#photo-heat")).to_have_class("crisp")
    page.reload()
    expect(page.locator("#opacity")).to_have_value("30")


# --- the reverse map ----------------------------------------------------------------------------


def test_a_place_that_is_pressed_lights_the_words_that_looked_there(show: Open) -> None:
    page, _ = show("/picture?step=2")
    page.mouse.click(*place(page, 0.07, 0.35))
    expect(page.locator("#words-name")).to_have_text("Attention to the selection")
    expect(page.locator("#words-note")).to_contain_text("Most attention from “flag”")
    expect(page).to_have_url(re.compile("cells=57"))
    numbers = [float(text) for text in page.locator("#words .number").all_inner_texts()]
    assert numbers.index(max(numbers)) == 8
    lit = page.locator('#wrote [data-row="8"]')
    assert lit.evaluate("node => node.style.backgroundColor") != ""
    expect(lit).to_have_attribute("aria-label", re.compile("to the selected places"))
    page.mouse.click(*place(page, 0.07, 0.35))
    expect(page.locator("#words-name")).not_to_have_text("Attention to the selection")


def test_drawn_over_several_places_they_are_summed(show: Open) -> None:
    page, _ = show("/picture?step=2")
    page.mouse.move(*place(page, 0.02, 0.02))
    page.mouse.down()
    page.mouse.move(*place(page, 0.98, 0.98), steps=3)
    page.mouse.up()
    expect(page.locator("#words-note")).to_contain_text("Selected: 196 cells")
    for number in page.locator("#words .number").all_inner_texts():
        assert float(number) == pytest.approx(1, abs=0.002)
    page.get_by_role("button", name="Clear selection").click()
    expect(page.locator("#photo-marks .held")).to_have_count(0)


def test_the_photo_is_walked_over_by_keyboard(show: Open) -> None:
    page, _ = show("/picture?step=9")
    page.locator("#photo").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#photo-said")).to_contain_text("row 5, column 1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#photo-said")).to_contain_text("row 5, column 2")
    expect(page.locator("#place")).to_have_text("9 / 10")
    page.keyboard.press("Enter")
    expect(page.locator("#words-note")).to_contain_text("Selected: row 5, column 2")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator("#words-note")).to_contain_text("Selected: 2 cells")
    page.keyboard.press("Escape")
    expect(page.locator("#words-note")).to_contain_text("Press a place")


def test_what_is_held_comes_back_from_the_address(show: Open) -> None:
    page, _ = show("/picture?step=2&cells=57+58")
    expect(page.locator("#words-note")).to_contain_text("Selected: 2 cells")
    expect(page.locator("#photo-marks .held-tint")).to_have_count(2)
    expect(page.locator("#photo-marks .held.over")).to_have_count(1)


# --- other views --------------------------------------------------------------------------------


def test_all_words_stand_side_by_side_and_one_is_opened_by_pressing_it(show: Open) -> None:
    page, _ = show("/picture?view=sheet")
    panels = page.locator("#sheet .sheet-panel")
    expect(panels).to_have_count(10)
    panels.nth(5).click()
    expect(page).to_have_url(re.compile("step=6"))
    expect(page.locator("#photo")).to_be_visible()
    page.mouse.move(0, 0)  # not over a word, which would show its own step
    expect(page.locator("#sentence")).to_contain_text("“suit”")


def test_a_step_is_gone_through_part_by_part(show: Open) -> None:
    page, _ = show("/picture?view=step&step=2&part=1")
    parts = page.locator("#chain .part")
    expect(parts).to_have_count(6)
    expect(page.locator("#chain .part[data-later]")).to_have_count(5)
    for later in (4, 3, 2, 1, 0):
        page.locator("#forth").click()
        expect(page.locator("#chain .part[data-later]")).to_have_count(later)
    page.locator("#forth").click()
    expect(page.locator("#place")).to_have_text("3 / 10 · part 1")
    page.locator("#back").click()
    expect(page.locator("#chain .bars [data-written]")).to_contain_text("woman")
    expect(open_part(page, "context")).to_contain_text("β · c")
    weights = open_part(page, "weights")
    weights.get_by_text("In numbers").click()
    expect(weights.locator("tbody tr")).to_have_count(10)
    weights.locator(".grid-of").hover()
    expect(page.locator("#tooltip")).to_contain_text("e − max")


def test_hard_attention_shows_the_cell_it_drew_and_what_it_expects(show: Open) -> None:
    page, asked = show("/picture?model=caption-hard&step=2")
    expect(page.locator("#photo-marks .drawn.over")).to_have_count(1)
    expect(page.locator("#sentence")).to_contain_text("Cell drawn: row")
    expect(page.locator("#map-kind")).to_be_hidden()
    open_form(page)
    page.locator("#search summary").click()
    page.locator("#seed").fill("7")
    page.get_by_label("Draw 50 times").check()
    expect(page).to_have_url(re.compile("seed=7&draws=50"))
    expect(page.locator("#map-kind")).to_be_visible()
    assert asked[-1]["draws"] == b"50"
    assert json.loads(asked[-1]["search"])["seed"] == 7
    page.locator("#map-kind").select_option("drawn")
    expect(page.locator("#view-note")).to_contain_text("how often each cell was drawn")
    choose(page, "view", "step")
    expect(page.locator("#chain .part")).to_have_count(2)


def test_heads_are_merged_or_chosen(show: Open) -> None:
    page, _ = show("/picture?model=caption-transformer&step=2")
    expect(page.locator("#head")).to_have_value("mean")
    page.locator("#head").select_option(label="4")
    page.locator("#layer").select_option(value="0")
    expect(page).to_have_url(re.compile("layer=1&head=4"))
    page.locator("#head").select_option("max")
    expect(page).to_have_url(re.compile("pool=max"))
    expect(page.locator("#photo-marks .drawn")).to_have_count(0)


def test_a_question_is_asked_and_its_words_are_weighed(show: Open) -> None:
    page, asked = show()
    expect(page.locator("#question-field")).to_be_hidden()
    open_form(page)
    page.locator("#model").select_option("ask")
    expect(page.locator("#question-read")).to_have_text(re.compile("What colour is the suit"))
    assert asked[-1]["question"] == b"What colour is the suit?"
    page.locator("#question").fill("Who is it?")
    page.locator("#question").press("Enter")
    expect(page.locator("#question-read")).to_have_text(re.compile("Who is it"))
    assert written(page) == "orange"
    expect(page.locator("#question-read .piece").first).to_have_attribute(
        "title", re.compile(r"^α 0\.\d+")
    )
    refused = {"code": "empty_question", "message": "Ask something.", "field": "question"}
    page.route("**/api/v1/ask", lambda route: route.fulfill(status=422, json={"error": refused}))
    page.locator("#question").fill("")
    page.locator("#question").press("Enter")
    expect(page.locator("#question-error")).to_have_text("Ask something.")
    expect(page.locator("#stage")).to_have_attribute("data-state", "stale")
    expect(page.locator("#wrote")).to_be_visible()
    expect(page.locator("#question")).to_be_focused()


def test_a_caption_can_be_forced(show: Open) -> None:
    page, asked = show()
    open_form(page)
    page.locator("#search summary").click()
    page.locator("#target").fill("two brown dogs")
    page.locator("#target").press("Enter")
    expect(page.locator("#wrote-name")).to_have_text(re.compile("^Given "))
    assert written(page) == "two brown dogs"
    assert asked[-1]["target"] == b"two brown dogs"


def test_the_same_photo_is_captioned_by_each_side_by_side(show: Open) -> None:
    page, asked = show("/picture?view=compare&step=2")
    cards = page.locator("#compare-cards .card")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "3")
    expect(cards).to_have_count(3)
    assert {each["model"] for each in asked} == {
        b"caption-soft",
        b"caption-hard",
        b"caption-transformer",
    }
    assert len({each["image"] for each in asked}) == 1
    expect(page.locator("#compare-cards [data-lit]")).to_have_text(["woman"] * 3)
    cards.first.locator("[data-place='4']").hover()
    expect(page.locator("#compare-cards [data-lit]")).to_have_text(["orange"] * 3)
    cards.nth(1).locator(".photo-panel").hover()
    expect(page.locator("#compare-cards .cell-weight").first).to_contain_text("row ")
    expect(page.locator("#compare-cards .cursor.over")).to_have_count(3)


def test_the_numbers_of_every_word_are_a_table(show: Open) -> None:
    page, _ = show("/picture?model=caption-hard&show=table&cells=57")
    expect(page.locator("#table thead th")).to_have_text(
        [
            "probability",
            "entropy, bits",
            "strongest cell",
            "its weight",
            "β",
            "cell drawn",
            "selected",
        ]
    )
    expect(page.locator("#table tbody tr")).to_have_count(10)


def test_it_is_written_word_by_word(visit: Visit) -> None:
    page = visit.blank()
    canned.catalogue(page)
    body = canned.events(canned.trace())
    half = len(canned.events(canned.trace(), 4))
    # A stream that stops halfway until the test lets it go on.
    page.add_init_script(
        f"""
        const whole = {json.dumps(body)};
        const asked = window.fetch;
        window.fetch = (url, options) => {{
          if (!String(url).includes("/api/v1/caption")) return asked(url, options);
          const letters = new TextEncoder();
          const stream = new ReadableStream({{
            async start(line) {{
              await new Promise((go) => setTimeout(go, 400));
              line.enqueue(letters.encode(whole.slice(0, {half})));
              await new Promise((go) => (window.goOn = go));
              line.enqueue(letters.encode(whole.slice({half})));
              line.close();
            }},
          }});
          const headers = {{ "Content-Type": "text/event-stream" }};
          return Promise.resolve(new Response(stream, {{ headers }}));
        }};
        """
    )
    page.goto("/picture")
    expect(page.locator("#stage")).to_have_attribute("data-state", "growing")
    expect(page.locator("#wrote")).to_have_text(re.compile("a woman in an"))
    page.evaluate("window.goOn()")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#photo")).to_have_attribute("data-painted", re.compile(r"\d"))
    assert written(page) == "a woman in an orange suit near a flag"


# --- taken along --------------------------------------------------------------------------------


def test_drawings_are_taken_along(show: Open) -> None:
    page, _ = show("/picture?show=call&style=outline&step=2")
    for what, photos in (("all words", 10), ("this word", 1)):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Save {what} as SVG").click()
        svg = waiting.value.path().read_bytes()
        images = [each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("}use")]
        assert len(images) == photos
        assert b"http" not in svg.replace(b"http://www.w3.org/2000/svg", b"")
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Save {what} as PNG").click()
        assert waiting.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_saved_trace_is_shown_from_itself_alone(visit: Visit, address: str) -> None:
    answer = httpx.post(f"{address}/api/v1/traces", json=canned.trace())
    assert answer.status_code == 201, answer.text
    identity = answer.json()["id"]
    page = visit.blank()
    canned.catalogue(page)
    for path in ("t", "embed"):
        page.goto(f"/{path}/{identity}?step=2&style=spotlight")
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        assert written(page) == "a woman in an orange suit near a flag"
        expect(page.locator("#sentence")).to_contain_text("“woman”")
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.get_by_role("link", name="Open in Heed")).to_be_visible()


# --- looks --------------------------------------------------------------------------------------


def test_a_tap_holds_a_place(show: Open) -> None:
    page, _ = show("/picture?step=2", **PHONE)
    expect(page.get_by_role("button", name="Take one")).to_be_visible()
    page.locator("#photo").scroll_into_view_if_needed()
    page.touchscreen.tap(*place(page, 0.07, 0.35))
    expect(page.locator("#words-note")).to_contain_text("“flag”")


def test_a_swipe_goes_from_word_to_word(show: Open) -> None:
    page, _ = show("/picture?step=2", **PHONE)
    expect(page.locator("#place")).to_contain_text("2 /")
    page.locator("#photo").scroll_into_view_if_needed()
    photo = page.locator("#photo").bounding_box()
    assert photo is not None
    x, y = photo["x"] + photo["width"] / 2, photo["y"] + photo["height"] / 2
    session = page.context.new_cdp_session(page)
    for way, at_word in ((-90, "3 /"), (90, "2 /"), (90, "1 /")):
        points = [[{"x": x, "y": y}], [{"x": x + way / 2, "y": y}], [{"x": x + way, "y": y}], []]
        kinds = ("touchStart", "touchMove", "touchMove", "touchEnd")
        for kind, at in zip(kinds, points, strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
        expect(page.locator("#place")).to_contain_text(at_word)
    expect(page.locator("#let-go")).to_be_hidden()  # no place was selected on the way


def test_the_page_of_texts_offers_no_captioner_and_loads_nothing_of_this_one(visit: Visit) -> None:
    page = visit.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert not [url for url in asked if "picture" in url or "samples" in url]
    assert '"caption' not in (page.locator("#ask").get_attribute("data-models") or "")
    page.get_by_role("link", name="Pictures").click()
    expect(page).to_have_url(re.compile("/picture$"))


# --- with the models that ship ------------------------------------------------------------------


@pytest.mark.parametrize("model", CAPTIONERS)
def test_the_models_that_ship_caption_a_sample(visit: Visit, model: str) -> None:
    page = visit.blank()
    page.goto(f"/picture?model={model}&sample=photographer")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert len(written(page).split()) > 3
    expect(page.locator("#photo")).to_have_attribute("data-painted", re.compile(r"\d"))
    page.mouse.click(*place(page, 0.5, 0.5))
    expect(page.locator("#words-name")).to_have_text("Attention to the selection")
    numbers = [float(text) for text in page.locator("#words .number").all_inner_texts()]
    assert max(numbers) > min(numbers)


def test_the_model_that_ships_answers_a_question(visit: Visit) -> None:
    page = visit.blank()
    page.goto("/picture?model=ask&sample=portrait&question=What+colour+is+the+shirt%3F")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert written(page)
    expect(page.locator("#question-read")).to_have_text(re.compile("What colour is the shirt"))
    expect(page.locator("#unread")).to_be_hidden()
    page.locator("#question").fill("What colour is the shirt 👩‍🚀?")
    page.locator("#question").press("Enter")
    expect(page.locator("#unread")).to_have_text(re.compile(r"unknown to this model\): “👩‍🚀”"))
    expect(page.locator("#question-read .passed")).to_have_text(" 👩‍🚀")


def test_a_photo_of_ones_own_is_captioned_and_saved(visit: Visit) -> None:
    page = visit.blank()
    page.goto("/picture?show=call")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    page.locator("#file").set_input_files(photo(content=canned.shaped(900, 300)))
    expect(page).to_have_url(re.compile("sample=yours"))
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    caption = written(page)
    page.get_by_role("button", name="Save and link").click()
    expect(page.locator("#keep-made")).to_be_visible()
    page.goto(page.locator("#keep-link").input_value())
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert written(page) == caption


def test_odd_files_are_refused_in_words(visit: Visit) -> None:
    odd = {"empty.png": b"", "cut.png": canned.shaped(50, 50)[:100], "text.jpg": b"no photo"}
    page = visit("/picture")
    for name, content in odd.items():
        page.locator("#file").set_input_files(
            {"name": name, "mimeType": "image/png", "buffer": content}
        )
        expect(page.locator("#image-error")).to_have_text(re.compile(r"\w+ \w+ \w+"))
        expect(page.locator("#photo-image")).to_be_visible()
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        expect(page).not_to_have_url(re.compile("yours"))
        page.get_by_role("button", name="Sample: a sheep").click()
        expect(page.locator("#image-error")).to_be_hidden()


def test_an_unseen_seed_draws_other_cells(visit: Visit) -> None:
    drawn = []
    for seed in (1, 2):
        page = visit.blank()
        page.goto(f"/picture?model=caption-hard&target=a+man+with+a+camera&seed={seed}&show=table")
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        drawn.append(page.locator("#table tbody").inner_text())
    assert drawn[0] != drawn[1]
