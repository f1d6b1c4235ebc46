"""Saved traces in the browser: saved, linked to, shown in another page, deleted again."""

from __future__ import annotations

import http.server
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.browser.canned import trace
from tests.browser.forms import open_form
from tests.browser.test_bring import WHOLE, choose
from tests.browser.visits import Visit

START = "/?model=dates-additive&text=3%20May%201979&show=call"
MANY = trace([["un", "like"], ["this"]], [["pas"], ["comme", "ça"]], heads=2, self_attention=True)


@pytest.fixture
def kept(address: str) -> Callable[[Any], str]:
    """Save a trace; gives its id."""

    def keep(value: Any) -> str:
        answer = httpx.post(f"{address}/api/v1/traces", json=value)
        assert answer.status_code == 201, answer.text
        identity: str = answer.json()["id"]
        return identity

    return keep


@pytest.fixture
def elsewhere() -> Iterator[Callable[[str], str]]:
    """Serve a page from another origin; gives its address."""
    pages: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(pages.get(self.path, b""))

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def put(html: str) -> str:
        pages["/"] = f"<!doctype html><title>Elsewhere</title>{html}".encode()
        return f"http://127.0.0.1:{server.server_port}/"

    yield put
    server.shutdown()
    thread.join()
    server.server_close()


def save(page: Page) -> str:
    """Press the button; gives the link."""
    page.get_by_role("button", name="Save and link").click()
    expect(page.locator("#keep-made")).to_be_visible()
    return page.locator("#keep-link").input_value()


def picture(page: Page) -> str:
    """All that the map is drawn from, and what stands around it, but for the room of its rows."""
    drawn: str = page.evaluate(
        """() => {
          const plot = document.getElementById("plot");
          const grid = document.getElementById("map-grid");
          const { height, ...layout } = plot.layout;
          const style = grid.style.cssText.replace(/--cell-height: [^;]+;/, "");
          return JSON.stringify([plot.data, layout, grid.innerText, style]);
        }"""
    )
    return drawn


def test_a_saved_trace_is_the_same_picture_again(visit: Visit) -> None:
    page = visit(f"{START}&view=map&step=3&scale=row")
    link = save(page)
    expect(page.locator("#keep-said")).to_contain_text("Stored until you delete it")
    assert link.startswith(f"{visit.address}/t/")
    assert link.endswith("?step=3&scale=row")
    again = visit(link.removeprefix(visit.address))
    expect(again.locator("#read .visually-hidden")).to_have_text("3 May 1979")
    expect(again.locator("#sentence")).to_have_text(page.locator("#sentence").inner_text())
    assert picture(again) == picture(page)
    expect(again.locator("#text")).to_have_value("3 May 1979")
    expect(again.locator("#form-error")).to_contain_text("This is a saved result.")


def test_the_link_follows_the_view(visit: Visit) -> None:
    page = visit(START)
    save(page)
    page.get_by_label("Ribbons", exact=True).check(force=True)
    expect(page.locator("#keep-link")).to_have_value(pattern("/t/", "view=ribbons"))
    expect(page.locator("#keep-frame")).to_have_value(pattern("/embed/", "view=ribbons"))
    page.locator("#text").fill("7 March 2024")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("7 March 2024")
    expect(page.locator("#keep-made")).to_be_hidden()
    expect(page.get_by_role("button", name="Save and link")).to_be_visible()


def pattern(*parts: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in parts))


def test_what_is_set_on_a_saved_trace_stands_in_its_address(
    visit: Visit, kept: Callable[[Any], str]
) -> None:
    identity = kept(MANY)
    page = visit(f"/t/{identity}?view=heads")
    expect(page.locator(".head-map")).to_have_count(2)
    page.locator(".head-map").nth(1).click()
    expect(page).to_have_url(f"{visit.address}/t/{identity}?layer=1&head=2")
    page.locator("#forth").click()
    expect(page).to_have_url(f"{visit.address}/t/{identity}?step=2&layer=1&head=2")
    page.reload()
    expect(page.locator("#head")).to_have_value("1")
    expect(page.locator("#place")).to_have_text("2 / 3")


def test_a_new_question_goes_back_to_the_page_itself(
    visit: Visit, kept: Callable[[Any], str]
) -> None:
    identity = kept(MANY)
    page = visit(f"/t/{identity}?view=ribbons")
    page.locator("#text").fill("7 March 2024")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("7 March 2024")
    assert page.url.startswith(f"{visit.address}/?")
    assert "view=ribbons" in page.url
    page.go_back()
    expect(page.locator("#read .visually-hidden")).to_have_text("unlike this")
    expect(page).to_have_url(f"{visit.address}/t/{identity}?view=ribbons")
    page.go_forward()
    expect(page.locator("#read .visually-hidden")).to_have_text("7 March 2024")


