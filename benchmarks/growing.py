"""`python -m benchmarks.growing`: every task of /learn/grow with three seeds, in the browser.

A run stops by itself once its share of unseen texts is right in three frames. Before the runs
stands the longest task of the page's main thread, in processor time: the worker trains, and the
page has 50 ms for a frame.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks import served
from benchmarks.figures import table
from tests.browser.chromium import ADVICE, FLAGS, find

TASKS = ("reverse", "double", "sort", "numbers", "dates")
SEEDS = (1, 2, 3)
MOST_SECONDS = 600
TRACED_SECONDS = 8
TRACED = ["toplevel", "disabled-by-default-devtools.timeline"]
RUN = "RunTask"
"""The end of the names of the tasks of a thread."""


def grown(browser: Browser, address: str) -> tuple[int, float, str]:
    """Updates, seconds and the share of unseen texts at which a run has learned its task."""
    page = browser.new_page()
    page.goto(address)
    state = page.locator("#grow-state")
    state.get_by_text("After 0 updates").wait_for()
    started = time.monotonic()
    page.locator("#grow-go").click()
    page.locator("#grow:not([data-going])").wait_for(timeout=MOST_SECONDS * 1000)
    seconds = time.monotonic() - started
    words = state.inner_text().split()
    page.close()
    return int(words[1].replace(",", "")), seconds, f"{words[3]} %"


def longest_task(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds of processor time of the longest task of the main thread, and their number."""
    page = browser.new_page()
    page.goto(address)
    page.locator("#grow-state").get_by_text("After 0 updates").wait_for()
    browser.start_tracing(page=page, categories=TRACED)
    page.locator("#grow-go").click()
    page.wait_for_timeout(TRACED_SECONDS * 1000)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    names = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event["name"] == "thread_name"
    }
    tasks = [
        event["tdur"] / 1000
        for event in events
        if event["name"].endswith(RUN)
        and "tdur" in event
        and names.get((event["pid"], event["tid"])) == "CrRendererMain"
    ]
    return max(tasks), len(tasks)


def main() -> int:
    """Print a table of all runs."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return 1
    rows = []
    with served.heed() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        page = f"{server.address}/learn/grow"
        longest, count = longest_task(browser, f"{page}?beside=attention-none")
        print(f"longest of {count} tasks of the main thread: {longest:.1f} ms", flush=True)
        for task in TASKS:
            for seed in SEEDS:
                updates, seconds, share = grown(browser, f"{page}?task={task}&seed={seed}")
                print(
                    f"{task} {seed}: {share} after {updates} updates, {seconds:.0f} s", flush=True
                )
                rows.append((f"{task}, seed {seed}", share, str(updates), f"{seconds:.0f} s"))
        browser.close()
    print(table(["run", "right", "updates", "time"], rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
