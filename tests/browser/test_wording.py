"""What the page says of an output: who wrote it, how it was chosen, and what a list leaves out."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.canned import trace
from tests.browser.visits import Visit

DATES = "/?model=dates-additive&text=the%203rd%20of%20May%201979"
Answer = Callable[[Page, dict[str, Any]], None]


@pytest.mark.parametrize(
    ("words", "rows", "note"), [(8, 9, ""), (9, 8, "2 others share"), (4, 5, "")]
)
def test_the_numbers_of_a_step_leave_out_several_keys_or_none(
    visit: Visit, answer: Answer, words: int, rows: int, note: str
) -> None:
    page = visit.blank()
    text = [[letter] for letter in "abcdefghi"[:words]]
    answer(page, trace(text, text))
    page.goto("/?show=numbers&units=words")
    expect(page.locator("#numbers-body table tbody tr")).to_have_count(rows)
    attention = page.locator("#numbers-body .block", has=page.locator("table"))
    if note:
        expect(attention).to_contain_text(re.compile(rf"{note} (0\.\d{{3}}|less than 0\.001)"))
    else:
        expect(attention).not_to_contain_text("other")


def test_a_given_output_is_never_said_to_be_written(visit: Visit) -> None:
    page = visit(f"{DATES}&target=1979-05-04&show=numbers")
    expect(page.locator("#wrote-name")).to_have_text("Given output")
    for view in ("Map", "Ribbons", "Step", "Compare"):
        page.get_by_role("radio", name=view, exact=True).check(force=True)
        expect(page.locator("#sentence")).to_contain_text("given")
        assert "wrote" not in page.locator("#stage").inner_text()


def test_a_given_output_has_its_name_before_the_script_runs(visit: Visit) -> None:
    page = visit.blank(java_script_enabled=False)
    page.goto("/?model=dates-additive&text=3+May+1979&target=1979-05-04&wait=1")
    expect(page.locator("#wrote-name")).to_have_text("Given output")


def test_an_output_that_was_sampled_says_so(visit: Visit) -> None:
    page = visit(f"{DATES}&search=sample&seed=7&temperature=0.8")
    expect(page.locator("#decoding")).to_have_text("Sampled at random: temperature 0.8, seed 7")
    expect(visit(DATES).locator("#decoding")).to_be_hidden()


def test_the_hypothesis_of_a_beam_says_which_it_is(visit: Visit) -> None:
    page = visit(f"{DATES}&search=beam&beam=3&show=call")
    expect(page.locator("#decoding")).to_have_text("Beam search, width 3: the best hypothesis")
    page.get_by_role("radiogroup").get_by_role("radio").nth(2).check(force=True)
    expect(page.locator("#decoding")).to_have_text("Beam search, width 3: runner-up 2")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save SVG").click()
    assert "Beam search, width 3: runner-up 2" in waiting.value.path().read_text()


def test_the_spreadsheet_names_the_stop_token_as_the_page_does(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Good+morning.&show=call")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save CSV").click()
    lines = list(csv.reader(waiting.value.path().read_text(encoding="utf-8-sig").splitlines()))
    assert lines[0][-1] == lines[-1][0] == "⟨end⟩"
    assert not any("</s>" in cell for line in lines for cell in line)


def test_files_say_their_units_and_are_written_in_others(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Unfathomable+hieroglyphs.&show=call&view=step")

    def columns() -> list[str]:
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save CSV").click()
        text = waiting.value.path().read_text(encoding="utf-8-sig")
        return next(csv.reader(text.splitlines()))

    assert columns()[:3] == ["words", "Unfathomable", "hieroglyphs"]
    expect(page.locator("#share-said")).to_contain_text("in words.")
    page.locator("#file-units").select_option("subwords")
    pieces = columns()
    assert pieces[0] == "subwords"
    assert len(pieces) > 5
    expect(page.locator("#share-said")).to_contain_text("in subwords.")
    page.locator("#file-units").select_option("words")
    page.get_by_role("radio", name="Map", exact=True).check(force=True)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save SVG").click()
    assert " · words</text>" in waiting.value.path().read_text()


# --- the language of the input ------------------------------------------------------------------


def test_german_in_an_english_model_is_offered_a_model_that_reads_it(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive")
    note = page.locator("#language")
    expect(note).to_be_hidden()
    page.locator("#text").fill("Ich habe gestern einen alten Freund getroffen.")
    page.locator("#text").press("Enter")
    expect(note).to_contain_text("This looks like German. This model reads English.")
    note.get_by_role("button").click()
    expect(page.locator("#model")).to_have_value("de-en-additive")
    expect(page.locator("#read .visually-hidden")).to_have_text(re.compile("^Ich habe gestern"))
    expect(note).to_be_hidden()


def test_a_language_that_no_model_reads_is_named_without_an_offer(visit: Visit) -> None:
    page = visit("/?model=en-fr-additive&text=Mi+viejo+amigo+vive+en+la+casa+blanca.")
    expect(page.locator("#language")).to_have_text(
        "This looks like Spanish. This model reads English."
    )


@pytest.mark.parametrize("text", ["Berlin", "He said ich liebe dich and left.", "12.5 % ?!"])
def test_where_the_language_is_not_clear_nothing_is_said(visit: Visit, text: str) -> None:
    page = visit("/?model=en-fr-additive")
    with page.expect_response("**/language_guess.js"):
        page.locator("#text").fill(text)
        page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text(text)
    expect(page.locator("#language")).to_be_hidden()
