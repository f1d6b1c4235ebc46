"""A real server in its own process, and a real browser that looks at it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ADVICE, FLAGS, find
from tests.browser.server import serving
from tests.browser.visits import Visit
from tests.conftest import DEFAULT

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
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of the page, closed before other tests want an event loop."""
    path = find()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """Open a page; at the end nothing may have gone wrong on it."""
    visit = Visit(browser, address)
    yield visit
    visit.close()
    assert visit.problems == []


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page as it opens."""
    return visit()


@pytest.fixture
def answer() -> Callable[[Page, dict[str, Any]], None]:
    """Let the page get this trace to whatever it asks."""

    def install(page: Page, trace: dict[str, Any]) -> None:
        page.route("**/api/v1/translate", lambda route: route.fulfill(json=trace))

    return install
