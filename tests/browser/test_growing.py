"""A slow model's answer is on the page as it is written."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.visits import Visit

BY_HAND = """
  // The test sends the pieces of an answer and owns the clock: nothing depends on real time.
  let late = 0;
  const clock = performance.now.bind(performance);
  performance.now = () => clock() + late;
  const fetched = window.fetch;
  window.fetch = (url, options) => {
    if (!window.held) return fetched(url, options);
    late += 1000;
    window.asked = options.headers.Accept;
    options.signal.addEventListener("abort", () => (window.aborted = true));
    const body = new ReadableStream({ start: (stream) => (window.stream = stream) });
    const headers = { "Content-Type": "text/event-stream; charset=utf-8" };
    return Promise.resolve(new Response(body, { headers }));
  };
  window.send = (piece) => {
    late += 1000;
    window.stream.enqueue(new TextEncoder().encode(piece));
  };
"""


@pytest.fixture
def slow(visit: Visit) -> Page:
    """A page whose next answers come by hand."""
    page = visit.blank()
    page.add_init_script(BY_HAND)
    page.goto("/")
    expect(page.locator("#map")).to_have_attribute("data-painted", "1")
    page.evaluate("() => { window.held = true; }")
    page.locator("#text").fill("the 4th of july 1776")
    page.locator("#text").press("Enter")
    expect(page.locator("#stage")).to_have_attribute("aria-busy", "true")
    return page


def events(address: str) -> list[str]:
    """What the server says, event by event."""
    answer = httpx.post(
        f"{address}/api/v1/translate",
        json={"text": "the 4th of july 1776"},
        headers={"Accept": "text/event-stream"},
    )
    return [f"{block}\n\n" for block in answer.text.split("\n\n") if block]


def test_what_is_written_so_far_is_shown(slow: Page, address: str) -> None:
    said = events(address)
    assert "text/event-stream" in slow.evaluate("window.asked")
    for event in said[:5]:  # the start, and four steps
        slow.evaluate("window.send", event)
    expect(slow.locator("#stage")).to_have_attribute("data-state", "growing")
    expect(slow.locator("#wrote .piece")).to_have_text(["1", "7", "7", "6"])
    expect(slow.locator("#sentence")).to_contain_text("Step 4 of 4")
    for event in said[5:]:
        slow.evaluate("window.send", event)
    expect(slow.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(slow.locator("#stage")).to_have_attribute("aria-busy", "false")
    assert "".join(slow.locator("#wrote .piece").all_text_contents()) == "1776-07-04"
    expect(slow.locator("#sentence")).to_contain_text("Step 1 of 11")


def test_a_new_sentence_ends_the_one_before(slow: Page, address: str) -> None:
    for event in events(address)[:3]:
        slow.evaluate("window.send", event)
    expect(slow.locator("#stage")).to_have_attribute("data-state", "growing")
    slow.evaluate("() => { window.held = false; }")
    slow.locator("#text").fill("the 3rd of may 1979")
    slow.locator("#text").press("Enter")
    expect(slow.locator("#stage")).to_have_attribute("data-state", "ready")
    assert "".join(slow.locator("#wrote .piece").all_text_contents()) == "1979-05-03"
    assert slow.evaluate("window.aborted")


def test_an_answer_that_breaks_off_is_told(slow: Page, address: str) -> None:
    for event in events(address)[:3]:
        slow.evaluate("window.send", event)
    slow.evaluate("window.stream.close()")
    expect(slow.locator("#form-error")).to_contain_text("connection was lost")
    expect(slow.locator("#stage")).to_have_attribute("data-state", "stale")
    expect(slow.get_by_role("button", name="Try again")).to_be_visible()


def test_an_error_on_the_way_is_told(slow: Page, address: str) -> None:
    slow.evaluate("window.send", events(address)[0])
    body = '{"error": {"code": "deadline", "message": "It took too long.", "field": null}}'
    slow.evaluate("window.send", f"event: error\ndata: {body}\n\n")
    expect(slow.locator("#form-error")).to_contain_text("It took too long.")
