"""The page of pictures: photos that are kept, legends that are true, and the words of an answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import canned_pictures as canned
from tests.browser.forms import open_form
from tests.browser.steps import open_part
from tests.browser.test_pictures import Open, choose, photo, place, written
from tests.browser.test_pictures import show as show


def test_a_photo_of_the_user_keeps_its_place_beside_the_samples(show: Open) -> None:
    page, asked = show()
    own = page.get_by_role("button", name=re.compile("^Your photo"))
    expect(own).to_have_count(0)
    file = photo()
    page.locator("#file").set_input_files(file)
    expect(own).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(own).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    own.click()
    expect(page).to_have_url(re.compile("sample=yours"))
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    assert asked[-1]["image"] == file["buffer"]
    page.reload()
    expect(own).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.cookie") == ""
    assert page.evaluate("Object.keys(localStorage).length") == 0


def test_each_sample_has_a_question_of_its_own(show: Open) -> None:
    page, asked = show("/picture?model=ask&sample=sheep")
    question = page.locator("#question")
    expect(question).to_have_value("What animal is this?")
    assert asked[-1]["question"] == b"What animal is this?"
    page.get_by_role("button", name="Sample: two giraffes").click()
    expect(question).to_have_value("How many giraffes are there?")
    question.fill("Where are they?")
    question.press("Enter")
    page.get_by_role("button", name="Sample: a kitchen").click()
    expect(question).to_have_value("What room is this?")
    page.get_by_role("button", name="Sample: two giraffes").click()
    expect(question).to_have_value("Where are they?")


def test_a_photo_that_is_refused_leaves_the_one_before(show: Open) -> None:
    page, asked = show()
    file = photo()
    page.locator("#file").set_input_files(file)
    own = page.get_by_role("button", name=re.compile("^Your photo"))
    expect(own).to_have_attribute("aria-pressed", "true")
    refused = {"code": "unsupported_picture", "message": "Send a picture.", "field": "image"}
    page.route(
        "**/api/v1/caption", lambda route: route.fulfill(status=415, json={"error": refused})
    )
    page.locator("#file").set_input_files({**file, "name": "b.png", "buffer": b"no picture"})
    expect(page.locator("#image-error")).to_have_text("Send a picture.")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(page.locator("#photo")).to_have_attribute("data-painted", re.compile(r"\d"))
    expect(own).to_have_attribute("aria-pressed", "true")
    page.unroute("**/api/v1/caption")
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "false")
    own.click()
    expect(page.locator("#image-error")).to_be_hidden()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    assert asked[-1]["image"] == file["buffer"]


@pytest.mark.parametrize("smoothing", [0, 45, 100])
def test_one_maximum_is_one_number(show: Open, smoothing: int) -> None:
    page, _ = show(f"/picture?step=9&show=table&smoothing={smoothing}")
    expect(page.locator("#photo")).to_have_attribute("data-painted", "9")
    weight = page.locator("#table tbody tr").nth(8).locator("td").nth(3).inner_text()
    expect(page.locator("#bar-top")).to_have_text(weight)
    field = page.evaluate("document.getElementById('photo-plot').data[0]")
    assert f"{field['zmax']:.3f}" == weight
    assert f"{max(value for row in field['z'] for value in row):.3f}" == weight
    choose(page, "view", "sheet")
    expect(page.locator("#sheet .sheet-panel").nth(8)).to_contain_text(f"α ≤ {weight}")


def test_the_legend_of_all_words_is_true_for_each(show: Open) -> None:
    page, _ = show("/picture?view=sheet&show=table")
    expect(page.locator("#bar-top")).to_have_text("largest of each word")
    rows, panels = page.locator("#table tbody tr"), page.locator("#sheet .sheet-panel")
    expect(panels.last).to_contain_text("α ≤")
    expect(rows).to_have_count(panels.count())
    weights = [row.locator("td").nth(3).inner_text() for row in rows.all()]
    for panel, weight in zip(panels.all(), weights, strict=True):
        expect(panel).to_contain_text(f"α ≤ {weight}")
    choose(page, "scale", "whole")
    expect(page.locator("#bar-top")).to_have_text(max(weights))


def test_every_head_is_seen_over_the_photo_and_one_is_opened(show: Open) -> None:
    page, _ = show("/picture?model=caption-transformer&view=heads&step=2")
    heads = page.locator("#heads .head-map")
    expect(heads).to_have_count(16)
    expect(page.locator("#heads canvas")).to_have_count(16)
    expect(page.locator("#heads h3")).to_have_text(["Layer 1", "Layer 2"])
    expect(page.locator("#bar-top")).to_have_text("largest of each head")
    painted = "document.querySelector('#heads canvas').toDataURL()"
    before = page.evaluate(painted)
    page.locator('#wrote [data-row="8"]').click()
    page.wait_for_function(f"before => {painted} !== before", arg=before)
    page.locator("#heads [data-layer='1'][data-head='4']").click()
    expect(page.locator("#photo")).to_be_visible()
    expect(page).to_have_url(re.compile("layer=2&head=5"))


def test_a_model_with_one_head_has_no_view_of_heads(show: Open) -> None:
    page, _ = show("/picture?view=heads")
    expect(page.locator("#view label", has_text="Heads")).to_be_hidden()
    expect(page.locator("#photo")).to_be_visible()


def test_a_model_that_answers_speaks_of_answers_and_compares_nothing(show: Open) -> None:
    page, _ = show("/picture?model=ask&show=search")
    expect(page.locator("#wrote-name")).to_have_text("Answer")
    expect(page.locator("#target-name")).to_have_text("Enter the answer yourself")
    expect(page.locator("#view label", has_text="Compare")).to_be_hidden()
    choose(page, "view", "step")
    expect(open_part(page, "query")).to_contain_text("the answer so far")
    assert "caption" not in page.locator("#steps").inner_text().lower()
    open_form(page)
    page.locator("#target").fill("orange")
    page.locator("#target").press("Enter")
    expect(page.locator("#wrote-name")).to_have_text("Given answer")
    expect(page.locator("#search-now")).to_have_text("answer entered")
    open_form(page)
    page.locator("#model").select_option("caption-soft")
    expect(page.locator("#target-name")).to_have_text("Enter the caption yourself")
    expect(page.locator("#view label", has_text="Compare")).to_be_visible()


def test_an_address_of_a_comparison_falls_back_where_there_is_none(show: Open) -> None:
    page, _ = show("/picture?model=ask&view=compare&question=Who+is+it%3F")
    expect(page.locator("#photo")).to_be_visible()
    assert written(page) == "orange"


def test_a_sampled_caption_says_so(show: Open) -> None:
    page, asked = show("/picture?search=sample&seed=3&temperature=0.5")
    assert asked[0]["search"] == b'{"kind":"sample","seed":3,"temperature":0.5}'
    trace = canned.trace()
    trace["request"]["search"] |= {"kind": "sample", "seed": 3, "temperature": 0.5}
    page.route("**/api/v1/caption", lambda route: route.fulfill(json=trace))
    page.get_by_role("button", name="Sample: a sheep").click()
    expect(page.locator("#decoding")).to_have_text("Sampled at random: temperature 0.5, seed 3")


def test_the_place_under_the_pointer_agrees_with_the_legend(show: Open) -> None:
    page, _ = show("/picture?step=9")
    expect(page.locator("#photo")).to_have_attribute("data-plotted", "")
    page.mouse.move(*place(page, 0.03, 0.32))
    expect(page.locator("#tooltip")).to_contain_text("row 5, column 1")
    weight = re.search(r"α (0\.\d{4})", page.locator("#tooltip").inner_text())
    assert weight is not None
    assert f"{float(weight[1]):.3f}" == page.locator("#bar-top").inner_text()
