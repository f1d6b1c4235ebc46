"""The page on several workers and on Ray: a sentence is translated, and its trace saved."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.server import serving
from tests.browser.test_saved import START, picture, save
from tests.browser.visits import Visit
from tests.conftest import DEFAULT
from tests.live_ray import on_ray


@contextmanager
def _on_workers(folder: Path) -> Iterator[str]:
    environment = {name: value for name, value in os.environ.items() if name[:5] != "HEED_"}
    environment |= {"HEED_WORKERS": "2", "HEED_STORE": str(folder), "HEED_DEFAULT_MODEL": DEFAULT}
    with serving(environment) as address:
        yield address


@contextmanager
def _on_ray(folder: Path) -> Iterator[str]:
    with on_ray(folder, workers=2) as it:
        yield it.url


@pytest.mark.parametrize("serve", [_on_workers, _on_ray], ids=["workers", "ray"])
def test_a_sentence_is_translated_and_its_trace_is_saved(
    browser: Browser, tmp_path: Path, serve: Callable[[Path], AbstractContextManager[str]]
) -> None:
    with serve(tmp_path) as address:
        visit = Visit(browser, address)
        try:
            page = visit(START)
            page.locator("#text").fill("4 may 1979")
            page.locator("#text").press("Enter")
            expect(page.locator("#read .visually-hidden")).to_have_text("4 may 1979")
            link = save(page)
            assert link.startswith(f"{address}/t/")
            again = visit(link.removeprefix(address))
            expect(again.locator("#read .visually-hidden")).to_have_text("4 may 1979")
            assert picture(again) == picture(page)
        finally:
            visit.close()
        assert visit.problems == []