def test_the_same_question_is_asked_anew(visit: Visit) -> None:
    page = visit(START)
    saved = visit(save(page).removeprefix(visit.address))
    open_form(saved)
    with saved.expect_request("**/api/v1/translate"):
        saved.get_by_role("button", name="Translate").click()
    expect(saved).to_have_url(f"{visit.address}/?model=dates-additive&text=3+May+1979")


def test_what_was_brought_along_is_saved_as_well(visit: Visit) -> None:
    page = visit(START)
    choose(page, "mine.json", json.dumps(WHOLE).encode())
    expect(page.locator("#read .visually-hidden")).to_have_text("the cat")
    link = save(page)
    again = visit(link.removeprefix(visit.address))
    expect(again.locator("#read .visually-hidden")).to_have_text("the cat")
    expect(again.locator("#wrote")).to_contain_text("<b>chat</b>")
    assert picture(again) == picture(page)
    again.locator("#call summary").click()
    expect(again.locator("#copy-curl")).to_be_hidden()


def test_a_trace_can_be_deleted_by_the_browser_that_saved_it(visit: Visit) -> None:
    page = visit(START)
    link = save(page)
    page.goto(f"{link}&show=call" if "?" in link else f"{link}?show=call")
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
    other = visit(page.url.removeprefix(visit.address))  # another browser, without the key
    expect(other.locator("#keep-link")).to_be_visible()
    expect(other.locator("#keep-delete")).to_be_hidden()
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#keep-said")).to_contain_text("Deleted.")
    expect(page.get_by_role("button", name="Save and link")).to_be_focused()
    assert httpx.get(link, headers={"Accept": "text/html"}).status_code == 404


def test_it_works_where_storage_is_forbidden(visit: Visit) -> None:
    page = visit.blank()
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', "
        "{ get() { throw new DOMException('forbidden', 'SecurityError'); } })"
    )
    page.goto(START)
    save(page)
    page.get_by_role("button", name="Delete it").click()
    expect(page.locator("#keep-said")).to_contain_text("Deleted.")


def test_what_the_server_refuses_is_said(visit: Visit) -> None:
    page = visit(START)
    refused = {"error": {"code": "store_full", "message": "There is no room.", "field": None}}
    page.route("**/api/v1/traces", lambda route: route.fulfill(status=507, json=refused))
    page.get_by_role("button", name="Save and link").click()
    expect(page.locator("#keep-said")).to_have_text("There is no room.")
    page.unroute("**/api/v1/traces")
    save(page)


def test_both_can_be_copied(visit: Visit) -> None:
    page = visit.blank(permissions=["clipboard-read", "clipboard-write"])
    page.goto(START)
    link = save(page)
    for name, wanted in (("Copy the link", link), ("Copy the embed code", "<iframe src=")):
        page.get_by_role("button", name=name).click()
        expect(page.locator("#keep-said")).to_have_text("Copied.")
        copied: str = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(wanted)


def test_an_unknown_trace_is_a_page_that_leads_home(visit: Visit) -> None:
    page = visit.blank()
    answer = page.goto(f"/t/{'a' * 22}")
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Not Found")).to_be_visible()
    expect(page.locator(".lost")).to_contain_text("There is no saved trace here.")
    page.get_by_role("link", name="Open Heed").click()
    expect(page.locator("#stage")).to_have_attribute("data-state", "ready")


def test_a_trace_that_is_deleted_while_it_is_looked_at_is_told(
    visit: Visit, kept: Callable[[Any], str]
) -> None:
    page = visit.blank()
    gone = {"error": {"code": "unknown_trace", "message": "There is none.", "field": None}}
    page.goto(f"/t/{kept(MANY)}")  # the trace comes with its page
    expect(page.locator("#read .visually-hidden")).to_have_text("unlike this")
    page.route("**/api/v1/traces/*", lambda route: route.fulfill(status=404, json=gone))
    page.locator("#text").fill("7 March 2024")
    page.locator("#text").press("Enter")
    expect(page.locator("#read .visually-hidden")).to_have_text("7 March 2024")
    page.go_back()
    expect(page.locator("#form-error")).to_contain_text("There is none.")
    page.unroute("**/api/v1/traces/*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#read .visually-hidden")).to_have_text("unlike this")


# --- within another page ------------------------------------------------------------------------


@pytest.fixture
def outside(browser: Browser) -> Iterator[Page]:
    """A page that is nobody's guest."""
    context = browser.new_context(viewport={"width": 900, "height": 700})
    yield context.new_page()
    context.close()


