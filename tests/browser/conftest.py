"""A real server in its own process, and a real browser that looks at it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from heed.app.settings import Settings
from tests.browser.chromium import ADVICE, FLAGS, SHELL, find
from tests.browser.contexts import SHARED_PROCESS, Contexts
from tests.browser.server import serving
from tests.browser.visits import Visit, visiting
from tests.conftest import DEFAULT, running

expect.set_options(timeout=15_000)


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where `heed serve` listens, on a port that was free."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HEED_")}
    environment["HEED_DEFAULT_MODEL"] = DEFAULT
    environment["HEED_CACHE_BYTES"] = "0"  # what is asked again grows again
    environment["HEED_STORE"] = str(tmp_path_factory.mktemp("store"))
    with serving(environment) as url:
        yield url


@pytest.fixture(scope="package")
def small_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with an untrained model of each kind."""
    from tests.models import tiny  # with torch, which no other test here needs

    weights = tmp_path_factory.mktemp("small")
    english = {"code": "en", "name": "English"}
    tiny.write_tiny_reader(weights / "reader", source=english, target=english)
    tiny.write_tiny_memory(weights / "memory")
    tiny.write_tiny_graph(weights / "graph")
    tiny.write_tiny_glimpse(weights / "glimpse")
    tiny.write_tiny_vision(weights / "vit")
    settings = Settings.from_environment(weights=weights, preload="none", default_model="reader")
    with running(settings) as it:
        yield it.url


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the page, closed before other tests want an event loop."""
    path = find(SHELL)
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    with sync_playwright() as playwright:
        flags = [*FLAGS, SHARED_PROCESS]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Contexts:
    """The contexts of the browser, kept from test to test."""
    return Contexts(browser)


@pytest.fixture
def visit(contexts: Contexts, address: str) -> Iterator[Visit]:
    """Open a page; at the end nothing may have gone wrong on it."""
    with visiting(contexts, address) as visit:
        yield visit


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page as it opens."""
    return visit()


@pytest.fixture
def answer() -> Callable[[Page, dict[str, Any]], None]:
    """Let the page get this trace to whatever it asks."""

    def install(page: Page, trace: dict[str, Any]) -> None:
        page.route("**/api/v1/translate", lambda route: route.fulfill(json=trace))
        page.route(re.compile(r"^[^?]*:\d+/(\?.*)?$"), _without_answer)

    return install


def _without_answer(route: Route) -> None:
    """The page as it is where its answer is still to be asked for."""
    response = route.fetch()
    body = re.sub(r'<script [^>]*id="example".*?</script>', "", response.text(), flags=re.DOTALL)
    route.fulfill(response=response, body=body)


@pytest.fixture
def opened(contexts: Contexts, tmp_path: Path) -> Iterator[Callable[[bytes], Page]]:
    """A saved page, opened from the disk by a browser that reaches nobody."""
    problems: list[str] = []

    def open_file(content: bytes, **options: Any) -> Page:
        file = tmp_path / "saved.html"
        file.write_bytes(content)
        page = pages.enter_context(contexts.page("file:///", offline=True, **options))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text) if message.type in ("error", "warning") else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith((file.as_uri(), "data:", "blob:"))
                else problems.append(f"asked {asked.url[:80]}")
            ),
        )
        page.goto(file.as_uri())
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        return page

    with ExitStack() as pages:
        yield open_file
    assert problems == []
