"""Parts that cannot be loaded: the page says so, and loads them once the server is back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Download, Page, expect

from tests.browser.test_bring import START, WHOLE
from tests.browser.test_bring import choose as bring
from tests.browser.visits import Visit


def choose(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("radio", name=name).check(force=True)


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize(
    ("path", "module", "act", "found"),
    [
        ("/", "views/network/view.js", choose("Network"), "#view-network svg"),
        ("/", "shell/editing.js", press("Edit"), ".edit-panel"),
        ("/", "views/map/edit.js", press("Edit"), "#edit-cells"),
        ("/", "shell/presentation.js", press("Present"), "[data-presenting]"),
        ("/?show=table", "shell/weight_table.js", lambda _: None, "#table-body table"),
        ("/?view=network", "views/network/view.js", lambda _: None, "#view-network svg"),
        ("/story", "views/step/hop_step.js", choose("Step"), "#chain > *"),
    ],
)
def test_a_part_that_was_not_loaded_is_loaded_by_try_again(
    visit: Visit, path: str, module: str, act: Callable[[Page], None], found: str
) -> None:
    page = visit.blank()
    page.route(f"**/{module}", lambda route: route.abort())
    page.goto(path)
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    act(page)
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    expect(page.locator(found)).to_have_count(0)
    page.unroute(f"**/{module}")
    page.get_by_role("button", name="Try again").click(force=True)
    expect(page.locator(found).first).to_be_attached()
    expect(page.locator("#form-error")).to_be_hidden()


def test_what_was_missing_comes_by_itself_once_the_network_is_back(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Present", exact=True).click()
    expect(page.locator("[data-presenting]")).to_be_attached()
    page.route("**/views/step/view.js", lambda route: route.abort())
    page.get_by_role("toolbar").get_by_label("View").select_option("step")
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    page.unroute("**/views/step/view.js")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#chain > *").first).to_be_attached()
    expect(page.locator("#form-error")).to_be_empty()


def test_the_exports_are_loaded_once_and_again_after_a_failure(visit: Visit) -> None:
    page = visit()
    page.route("**/shell/share.js", lambda route: route.abort())
    panel = page.locator("#call summary")
    panel.click()
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    page.unroute("**/shell/share.js")
    panel.click()
    page.get_by_role("button", name="Share", exact=True).click()
    saved: list[Download] = []
    page.on("download", lambda download: saved.append(download))
    page.get_by_role("dialog").get_by_role("button", name="All files").click()
    expect(page.locator("#curl")).not_to_be_empty()  # the buttons are ready by then
    with page.expect_download():
        page.locator("#save-json").click()
    with page.expect_download():
        page.locator("#save-svg").click()
    assert len(saved) == 2


def test_the_page_keeps_an_opened_file_while_a_part_is_loaded_again(visit: Visit) -> None:
    page = visit(START)
    bring(page, "mine.json", json.dumps(WHOLE).encode())
    expect(page.locator("#model-now")).to_have_text("Weights in mine.json")
    page.route("**/views/step/view.js", lambda route: route.abort())
    choose("Step")(page)
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    page.unroute("**/views/step/view.js")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#chain")).to_contain_text("weights only")
    expect(page.locator("#model-now")).to_have_text("Weights in mine.json")


def test_a_part_that_was_not_loaded_is_not_asked_for_at_each_row(visit: Visit) -> None:
    page, asked = visit(), list[str]()
    page.route("**/shell/editing.js", lambda route: route.abort())
    press("Edit")(page)
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    page.on("request", lambda request: asked.append(request.url))
    for row in (1, 2, 3):
        page.locator(f'#wrote [data-row="{row}"]').hover()
        expect(page.locator("#sentence")).to_contain_text(f"Step {row + 1} of")
    assert not [url for url in asked if url.endswith("editing.js")]


def test_a_lesson_that_was_not_loaded_is_loaded_by_try_again(visit: Visit) -> None:
    page = visit.blank()
    page.route("**/shell/lesson.js", lambda route: route.abort())
    page.goto("/?lesson=attention&at=6")
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    expect(page.locator(".lesson-steps [data-done]")).to_have_count(0)
    page.unroute("**/shell/lesson.js")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".lesson-steps [data-done]")).to_have_count(1)


def test_photos_are_taken_once_what_takes_them_is_loaded(visit: Visit) -> None:
    page = visit.blank()
    page.route("**/shell/photo_input.js", lambda route: route.abort())
    page.route("**/api/v1/caption", lambda _route: None)  # an answer would try the part again
    page.goto("/picture")
    expect(page.locator("#form-error")).to_contain_text("does not respond")
    page.unroute("**/shell/photo_input.js")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#form-error")).to_be_hidden()
    with page.expect_file_chooser():
        page.locator("#choose").click()