def test_the_frame_is_shown_in_a_page_of_another_origin(
    visit: Visit, outside: Page, elsewhere: Callable[[str], str]
) -> None:
    page = visit(START)
    save(page)
    outside.goto(elsewhere(page.locator("#keep-frame").input_value()))
    frame = outside.frame_locator("iframe")
    expect(frame.locator("#stage")).to_have_attribute("data-state", "ready")
    expect(frame.locator("#read .visually-hidden")).to_have_text("3 May 1979")
    for hidden in (".top", "#ask", "#call", "#bring", ".foot"):
        expect(frame.locator(hidden)).to_be_hidden()
    frame.locator("#forth").click()
    expect(frame.locator("#place")).to_have_text("2 / 11")
    link = frame.get_by_role("link", name="Open in Heed")
    expect(link).to_have_attribute("href", re.compile(r"step=2$"))
    with outside.expect_popup() as opening:
        link.click()
    opened = opening.value
    expect(opened.locator("#place")).to_have_text("2 / 11")
    expect(opened.locator("#ask")).to_be_visible()


LISTENS = """<script>
addEventListener("message", ({ data, source }) => {
  for (const frame of document.querySelectorAll('iframe[src*="/embed/"]'))
    if (data?.type === "heed.height" && frame.contentWindow === source) frame.height = data.height;
});
</script>"""
"""The listener that docs/views.md shows."""


@pytest.mark.parametrize("view", ["map", "ribbons", "step"])
def test_a_frame_has_the_height_of_its_view_and_names_the_model(
    outside: Page,
    elsewhere: Callable[[str], str],
    address: str,
    kept: Callable[[Any], str],
    view: str,
) -> None:
    source = f"{address}/embed/{kept(MANY)}?view={view}"
    html = f'{LISTENS}<iframe src="{source}" width="100%" height="200" style="border: 0">'
    outside.goto(elsewhere(html))
    frame = outside.frame_locator("iframe")
    expect(frame.locator("#embedded-model")).to_have_text("canned")
    inside = outside.frames[1]
    inside.wait_for_function("() => innerHeight > 200 && document.body.scrollHeight <= innerHeight")
    expect(frame.locator(".embedded-foot")).to_be_attached()


def test_no_other_page_is_shown_in_a_frame_of_another_origin(
    outside: Page, elsewhere: Callable[[str], str], address: str, kept: Callable[[Any], str]
) -> None:
    said: list[str] = []
    outside.on("console", lambda message: said.append(message.text))
    for path in ("/", f"/t/{kept(WHOLE)}", "/docs"):
        said.clear()
        with outside.expect_console_message(lambda message: "frame-ancestors" in message.text):
            outside.goto(elsewhere(f'<iframe src="{address}{path}"></iframe>'))


def test_a_frame_of_what_is_gone_says_so(
    outside: Page, elsewhere: Callable[[str], str], address: str
) -> None:
    outside.goto(elsewhere(f'<iframe src="{address}/embed/{"a" * 22}"></iframe>'))
    frame = outside.frame_locator("iframe")
    expect(frame.locator(".lost")).to_contain_text("There is no saved trace here.")
    expect(frame.locator(".top")).to_be_hidden()


def test_the_address_of_a_frame_says_how_it_looks(visit: Visit, kept: Callable[[Any], str]) -> None:
    identity = kept(MANY)
    page = visit(f"/embed/{identity}?view=ribbons&step=2&theme=dark")
    expect(page.locator("#ribbons svg")).to_be_visible()
    expect(page.locator("#place")).to_have_text("2 / 3")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 21, 23)"
    page.locator("#forth").click()
    wanted = f"{visit.address}/embed/{identity}?step=4&view=ribbons&theme=dark"
    expect(page).to_have_url(wanted)
    light = visit(f"/embed/{identity}?theme=light", color_scheme="dark")
    assert light.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"


def test_nothing_that_is_saved_is_run(visit: Visit, kept: Callable[[Any], str]) -> None:
    evil = "<img src=x onerror=alert(1)>"
    identity = kept({"source": [evil], "target": [evil, "</script>"], "weights": [[1], [1]]})
    dialogs: list[Dialog] = []
    for path in ("t", "embed"):
        page = visit.blank()
        page.on("dialog", lambda dialog: dialogs.append(dialog))
        page.goto(f"/{path}/{identity}?show=call+table+numbers")
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        expect(page.locator("#read .visually-hidden")).to_have_text(evil)
        assert dialogs == []


@pytest.mark.parametrize("path", ["t", "embed"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nobody_is_kept_out(
    visit: Visit, kept: Callable[[Any], str], path: str, width: int
) -> None:
    page = visit(f"/{path}/{kept(MANY)}?show=call", viewport={"width": width, "height": 800})
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
