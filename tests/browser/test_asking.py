"""Asking for something: the sentence, the model, the search; and what the server refuses."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.canned import trace
from tests.browser.forms import open_form
from tests.browser.visits import Visit

OTHER = "dates-dot"
"""A model that is not the default."""

Answer = Callable[[Page, dict[str, Any]], None]


def written(page: Page) -> str:
    """What the model wrote, as the page shows it."""
    return "".join(page.locator("#wrote .piece").all_text_contents())


def read(page: Page) -> str:
    """What the page says that the model read."""
    return page.locator("#read .visually-hidden").inner_text()


@pytest.mark.parametrize("submit", ["Enter", "Control+Enter", "button"])
def test_a_date_is_typed_and_translated(page: Page, submit: str) -> None:
    page.locator("#text").fill("the 4th of july 1776")
    if submit == "button":
        page.get_by_role("button", name="Translate").click()
    else:
        page.locator("#text").press(submit)
    expect(page.locator("#read .visually-hidden")).to_have_text("the 4th of july 1776")
    assert written(page) == "1776-07-04"
    expect(page).to_have_title(re.compile("the 4th of july 1776"))


def test_an_example_says_what_to_look_for(page: Page) -> None:
    open_form(page)
    page.locator("#examples button").nth(1).click()
    expect(page.locator("#hint")).to_contain_text("The day of the week is read")
    page.locator("#text").fill("my own")
    expect(page.locator("#hint")).to_be_empty()


def test_shift_and_enter_make_a_new_line(page: Page) -> None:
    page.locator("#text").fill("one")
    page.locator("#text").press("Shift+Enter")
    expect(page.locator("#text")).to_have_value("one\n")
    assert "text=" not in page.url


def test_an_example_is_one_click(page: Page) -> None:
    open_form(page)
    chip = page.locator("#examples button").nth(1)
    text = chip.inner_text()
    chip.click()
    expect(page.locator("#read .visually-hidden")).to_have_text(text)
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#examples button").nth(1)).to_have_attribute("aria-pressed", "true")


def test_switching_the_model_keeps_the_sentence(page: Page) -> None:
    page.locator("#text").fill("5 june 2001")
    page.locator("#model").select_option("dates-dot")
    expect(page.locator("#read .visually-hidden")).to_have_text("5 june 2001")
    expect(page.locator("#text")).to_have_value("5 june 2001")
    assert "model=dates-dot" in page.url


def test_a_model_of_another_task_brings_its_own_example(visit: Visit) -> None:
    page = visit.blank()

    def with_another_task(route: Route) -> None:
        response = route.fetch()
        catalogue = re.compile('data-models="([^"]*)"')
        models = json.loads(html.unescape(catalogue.findall(response.text())[0]))
        other = next(model for model in models if model["id"] == OTHER)
        other |= {"task": "other", "examples": ["12 december 2012"]}
        attribute = f'data-models="{html.escape(json.dumps(models))}"'
        route.fulfill(response=response, body=catalogue.sub(lambda _: attribute, response.text()))

    page.route(re.compile(r"/$"), with_another_task)
    page.goto("/")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    default = page.locator("#model").input_value()
    open_form(page)
    page.locator("#examples button").nth(2).click()
    open_form(page)
    page.locator("#model").select_option(OTHER)
    expect(page.locator("#text")).to_have_value("12 december 2012")
    page.locator("#text").fill("my own words")
    page.locator("#model").select_option(default)
    expect(page.locator("#text")).to_have_value("my own words")


def test_a_model_without_attention_says_so(page: Page) -> None:
    open_form(page)
    page.locator("#model").select_option("dates-none")
    expect(page.get_by_text("This model has no attention")).to_be_visible()
    expect(page.locator("#map")).to_be_hidden()
    expect(page.locator("#blind-strip .strip path")).not_to_have_count(0)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("#sentence")).to_have_text(re.compile("^Step 2 of .* one fixed vector"))
    page.locator("#model").select_option("dates-additive")
    expect(page.locator("#map")).to_be_visible()


def test_a_beam_brings_its_runners_up(page: Page) -> None:
    open_form(page)
    page.locator("#search summary").click()
    page.get_by_label("Beam keeps the best hypotheses").check()
    choices = page.get_by_role("radiogroup", name="Hypotheses of the beam").get_by_role("radio")
    expect(choices).to_have_count(4)
    best = written(page)
    choices.nth(1).check(force=True)
    expect(page.locator("#wrote")).not_to_have_text(
        page.locator("#hypotheses bdi").first.inner_text()
    )
    assert written(page) == page.locator("#hypotheses bdi").nth(1).inner_text()
    assert written(page) != best
    page.locator("#beam").fill("2")
    page.locator("#beam").press("Enter")
    expect(choices).to_have_count(2)
    assert "search=beam" in page.url
    assert "beam=2" in page.url


def test_the_same_seed_draws_the_same(page: Page) -> None:
    open_form(page)
    page.locator("#search summary").click()
    page.get_by_label("Sample draws at random").check()
    page.locator("#temperature").fill("3")
    page.locator("#seed").fill("7")
    page.locator("#seed").press("Enter")
    expect(page).to_have_url(re.compile("seed=7"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    drawn = written(page)
    page.reload()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert written(page) == drawn


def test_the_output_can_be_given(page: Page) -> None:
    open_form(page)
    page.locator("#search summary").click()
    page.get_by_label("Enter the output yourself").fill("1979-05-04")
    page.get_by_label("Enter the output yourself").press("Enter")
    expect(page.locator("#wrote-name")).to_have_text("Given output")
    assert written(page) == "1979-05-04"
    expect(page.locator("#sentence")).to_contain_text("(probability")


@pytest.mark.parametrize("text", ["", "   "])
def test_a_blank_sentence_is_refused_in_words(page: Page, text: str) -> None:
    page.locator("#text").fill(text)
    page.locator("#text").press("Enter")
    expect(page.locator("#text-error")).to_be_visible()
    expect(page.locator("#text-error")).to_have_text(re.compile(r"\w+ \w+"))
    expect(page.locator("#text")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#text")).to_be_focused()
    page.locator("#text").fill("5 june 2001")
    page.locator("#text").press("Enter")
    expect(page.locator("#text-error")).to_be_hidden()
    assert page.locator("#text").get_attribute("aria-invalid") is None


def test_a_sentence_too_long_is_told_before_and_after(page: Page) -> None:
    page.locator("#text").fill("5 june 2001 " * 30)
    expect(page.locator("#room")).to_have_text(re.compile(r"^360 of \d+ characters$"))
    page.locator("#text").press("Enter")
    expect(page.locator("#text-error")).to_be_visible()


@pytest.mark.parametrize(
    "text",
    ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "&lt;b&gt; {{7*7}}"],
)
def test_markup_is_only_text(visit: Visit, text: str) -> None:
    page = visit()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.locator("#text").fill(text)
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text(text)
    for panel in ("numbers", "table", "call"):
        page.locator(f"#{panel} summary").click()
    expect(page.locator("#table table")).to_be_visible()
    page.reload()
    expect(page.locator("#read .visually-hidden")).to_have_text(text)
    assert page.locator("main img, #stage script").count() == 0


def test_markup_in_a_trace_is_only_text(visit: Visit, answer: Answer) -> None:
    page = visit.blank()
    nasty = "<img/src=x/onerror=alert(1)>"
    answer(page, trace([[nasty], ["<b>"]], [[nasty]], runners_up=[[["<a/href=//x>"]]]))
    page.goto("/?show=numbers+table")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.locator("#plot").hover(position={"x": 20, "y": 10})
    expect(page.locator("#tooltip")).to_contain_text(nasty)
    assert page.locator("main img").count() == 0


def test_a_later_question_ends_an_earlier_one(page: Page) -> None:
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/v1/translate", hold_the_first)
    page.locator("#text").fill("1 may 1901")
    page.locator("#text").press("Enter")
    expect(page.locator("#progress")).to_have_attribute("data-slow", "")
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "true")
    page.locator("#text").fill("2 may 1902")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("2 may 1902")
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    assert written(page) == "1902-05-02"


def write(page: Page) -> None:
    page.locator("#text").fill("1 may 1901")
    page.locator("#text").press("Enter")


def choose_sheep(page: Page) -> None:
    page.get_by_role("button", name="Sample: a sheep").click()


@pytest.mark.parametrize(
    ("path", "call", "request_again"),
    [("/", "translate", write), ("/picture", "caption", choose_sheep)],
)
def test_a_busy_server_is_asked_again(
    visit: Visit, path: str, call: str, request_again: Callable[[Page], None]
) -> None:
    page, asked = visit(path), list[int]()
    busy = {"error": {"code": "busy", "message": "Too many at once.", "field": None}}

    def busy_once(route: Route) -> None:
        asked.append(1)
        if len(asked) == 1:
            route.fulfill(status=503, headers={"Retry-After": "1"}, json=busy)
        else:
            route.continue_()

    page.route(f"**/api/v1/{call}", busy_once)
    request_again(page)
    expect(page.locator("#form-error")).to_contain_text("Too many at once.")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#form-error")).to_be_hidden()
    assert len(asked) == 2


def test_a_server_that_is_gone_can_be_tried_again(page: Page) -> None:
    page.route("**/api/v1/translate", lambda route: route.abort())
    page.locator("#text").fill("1 may 1901")
    page.locator("#text").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    page.unroute("**/api/v1/translate")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#read .visually-hidden")).to_have_text("1 may 1901")


def test_enter_belongs_to_the_input_method_while_it_composes(page: Page) -> None:
    page.locator("#text").fill("may")
    page.locator("#text").dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    assert "text=" not in page.url


def test_a_book_in_the_field_is_refused_and_the_address_stays_sane(page: Page) -> None:
    page.locator("#text").fill("call me ishmael " * 2000)
    page.locator("#text").press("Enter")
    expect(page.locator("#text-error")).to_be_visible()
    assert len(page.url) < 10_000


def test_what_was_asked_lately_is_kept_in_this_browser_until_it_is_forgotten(visit: Visit) -> None:
    page = visit("/?model=dates-additive")
    expect(page.locator("#recent")).to_be_hidden()
    for text in ("9 June 2001", "1 May 1999"):
        page.locator("#text").fill(text)
        page.locator("#text").press("Enter")
        expect(page.locator("#read .visually-hidden")).to_have_text(text)
    page.goto("/?model=dates-additive")
    open_form(page)
    chips = page.locator("#recent-list button")
    expect(chips).to_have_text(["1 May 1999", "9 June 2001"])
    chips.last.click()
    expect(page.locator("#read .visually-hidden")).to_have_text("9 June 2001")
    open_form(page)
    page.get_by_role("button", name="Forget").click()
    expect(page.locator("#recent")).to_be_hidden()
    page.reload()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(chips).to_have_count(0)
