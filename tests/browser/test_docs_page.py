"""The documentation of the API, under the policy that all pages have."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser


def test_a_call_can_be_tried_in_the_dark(visit: Visit, address: str) -> None:
    paths = httpx.get(f"{address}/openapi.json").json()["paths"]
    page = visit.blank(color_scheme="dark")
    page.goto("/docs")
    expect(page.locator("body")).to_have_css("background-color", "rgb(19, 21, 23)")
    page.get_by_text("/api/v1/translate", exact=True).click()
    page.get_by_role("button", name="Execute").click()
    expect(page.get_by_text('"1979-05-03"').first).to_be_visible()
    expect(page.locator(".opblock")).to_have_count(sum(map(len, paths.values())))
