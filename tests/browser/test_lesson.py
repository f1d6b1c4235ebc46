"""The lesson: every step is the live page, with the keyboard, a phone and no script too."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from heed.app.commands.lesson import contents_of
from heed.app.pages.lesson_file import lesson_file
from heed.app.pages.lessons import Lessons
from heed.app.settings import Settings
from heed.models.catalogue import Catalogue
from tests.browser.contexts import Contexts
from tests.browser.test_access import faults
from tests.browser.visits import Visit

STEP = "/learn/attention/"


def test_the_front_page_leads_to_a_lesson_in_two_presses(page: Page) -> None:
    page.get_by_role("link", name="Learn").click()
    assert faults(page) == []
    page.get_by_role("link", name="The idea in seven steps").click()
    expect(page.locator("#lesson-title")).to_have_text("One vector for everything")
    expect(page.locator("#stage")).to_have_attribute("data-view", "compare")
    expect(page.locator("#compare-cards[data-drawn='2']")).to_be_visible()
    expect(page.locator("#ask")).to_be_hidden()


def test_your_own_sentence_is_a_question_where_a_story_is_asked_about(visit: Visit) -> None:
    page = visit("/learn/query-key-value/4")
    page.get_by_role("button", name="Your own sentence").click()
    expect(page.locator("#question")).to_be_focused()


def test_the_arrow_keys_turn_its_steps_and_leave_the_player_its_own(visit: Visit) -> None:
    page = visit(f"{STEP}5")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lesson-place")).to_contain_text("6 of 7")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#place")).to_have_text(re.compile("^2 /"))
    page.locator("#lesson-back").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".lesson-place")).to_contain_text("5 of 7")


def test_a_sentence_of_your_own_goes_along(visit: Visit) -> None:
    page = visit(f"{STEP}5")
    expect(page.locator("#lesson-own")).to_be_hidden()
    page.get_by_role("button", name="Your own sentence").click()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("The red car is new.")
    page.keyboard.press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("The red car is new.")
    expect(page.locator("#lesson-own")).to_be_visible()
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator(".lesson-place")).to_contain_text("6 of 7")
    expect(page.locator("#read .visually-hidden")).to_have_text("The red car is new.")
    expect(page.locator("#stage")).to_have_attribute("data-view", "map")
    page.get_by_role("link", name="Back to the example").click()
    expect(page.locator("#read .visually-hidden")).to_contain_text("The white house")
    expect(page.locator("#lesson-own")).to_be_hidden()


def test_a_change_of_the_view_stays_on_its_step(visit: Visit) -> None:
    page = visit(f"{STEP}6")
    page.get_by_role("radio", name="Ribbons").check(force=True)
    expect(page).to_have_url(re.compile("view=ribbons.*lesson=attention&at=6"))
    page.reload()
    expect(page.locator("#lesson-title")).to_have_text("Repeat until the end")


@pytest.mark.parametrize("size", [(1440, 900), (1280, 720), (390, 844)])
def test_words_and_result_are_on_the_first_screen(visit: Visit, size: tuple[int, int]) -> None:
    page = visit(f"{STEP}3", viewport={"width": size[0], "height": size[1]})
    for part in ("#lesson-title", "#lesson-next", "#wrote"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator('.network [data-part="softmax"]')).to_be_in_viewport(ratio=0.9)


def test_the_outputs_that_it_compares_are_on_the_first_screen(visit: Visit) -> None:
    page = visit(f"{STEP}1", viewport={"width": 1280, "height": 720})
    texts = page.locator("#compare-texts .compare-text .card-text")
    expect(texts).to_have_count(2)
    for text in texts.all():
        expect(text).to_be_in_viewport(ratio=1)
    expect(page.locator("#with")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_lesson_keeps_nobody_out(visit: Visit, theme: str, width: int) -> None:
    page = visit(
        f"{STEP}6",
        viewport={"width": width, "height": 844},
        color_scheme=theme,
        reduced_motion="reduce",
    )
    assert faults(page) == []


def test_a_guess_a_goal_and_a_question_are_answered_by_the_run_on_screen(visit: Visit) -> None:
    page = visit("/learn/one-vector/7")
    said = page.locator("#lesson-unit [data-part=said]")
    page.get_by_role("group", name="Choose one").get_by_text("girl").click()
    expect(said).to_have_text(re.compile("You chose “girl”.*The answer is “book”"))
    expect(page.locator("#stage")).to_have_attribute("data-view", "step")
    expect(page.locator(".lesson-steps [data-done]")).to_have_count(1)
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator("#lesson-title")).to_have_text("Your own sentence, once more")
    expect(page.locator("#lesson-unit [data-choice]")).not_to_have_count(0)
    page.get_by_role("button", name="Show the answer").click()
    expect(said).to_have_text(re.compile("^The answer: “.+”"))
    page.goto("/learn/one-vector/3")
    expect(said).to_be_empty()
    page.get_by_role("button", name="Your own sentence").click()
    page.keyboard.type("The boy gave the girl a book.")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Reached.")
    assert faults(page) == []
    page.goto("/learn")
    expect(page.locator("[data-lesson=one-vector] [data-part=done]")).to_have_text("3 done")


def test_the_pages_of_lessons_without_a_model_keep_nobody_out(visit: Visit) -> None:
    page = visit.blank(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto("/learn/context/3")
    slider = page.get_by_role("slider", name="score of sleeps")
    slider.focus()
    slider.press("End")
    expect(page.locator("#softmax-formula")).to_contain_text("0.99 · 10")
    assert faults(page) == []
    page.goto("/learn/scores/4")
    page.get_by_role("slider", name="query q").press("End")
    expect(page.get_by_role("img", name="“London”")).to_be_visible()
    assert faults(page) == []
    page.goto("/learn/worth/2")
    page.get_by_role("slider", name="training").press("End")
    expect(page.locator("#moment-now")).to_have_text("39,500 updates")
    assert faults(page) == []
    page.goto("/learn/fast/5")
    page.get_by_role("button", name="Measure").click()
    expect(page.locator(".timed-phase")).to_have_count(2)
    expect(page.locator("[data-phase=Reading] rect")).not_to_have_count(0)
    assert faults(page) == []
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chain-cost")).to_have_text(re.compile("M$"))
    expect(page.locator("#lesson-title")).to_be_focused()
    assert faults(page) == []
    for path in ("/learn/worth/notes", "/learn/fast/handout"):
        page.goto(path)
        assert faults(page) == []


def test_a_lesson_in_one_file_needs_no_server(
    visit: Visit, contexts: Contexts, tmp_path: Path
) -> None:
    file = tmp_path / "lesson.html"
    file.write_bytes(visit.blank().request.get("/learn/one-vector/lesson.html").body())
    page = visit.pages.enter_context(contexts.page("file:///", offline=True))
    page.on("pageerror", lambda error: visit.problems.append(str(error)))
    page.goto(f"{file.as_uri()}#7")
    expect(page.get_by_role("heading", name="Where the model may look")).to_be_visible()
    frame = page.frame_locator("#lesson-frame")
    expect(frame.locator("#wrote")).to_contain_text("Le garçon a donné un")
    page.get_by_role("group", name="Choose one").filter(visible=True).get_by_text("girl").click()
    expect(page.get_by_text("You chose “girl”")).to_be_visible()
    expect(frame.locator(".part-line, .part").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Your own sentence, once more")).to_be_visible()


def test_the_tools_and_the_audit_of_a_lesson_work_in_its_file(
    contexts: Contexts, tmp_path: Path
) -> None:
    catalogue = Catalogue()
    lessons = Lessons(catalogue.cards).all
    tools = [
        step
        for step in (step for lesson in lessons for step in lesson.steps)
        if step.state.page in ("score", "timeline", "watch", "grow")
        or step.state.address.get("view") == "audit"
    ]
    lesson = replace(lessons[-1], steps=tuple(tools))
    file, problems = tmp_path / "lesson.html", list[str]()
    contents = contents_of(lesson, catalogue, Settings.from_environment())
    file.write_text(lesson_file(lesson, contents, catalogue), "utf-8")
    with contexts.page("file:///", offline=True) as page:
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text))
        page.goto(file.as_uri())
        frame = page.frame_locator("#lesson-frame")
        expect(frame.locator("#score-picture > svg")).to_be_visible()  # its script runs
        frame.get_by_role("slider", name="query q").press("End")
        expect(frame.get_by_role("img", name="“London”")).to_be_visible()
        page.get_by_role("button", name="never").click()
        expect(page.get_by_text("Yes.")).to_be_visible()
        ids = page.locator("[id]").evaluate_all("nodes => nodes.map(({ id }) => id)")
        assert len(ids) == len({*ids})  # a question names its answers, that of its own step
        page.goto(f"{file.as_uri()}#3")
        expect(frame.locator(".timed-phase")).to_have_count(2)
        expect(frame.locator("#timed-said")).to_contain_text("when this file was written")
        page.goto(f"{file.as_uri()}#4")
        expect(frame.locator("#moment-now")).not_to_be_empty()
        frame.get_by_role("slider", name="training").press("End")
        expect(frame.locator("#moment-now")).to_have_text("39,500 updates")
        page.goto(f"{file.as_uri()}#5")
        expect(frame.locator("#grow-state")).to_contain_text("0 updates")
        frame.get_by_role("button", name="One step").click()
        expect(frame.locator("#grow-state")).to_contain_text("1 update")
        page.goto(f"{file.as_uri()}#6")
        expect(frame.locator(".audit-verdict li")).not_to_have_count(0)
        expect(frame.locator(".audit-maps figure").nth(1)).to_contain_text("Effect")
        expect(frame.locator(".audit-demand")).to_have_count(0)
        term = page.get_by_role("button", name="τ", exact=True)
        term.focus()
        term.press("Enter")
        expect(page.locator(".explanation")).to_contain_text("how well two orders agree")
    assert problems == []


def test_a_place_of_a_photo_is_guessed_by_the_keyboard(visit: Visit) -> None:
    page = visit("/learn/photo/3")
    page.locator("#lesson-title").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="To the photo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#photo")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#photo-said")).to_have_text("row 8, column 8, at the middle")
    page.keyboard.press("Enter")
    said = page.locator("#lesson-unit [data-part=said]")
    expect(said).to_have_text(re.compile("^Your cell has .* The best cell has "))
    expect(page.locator("#opacity")).to_have_value("80")


def test_an_answer_that_is_asked_for_before_the_run_comes_with_it(visit: Visit) -> None:
    page, held = visit.blank(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/translate", hold)
    with page.expect_request("**/api/v1/translate"):
        page.goto(
            "/?model=en-fr-additive&text=The+cat+sleeps.&view=map&edits=uniform_q1"
            "&lesson=one-vector&at=8"
        )
    said = page.locator("#lesson-unit [data-part=said]")
    page.get_by_role("button", name="Show the answer").click()
    expect(said).to_have_text("The model is still at work. The answer follows.")
    error = {"code": "deadline_exceeded", "message": "This took longer.", "field": None}
    held[0].fulfill(status=504, json={"error": error})
    expect(said).to_have_text(re.compile("^The model did not answer"))
    page.get_by_role("button", name="Try again").click()
    expect(said).to_have_text("The model is still at work. The answer follows.")
    held[1].continue_()
    expect(said).to_have_text(re.compile("^The answer: “.+”"))


def test_a_step_on_the_page_of_growth_is_one_of_its_lesson(visit: Visit) -> None:
    page = visit.blank()
    page.goto("/learn/worth/3")
    expect(page.locator("#lesson-title")).to_have_text("Grow one yourself")
    page.wait_for_function("() => localStorage.getItem('heed.lessons') !== null")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#lesson-title")).to_have_text("Guided and not")
    expect(page.locator("#lesson-title")).to_be_focused()


def test_a_phone_shows_the_numbers_that_a_step_is_about(visit: Visit) -> None:
    page = visit(f"{STEP}3", viewport={"width": 390, "height": 844})
    row = page.locator("table.keys tr").filter(has_text="friend")
    row.scroll_into_view_if_needed()
    expect(row).to_be_in_viewport(ratio=1)
    parts = page.locator(".parts")
    assert parts.evaluate("node => node.scrollHeight <= node.clientHeight + 1")


def test_an_address_hides_controls(visit: Visit) -> None:
    page = visit("/?hide=decoding,views")
    page.get_by_role("button", name="Change").click()
    expect(page.locator("#model")).to_be_visible()
    expect(page.locator("#search")).to_be_hidden()
    expect(page.locator("#view")).to_be_hidden()


def test_its_links_need_no_script(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto(f"{STEP}5")
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.locator("#lesson-title")).to_have_text("Repeat until the end")
    expect(page.locator("#text")).to_be_visible()
    page.goto("/learn")
    page.locator("[data-lesson=attention] summary").click()
    page.locator("[data-lesson=attention]").get_by_role("link", name="The context vector").click()
    expect(page.locator("#lesson-title")).to_have_text("The context vector")
