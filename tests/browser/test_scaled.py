"""The page on several workers and on Ray: sentences, streams, photos, and saved traces."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.contexts import Contexts
from tests.browser.test_pictures import photo, written
from tests.browser.test_saved import START, picture, save
from tests.browser.visits import visiting
from tests.conftest import wait_for
from tests.faults.test_workers import workers
from tests.live import Live, live
from tests.live_ray import OnRay, on_ray

Served = tuple[Live | OnRay, Callable[[], set[int]]]
"""A server, and the ids of the processes that answer."""


@contextmanager
def _on_workers(folder: Path) -> Iterator[Served]:
    with live(folder, workers=2) as it:
        yield it, lambda: set(workers(it))


@contextmanager
def _on_ray(folder: Path) -> Iterator[Served]:
    with on_ray(folder) as it:
        yield it, it.replicas


@pytest.mark.parametrize("serve", [_on_workers, _on_ray], ids=["workers", "ray"])
def test_a_sentence_and_a_photo_are_answered_and_a_trace_opens_from_another_process(
    kept: Contexts, tmp_path: Path, serve: Callable[[Path], AbstractContextManager[Served]]
) -> None:
    with serve(tmp_path) as (it, processes), visiting(kept, it.url) as visit:
        page = visit(START)
        page.locator("#text").fill("4 may 1979")
        with page.expect_response("**/api/v1/translate") as answer:
            page.locator("#text").press("Enter")
        expect(page.locator("#read .visually-hidden")).to_have_text("4 may 1979")
        assert re.findall("^event: (.+)", answer.value.text(), re.M)[-2:] == ["step", "trace"]
        link, drawn = save(page), picture(page)
        assert link.startswith(f"{it.url}/t/")

        page.goto("/picture")
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        page.locator("#file").set_input_files(photo())
        expect(page).to_have_url(re.compile("sample=yours"))
        expect(page.locator("#stage")).to_have_attribute("data-state", "ready")
        assert written(page)

        before = processes()
        it.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(processes()) == len(before) and not processes() & before)
        again = visit(link.removeprefix(it.url))
        expect(again.locator("#read .visually-hidden")).to_have_text("4 may 1979")
        assert picture(again) == drawn
