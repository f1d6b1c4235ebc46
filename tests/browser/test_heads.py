"""The step of a head of self-attention: its vectors are asked for once they are looked at."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import httpx
from playwright.sync_api import Page, Request, expect

from tests.browser.downloads import saved
from tests.browser.steps import key_lines, open_part
from tests.browser.visits import Visit

ASKED = {"model": "en-fr-transformer", "text": "Good morning."}
HEADS = "/?model=en-fr-transformer&text=Good+morning."


def listening(page: Page) -> list[dict[str, Any]]:
    """The bodies of what is asked from now on."""
    bodies: list[dict[str, Any]] = []

    def heard(request: Request) -> None:
        if request.url.endswith("/translate"):
            bodies.append(json.loads(request.post_data or ""))

    page.on("request", heard)
    return bodies


def expect_whole(page: Page, parts: int) -> None:
    """Every number of the head is there, from its query to what it saw."""
    expect(page.locator("#chain .part")).to_have_count(parts)
    expect(open_part(page, "query").locator(".strip")).to_have_count(1)
    expect(open_part(page, "context").locator(".strip").first).to_be_visible()
    expect(page.locator("#chain .keys")).to_have_attribute("data-own", "")
    expect(page.locator("#chain")).not_to_contain_text("did not come")


def test_a_head_that_looks_back_is_asked_for_its_vectors_once_it_is_taken_apart(
    visit: Visit,
) -> None:
    page = visit(f"{HEADS}&view=step&step=2")
    bodies, entries = listening(page), page.evaluate("history.length")
    page.locator("#kind").select_option(label="Masked self-attention (output to output)")
    expect_whole(page, 6)
    expect(page.locator("#chain .keys thead")).to_contain_text("α·v")
    expect(open_part(page, "state")).to_contain_text("the input of cross-attention")
    page.locator("#head").select_option(label="3")
    expect(open_part(page, "query")).to_contain_text("Head 3")
    page.locator("#kind").select_option(label="Self-attention (input to input)")
    expect_whole(page, 5)
    assert [body.get("vectors") for body in bodies] == ["all"]
    assert page.evaluate("history.length") == entries


def test_a_link_to_such_a_head_comes_with_them_or_asks_once_and_keeps_its_place(
    visit: Visit,
) -> None:
    page = visit.blank()
    bodies = listening(page)
    answer = page.goto(
        f"{HEADS}&view=step&units=subwords&map=encoder-self&layer=3&head=2&step=2&part=4"
    )
    expect_whole(page, 5)
    expect(page.locator("#place")).to_have_text(re.compile(r"^2 / \d+ · part 4$"))
    expect(page.locator('#chain [data-name="state"]')).to_have_attribute("data-later", "")
    page.get_by_role("button", name="Next step").click()
    expect(page.locator('#chain [data-name="state"] .strip')).to_be_visible()
    assert answer
    came = '"vectors":"all"' in answer.text()  # if its model was free to answer at once
    assert [body.get("vectors") for body in bodies] == ([] if came else ["all"])


def test_where_nobody_tells_them_it_says_so(visit: Visit) -> None:
    page = visit(f"{HEADS}&view=step")
    page.route("**/api/v1/translate", lambda route: route.abort())
    bodies = listening(page)
    page.locator("#kind").select_option(label="Self-attention (input to input)")
    expect(page.locator("#chain .part")).to_have_count(5)
    query = open_part(page, "query")
    expect(query).to_contain_text("trace does not contain it")
    assert len(bodies) == 1
    page.locator("#head").select_option(label="2")
    expect(query).to_contain_text("Head 2")
    assert len(bodies) == 2  # a server that was not reached may be back


def test_a_saved_trace_is_asked_for_them_while_its_model_is_here(
    visit: Visit, address: str
) -> None:
    trace = httpx.post(f"{address}/api/v1/translate", json=ASKED).json()
    gone = {**trace, "model": {**trace["model"], "weights": "0" * 64}}
    here, other = (
        httpx.post(f"{address}/api/v1/traces", json=each).json()["url"] for each in (trace, gone)
    )
    look = "?view=step&map=decoder-self"
    expect_whole(visit(here + look), 6)
    page = visit(other + look)
    expect(open_part(page, "query")).to_contain_text("trace does not contain it")


def test_a_file_takes_them_along(visit: Visit, opened: Callable[[bytes], Page]) -> None:
    page = visit(f"{HEADS}&view=step&map=decoder-self&head=2&show=call")
    expect_whole(page, 6)
    _, content = saved(page, "HTML")
    expect_whole(opened(content), 6)


def test_another_head_is_shown_in_what_is_laid_out_already(visit: Visit) -> None:
    page = visit(f"{HEADS}&view=step&map=encoder-self")
    expect_whole(page, 5)
    nodes = "[...document.querySelectorAll('#chain .part, #chain tr, #chain .strip, #read span')]"
    page.evaluate(f"window.before = {nodes}")
    lines = page.locator("#chain .keys tbody")
    first = lines.inner_text()
    page.locator("#head").select_option(label="3")
    expect(page.locator("#chain [data-open] .formula")).to_contain_text("head₃")
    expect(lines).not_to_have_text(first, use_inner_text=True)  # those out of sight come later
    assert page.evaluate(f"{nodes}.every((node, index) => node === window.before[index])")


def test_lines_that_are_out_of_sight_follow_those_that_are_seen(visit: Visit) -> None:
    long = " ".join(["A man in a green shirt stands in front of the house."] * 4)
    asked = {"model": "en-fr-transformer", "text": long, "view": "step", "step": 5}
    page = visit(f"/?{urlencode(asked)}")
    lines, drawn = page.locator("#chain .keys tbody tr"), page.locator("#chain .keys path")
    open_part(page, "weights")
    page.get_by_role("button", name="more").click()
    expect(lines.last).not_to_be_in_viewport()
    page.locator("#head").select_option(label="3")
    expect(page).to_have_url(re.compile("head=3"))
    fresh = visit(page.url)
    open_part(fresh, "weights")
    fresh.get_by_role("button", name="more").click()
    shown = [line.inner_text() for line in key_lines(fresh)]
    expect(lines).to_have_text(shown, use_inner_text=True)
    shapes = "paths => paths.map(path => path.getAttribute('d'))"
    same = fresh.locator("#chain .keys path").evaluate_all(shapes)
    assert drawn.evaluate_all(shapes) == same
