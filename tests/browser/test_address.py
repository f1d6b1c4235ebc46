"""The address bar: a copied link shows the same thing, and the way back leads back."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from playwright.sync_api import Page, expect

from tests.browser.visits import Visit


def test_an_address_restores_everything(visit: Visit) -> None:
    page = visit(
        "/?model=dates-dot&text=5+june+2001&search=beam&beam=3&pick=1&step=4"
        "&units=subwords&scale=row&speed=2&show=numbers+table"
    )
    expect(page.locator("#model")).to_have_value("dates-dot")
    expect(page.locator("#text")).to_have_value("5 june 2001")
    expect(page.get_by_label("Beam keeps the best hypotheses")).to_be_checked()
    expect(page.locator("#beam")).to_have_value("3")
    expect(page.locator("#hypotheses input").nth(1)).to_be_checked()
    expect(page.locator("#place")).to_have_text(re.compile("^4 /"))
    expect(page.get_by_label("each row")).to_be_checked()
    expect(page.locator("#speed")).to_have_value("2")
    expect(page.locator("#numbers")).to_have_attribute("open", "")
    expect(page.locator("#table table")).to_be_visible()


def test_the_address_of_a_page_shows_the_same_page(page: Page, visit: Visit) -> None:
    page.locator("#text").fill("the 4th of july 1776")
    page.locator("#text").press("Enter")
    expect(page).to_have_url(re.compile("text="))
    page.locator("#slider").fill("6")
    page.get_by_label("each row").check(force=True)
    page.locator("#numbers summary").click()
    expect(page).to_have_url(re.compile("step=6.*scale=row.*show=numbers"))
    expect(page.locator("#numbers-body")).to_contain_text("Alternatives")
    other = visit(page.url)
    for part in ("#sentence", "#read", "#wrote", "#place", "#bar-top", "#numbers-body"):
        shown = page.locator(part).inner_text()
        expect(other.locator(part)).to_have_text(shown, use_inner_text=True)


def test_odd_characters_come_back(visit: Visit) -> None:
    text = "5 + 5 & 10 % = ? # “é” 🎉"
    page = visit(f"/?text={quote(text)}")
    expect(page.locator("#text")).to_have_value(text)
    expect(page.locator("#read .visually-hidden")).to_have_text(text)


def test_back_and_forward_lead_through_the_questions(page: Page) -> None:
    first = page.locator("#text").input_value()
    for text in ("1 may 1901", "2 may 1902"):
        page.locator("#text").fill(text)
        page.locator("#text").press("Enter")
        expect(page.locator("#read .visually-hidden")).to_have_text(text)
    page.locator("#slider").fill("5")
    expect(page).to_have_url(re.compile("step=5"))
    page.go_back()
    expect(page.locator("#read .visually-hidden")).to_have_text("1 may 1901")
    expect(page.locator("#text")).to_have_value("1 may 1901")
    page.go_back()
    expect(page.locator("#read .visually-hidden")).to_have_text(first)
    page.go_forward()
    page.go_forward()
    expect(page.locator("#read .visually-hidden")).to_have_text("2 may 1902")
    expect(page.locator("#place")).to_have_text(re.compile("^5 /"))


def test_a_step_is_no_entry_of_the_history(page: Page) -> None:
    length = page.evaluate("() => history.length")
    for _ in range(4):
        page.get_by_role("button", name="Next step").click()
    expect(page).to_have_url(re.compile("step=5"))
    assert page.evaluate("() => history.length") == length


def test_nonsense_in_the_address_does_no_harm(visit: Visit) -> None:
    page = visit("/?step=999&layer=7&head=x&pick=9&speed=11&scale=log&show=<b>&beam=-1&map=?")
    last = page.locator("#slider").get_attribute("max")
    expect(page.locator("#place")).to_have_text(f"{last} / {last}")


def test_a_model_that_is_not_here_is_named(visit: Visit) -> None:
    page = visit("/?model=gone")
    expect(page.locator("#form-error")).to_contain_text("The model “gone” is not installed")


def test_the_link_the_numbers_and_the_call_can_be_taken_along(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#call summary").click()
    clipboard = "() => navigator.clipboard.readText()"
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#share-said")).to_have_text("Link copied.")
    other = visit(page.evaluate(clipboard))
    expect(other.locator("#sentence")).to_have_text(page.locator("#sentence").inner_text())
    page.bring_to_front()
    page.get_by_role("button", name="Copy JSON").click()
    expect(page.locator("#share-said")).to_have_text("JSON copied.")
    assert json.loads(page.evaluate(clipboard))["schema"] == "heed.trace/2"
    page.get_by_role("button", name="Copy curl").click()
    expect(page.locator("#share-said")).to_have_text("curl command copied.")
    assert page.evaluate(clipboard) == page.locator("#curl").inner_text()


def test_files_can_be_saved(page: Page) -> None:
    page.locator("#call summary").click()
    for kind, opening in (("JSON", b"{"), ("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Save {kind}").click()
        assert saved.value.suggested_filename.endswith(f".{kind.lower()}")
        with saved.value.path().open("rb") as file:
            assert file.read(4).startswith(opening[:4])
