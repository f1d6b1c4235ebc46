"""The page on several workers: sentences, streams, photos, and saved traces."""

from __future__ import annotations

import re
import signal
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.contexts import Contexts
from tests.browser.test_pictures import photo, written
from tests.browser.test_saved import START, picture, save
from tests.browser.visits import visiting
from tests.conftest import wait_for
from tests.faults.test_workers import workers
from tests.live import live


def test_a_sentence_and_a_photo_are_answered_and_a_trace_opens_from_another_process(
    contexts: Contexts, tmp_path: Path
) -> None:
    with live(tmp_path, workers=2) as it, visiting(contexts, it.url) as visit:
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

        before = set(workers(it))
        it.process.send_signal(signal.SIGHUP)
        wait_for(lambda: len(workers(it)) == len(before) and not before & set(workers(it)))
        again = visit(link.removeprefix(it.url))
        expect(again.locator("#read .visually-hidden")).to_have_text("4 may 1979")
        assert picture(again) == drawn
