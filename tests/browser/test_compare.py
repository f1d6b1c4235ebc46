"""Models side by side on the sentences where they differ: what is lost, and how length matters."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.test_access import faults
from tests.browser.visits import Visit

HOUSE = "The white house on the hill belongs to my old friend."
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALLEST_TARGET = 44


def test_a_sentence_that_one_vector_cannot_hold_is_one_press(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive")
    page.get_by_role("radio", name="Compare").check(force=True)
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    expect(page.locator("#text")).not_to_have_value(HOUSE)
    page.get_by_role("button", name="A sentence", exact=True).click()
    expect(page.locator("#text")).to_have_value(HOUSE)
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    expect(page.locator("#compare-cards .card")).to_have_count(2)
    additive, none = page.locator("#compare-texts .compare-text").all()
    expect(additive.locator(".lost-words")).to_have_count(0)
    expect(none.locator(".lost-words s").first).to_be_visible()
    expect(none.locator("[data-differs]").first).to_be_visible()
    assert "blanche" in additive.locator(".card-text").inner_text()
    assert "blanche" in none.locator(".lost-words").inner_text()
    page.go_back()
    expect(page.locator("#text")).not_to_have_value(HOUSE)


def test_a_sentence_of_the_user_is_compared_as_it_is(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.")
    page.get_by_role("radio", name="Compare").check(force=True)
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    expect(page.locator("#text")).to_have_value("Good morning.")


def test_the_long_quotation_is_one_press(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.&view=compare")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    page.get_by_role("button", name="A long quotation").click()
    expect(page.locator("#text")).to_have_value(re.compile("^An admitting privilege"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#compare-texts .card-text")).to_have_count(2)
    assert page.locator("#compare-texts .lost-words s").count() > 3
    expect(page.get_by_role("button", name="A long quotation")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_the_measured_quality_is_drawn_over_the_length(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.&view=compare")
    chart = page.locator("#compare-lengths svg")
    expect(chart).to_have_attribute("aria-label", re.compile(r"no attention: \d+\.\d for 1 to 10"))
    expect(chart.locator(".length-curve")).to_have_count(2)
    expect(chart).to_contain_text("this sentence: 2 words")
    dates = visit("/?model=dates-additive&text=3+May+1979&view=compare")
    expect(dates.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    expect(dates.locator("#compare-lengths svg")).to_have_count(0)


def test_a_formula_stands_under_each_map(visit: Visit) -> None:
    page = visit("/?model=dates-additive&text=3+May+1979&view=compare&with=dates-dot+dates-none")
    formulas = page.locator("#compare-cards .formula")
    expect(formulas).to_have_text([re.compile("tanh"), "e = q·k", re.compile("^cₜ = c")])


def test_a_lost_word_is_found_again_in_the_output_that_has_it(visit: Visit) -> None:
    page = visit(f"/?model=en-fr-additive&text={HOUSE.replace(' ', '+')}&view=compare")
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    page.locator("#compare-texts .lost-words s", has_text="blanche").hover()
    lit = page.locator("#compare-texts .card-text [data-lit]")
    expect(lit).to_have_text(["blanche"])


def test_on_a_phone_the_models_to_compare_with_are_all_in_reach(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.&view=compare", **PHONE)
    expect(page.locator("#compare-cards")).to_have_attribute("data-drawn", "2")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for chip in page.locator("#with-list label, #compare-stages button").all():
        found = chip.bounding_box()
        assert found is not None
        assert found["height"] >= SMALLEST_TARGET
        assert found["x"] >= 0
        assert found["x"] + found["width"] <= 390
    assert faults(page) == []


def test_where_nothing_can_be_compared_there_is_no_view_for_it(visit: Visit) -> None:
    page = visit("/?model=en-es-additive&view=compare")
    expect(page.locator("#view label", has_text="Compare")).to_be_hidden()
    expect(page.locator("#map")).to_be_visible()


EIGHT = (
    "/?model=en-fr-additive&text=I+do+not+know+where+she+lives.&view=compare&with="
    "en-fr-additive-free+en-fr-concat+en-fr-dot+en-fr-general+en-fr-scaled+en-fr-transformer+en-fr-none"
)


def test_eight_models_stand_on_one_screen_and_are_compared_cell_by_cell(visit: Visit) -> None:
    page = visit(EIGHT, viewport={"width": 1280, "height": 720})
    cards = page.locator("#compare-cards")
    expect(cards).to_have_attribute("data-drawn", "8")
    end = "() => document.querySelector('#compare-cards').getBoundingClientRect().bottom"
    page.wait_for_function(f"{end} <= innerHeight")
    page.locator("#compare-cards canvas").nth(4).hover()
    expect(cards.locator(".cell-weight", has_text="α")).to_have_count(7)
    page.locator("#compare-note").hover()
    expect(cards.locator(".cell-weight", has_text="α")).to_have_count(0)
    names = cards.locator("h3")
    page.locator("#sort").select_option("entropy")
    expect(names).to_have_text(
        [re.compile("general"), *[re.compile(".")] * 6, re.compile("no attention")]
    )
    page.locator("#sort").select_option("quality")
    expect(names.first).to_have_text(re.compile("Transformer"))
    page.locator("#minus").select_option("en-fr-dot")
    expect(page.locator("#compare-legend")).to_contain_text("more from dot product")
    expect(page).to_have_url(re.compile("sort=quality.*minus=en-fr-dot"))
    page.locator("#compared-head").select_option(label="layer 3, head 4")
    expect(page).to_have_url(re.compile("layer=3&head=4"))
    page.locator("#compare-figures summary").click()
    expect(page.locator("#compare-figures tbody tr")).to_have_count(8)
    with page.expect_download() as download:
        page.locator("#compare-figures a").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("model,output,")
    assert len(lines) == 9
    assert faults(page) == []
