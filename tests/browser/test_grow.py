"""The network that grows in the page: it needs no server, and nobody is kept out."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

from playwright.sync_api import Download, Locator, Page, expect

from heed.app.schemas import TraceOut
from heed.output.page.standalone import grow_file
from tests.browser.contexts import Contexts
from tests.browser.test_access import faults, nameless
from tests.browser.visits import Visit

SMALL = "/learn/grow?width=16&longest=5&beside=attention-none&text=abc"


def opened(visit: Visit, path: str) -> Page:
    """The page once its untrained network is drawn."""
    page = visit.blank()
    page.goto(path)
    grown(page, "0")
    return page


MANY = r"([2-9]\d|\d{3,})"
"""Twenty updates or more: how many there are when a person pauses depends on the machine."""


def grown(page: Page, updates: str) -> None:
    """Wait for so many updates."""
    expect(page.locator("#grow-state")).to_have_text(re.compile(rf"^After {updates} updates?,"))


def test_a_network_grows_without_any_request_and_goes_back_in_time(visit: Visit) -> None:
    page = opened(visit, SMALL)
    go = page.locator("#grow-go")
    expect(page.locator(".grow-run:visible")).to_have_count(2)
    assert faults(page) == []
    assert nameless(page) == []
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="One step").click()
    grown(page, "1")
    go.click()
    expect(go).to_have_text("Pause")
    grown(page, MANY)
    go.click()
    expect(go).to_have_text("Go on")
    expect(page.locator("#grow-said")).to_contain_text("Paused. After")
    page.get_by_label("Back in time").press("Home")
    grown(page, "0")
    expect(page.locator(".grow-line").first).to_have_attribute("d", re.compile("^M.*L"))
    page.get_by_label("Back in time").press("End")
    grown(page, MANY)  # a last frame may arrive after the pause
    page.get_by_label("A text of yours").fill("dcba")
    typed = page.locator(".grow-run").first.locator(".grow-mine figcaption")
    expect(typed).to_contain_text("dcba")
    assert "text=dcba" in page.url
    _edit(page, typed)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the model").first.click()
    names = zipfile.ZipFile(io.BytesIO(waiting.value.path().read_bytes())).namelist()
    assert f"{waiting.value.suggested_filename[:-4]}/model.safetensors" in names
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save the trace").first.click()
    trace = TraceOut.model_validate(json.loads(waiting.value.path().read_bytes()))
    assert (trace.model.mechanism, trace.request.text) == ("additive", "dcba")
    assert [url for url in asked if not url.startswith("blob:")] == []


def _edit(page: Page, typed: Locator) -> None:
    """Block a letter by the form and a cell by a press, and take both back."""
    chips = page.locator("#grow-chips button")
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(typed).to_contain_text("without edits:")
    expect(chips).to_have_text(["block “d” in all steps ×", "No edits"])
    page.locator(".grow-run").first.locator(".grow-mine canvas").click(position={"x": 22, "y": 4})
    expect(chips.nth(1)).to_have_text("block “c” in step 1 ×")
    assert "edits=block_k1+block_k2_q1" in page.url
    chips.first.click()
    expect(chips).to_have_text(["block “c” in step 1 ×", "No edits"])
    expect(chips.first).to_be_focused()
    chips.last.click()
    expect(chips).to_have_count(0)
    expect(typed).not_to_contain_text("without edits:")


def test_the_page_is_a_file_that_grows_a_network_without_a_server(
    contexts: Contexts, tmp_path: Path
) -> None:
    file = tmp_path / "grow.html"
    file.write_text(grow_file(), "utf-8")
    problems: list[str] = []
    with contexts.page("file:///", offline=True) as page:
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text))
        page.goto(f"{file.as_uri()}?width=16&longest=5&text=abc")
        grown(page, "0")
        page.get_by_role("button", name="One step").click()
        grown(page, "1")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save the trace").click()
        trace = TraceOut.model_validate(json.loads(waiting.value.path().read_bytes()))
        assert trace.request.text == "abc"
        _opens_in_the_file(page, trace)
        page.get_by_role("button", name="Another seed").click()
        grown(page, "0")
        expect(page).to_have_url(re.compile("seed=2"))
    assert problems == []


def _opens_in_the_file(page: Page, trace: TraceOut) -> None:
    """Open a trace in the views within the file, and find its numbers there."""
    dialog, frame = page.get_by_role("dialog"), page.frame_locator("#grow-frame")
    first = trace.maps[0].weights[0]
    page.get_by_role("button", name="Map", exact=True).click()
    expect(dialog).to_be_visible()
    frame.locator("#table summary").click()
    expect(frame.locator("#table tbody tr").first).to_contain_text(f"{first[0]:.3f}")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Step", exact=True).click()
    expect(frame.locator("#stage")).to_have_attribute("data-view", "step")
    expect(frame.locator("#chain")).to_contain_text("16 numbers")
    expect(frame.locator("#chain")).to_contain_text(f"{max(first):.2f}")
    dialog.get_by_role("button", name="Close").click()


def test_a_grown_network_opens_in_step_with_its_numbers(visit: Visit) -> None:
    page = opened(visit, "/learn/grow?width=16&longest=5&text=abc")
    with page.context.expect_page() as waiting:
        page.get_by_role("button", name="Step", exact=True).click()
    step = waiting.value
    expect(step.locator("#stage")).to_have_attribute("data-view", "step")
    expect(step.locator("#model-now")).to_have_text("grown-reverse-additive")
    expect(step.locator("#chain")).to_contain_text("16 numbers")
    expect(step.get_by_text("Network", exact=True).first).to_be_visible()


def test_a_state_of_the_past_is_shown_until_another_is_chosen(visit: Visit) -> None:
    """The history leaves out half of its states once it has sixty, that of five updates, too."""
    page = opened(visit, "/learn/grow?width=8&longest=5&batch=16&rate=0.001")
    go, slider = page.locator("#grow-go"), page.get_by_label("Back in time")
    go.click()
    grown(page, MANY)
    slider.evaluate("(it) => { it.value = 1; it.dispatchEvent(new Event('input')); }")
    grown(page, "5")
    halved = "([it]) => (it.most = Math.max(it.most ?? 0, it.max)) > it.max"
    page.wait_for_function(halved, arg=[slider.element_handle()], timeout=90_000)
    grown(page, "5")
    expect(slider).to_have_value("0")
    go.click()
    grown(page, "5")


def test_two_traces_that_are_taken_at_once_are_both_saved(visit: Visit) -> None:
    page = opened(visit, SMALL)
    saved: list[Download] = []
    page.on("download", lambda download: saved.append(download))
    with page.expect_download(lambda _: len(saved) == 2):
        save = page.get_by_role("button", name="Save the trace")
        save.evaluate_all("(buttons) => buttons.forEach((it) => it.click())")
    models = {json.loads(each.path().read_bytes())["model"]["mechanism"] for each in saved}
    assert models == {"additive", "none"}


def test_a_link_within_the_page_leaves_the_training_as_it_is(visit: Visit) -> None:
    page = opened(visit, SMALL)
    page.get_by_role("button", name="One step").click()
    grown(page, "1")
    page.evaluate("document.querySelector('.skip').click()")
    expect(page).to_have_url(re.compile("#main$"))
    page.get_by_role("button", name="One step").click()
    grown(page, "2")


def test_pairs_of_ones_own_are_learned_or_refused_in_words(visit: Visit) -> None:
    page = opened(visit, "/learn/grow?width=8&batch=16")
    page.get_by_label("Task").select_option("own")
    pairs = page.locator("#grow-pairs")
    pairs.fill("one\t1")
    page.get_by_role("button", name="Learn these pairs").click()
    expect(page.get_by_role("alert")).to_have_text("There is 1 line; a network needs 50 or more.")
    pairs.fill("\n".join(f"n{at}\t{at}" for at in range(60)))
    page.get_by_role("button", name="Learn these pairs").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    grown(page, "0")
    expect(page.locator(".grow-maps").first).to_contain_text("n")
