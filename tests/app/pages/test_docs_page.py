"""The documentation of the API in a real browser, under the policy that all pages have."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.chromium import ADVICE, FLAGS, find
from tests.conftest import Running


@pytest.mark.browser
def test_a_call_can_be_tried_and_nothing_comes_from_elsewhere(server: Running) -> None:
    path = find()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(ADVICE)
        pytest.skip(ADVICE)
    paths = server.client.get("/openapi.json").json()["paths"]
    operations = sum(len(methods) for methods in paths.values())
    messages: list[str] = []
    urls: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        page = browser.new_page()
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: urls.append(request.url))
        page.goto(f"{server.url}/docs")
        page.get_by_text("/api/v1/translate", exact=True).click()
        page.get_by_role("button", name="Execute").click()
        page.get_by_text('"1979-05-03"').first.wait_for()
        assert page.locator(".opblock").count() == operations
        browser.close()
    assert messages == []
    assert all(url.startswith((server.url, "data:")) for url in urls)
