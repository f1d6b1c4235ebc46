"""The view that says what a map is worth."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser.canned_pictures import fields, sample
from tests.browser.visits import Visit


def test_a_map_is_audited_at_one_press_and_again_for_another_question(visit: Visit) -> None:
    page = visit("/?model=dates-additive&text=3%20May%201979")
    page.get_by_role("radio", name="Audit").check(force=True)
    verdict = page.locator(".audit-verdict > li")
    expect(verdict).to_have_count(3)
    expect(verdict.first).to_contain_text("Blocking the three strongest")
    expect(page.locator(".audit-maps canvas")).to_have_count(4)
    expect(page.locator(".audit-figures dt").first).to_contain_text("Blocking the 3 strongest")
    page.locator(".audit-maps canvas").nth(1).hover()
    expect(page.locator("#tooltip")).to_contain_text("bits")
    page.get_by_role("radio", name="Silence").check()
    expect(verdict.first).to_contain_text("Silencing the three strongest")
    expect(page).to_have_url(re.compile("removal=silence"))
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).first.click()
    assert "cost in bits" in download.value.path().read_text("utf-8").splitlines()[0]


def test_another_word_and_another_output_are_asked_for_and_kept_in_the_address(
    visit: Visit,
) -> None:
    page = visit("/?model=dates-additive&text=3%20May%201979&view=audit&step=3")
    contrast = page.locator(".audit-demand", has_text="Contrast")
    contrast.get_by_role("combobox").fill("1985")
    contrast.get_by_role("button", name="Compare").click()
    expect(contrast.locator(".audit-result")).to_contain_text("than “1985”")
    page.get_by_role("radio", name="rewritten").check()
    page.get_by_role("radio", name="the word from the input").check()
    rewritten = page.locator(".audit-outputs")
    expect(rewritten).to_contain_text("1979")
    expect(page.locator(".audit-demand").first).to_contain_text("Leaving one word out")
    expect(page).to_have_url(re.compile("take=word.*rewrite=true|rewrite=true.*take=word"))
    page.reload()
    expect(contrast.locator(".audit-result")).to_contain_text("than “1985”")
    expect(rewritten).to_contain_text("1979")
    expect(page.get_by_role("radio", name="the word from the input")).to_be_checked()
    # With another row, the same word is asked for again.
    result = contrast.locator(".audit-result")
    page.get_by_role("button", name="Next step").click()
    expect(result).to_be_empty()
    contrast.get_by_role("button", name="Compare").click()
    expect(result).to_contain_text("1985")


def test_a_caption_is_audited_over_the_photo_word_by_word(visit: Visit) -> None:
    page = visit("/picture?model=caption-soft&view=audit&step=1")
    expect(page.locator(".audit-verdict > li")).to_have_count(3, timeout=60_000)
    expect(page.locator(".audit-maps .photo-panel")).to_have_count(4)
    caption = page.locator(".audit-maps figcaption").first
    before = caption.inner_text()
    page.get_by_role("button", name="Next step").click()
    expect(caption).not_to_have_text(before)
    curves = page.locator(".audit-demand", has_text="Deletion and insertion")
    curves.get_by_role("button", name="Delete and insert").click()
    expect(curves.locator(".audit-charts svg").first).to_be_visible(timeout=60_000)
    curves.get_by_role("button", name="Stop").click()
    expect(curves).to_contain_text("Stopped.")
    expect(curves.locator(".audit-charts svg").first).to_be_visible()


def test_after_a_failed_request_the_photo_on_screen_is_audited(visit: Visit) -> None:
    page = visit("/picture?model=caption-soft&sample=sheep&view=step")
    page.route("**/photographer.jpg", lambda route: route.abort())
    page.get_by_role("button", name="Sample: a man behind a camera").click()
    expect(page.locator("#stage")).to_have_attribute("data-state", "stale")
    page.unroute("**/photographer.jpg")
    sent: list[dict[str, bytes]] = []

    def ask(route: Route) -> None:
        sent.append(fields(route))
        route.continue_()

    page.route("**/caption/audit", ask)
    page.get_by_role("radio", name="Audit").check(force=True)
    expect(page.locator(".audit-verdict > li")).to_have_count(3, timeout=60_000)
    assert sent[0]["image"] == sample("sheep")
