"""`make bench-grow`: every task of /learn/grow with three seeds, in the browser.

A run stops by itself once its share of unseen texts is right in three frames. Before the runs
stands the longest task of the page's main thread, in processor time: the worker trains, and the
page has 50 ms for a frame.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from benchmarks import served
from benchmarks.figures import Options, Report, dotted, seconds, table
from benchmarks.page import chromium

TASKS = ("reverse", "double", "sort", "numbers", "dates")
SEEDS = (1, 2, 3)
MOST_SECONDS = 600
TRACED_SECONDS = 8
TRACED = ["toplevel", "disabled-by-default-devtools.timeline"]
RUN = "RunTask"
"""The end of the names of the tasks of a thread."""


def opened(page: Page, address: str) -> Locator:
    """Open the page; return its state, which says that it can start."""
    page.goto(address)
    state = page.locator("#grow-state")
    state.get_by_text("After 0 updates").wait_for()
    return state


def grown(browser: Browser, address: str) -> tuple[str, str, str]:
    """The share of unseen texts, updates and seconds at which a run has learned its task."""
    with browser.new_page() as page:
        state = opened(page, address)

        def learn() -> None:
            page.locator("#grow-go").click()
            page.locator("#grow:not([data-going])").wait_for(timeout=MOST_SECONDS * 1000)

        taken = seconds(learn)
        words = state.inner_text().split()
    return f"{words[3]} %", words[1], f"{taken:.0f} s"


def longest_task(browser: Browser, address: str) -> tuple[float, int]:
    """Milliseconds of processor time of the longest task of the main thread, and their number."""
    with browser.new_page() as page:
        opened(page, address)
        browser.start_tracing(page=page, categories=TRACED)
        page.locator("#grow-go").click()
        page.wait_for_timeout(TRACED_SECONDS * 1000)
        events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event["tdur"] / 1000
        for event in events
        if event["name"].endswith(RUN) and "tdur" in event and (event["pid"], event["tid"]) in main
    ]
    return max(tasks), len(tasks)


def measure(_: Options) -> Report:
    """Measure all runs, and what the page's main thread does meanwhile."""
    with served.heed() as server, chromium() as browser:
        page = f"{server.address}/learn/grow"
        longest, count = longest_task(browser, f"{page}?beside=attention-none")
        runs = [
            (f"{task}, seed {seed}", *grown(browser, f"{page}?task={task}&seed={seed}"))
            for task, seed in dotted(product(TASKS, SEEDS))
        ]
    blocks = {
        "main thread": f"longest of {count} tasks of the main thread: {longest:.1f} ms",
        "runs": table(["run", "right", "updates", "time"], runs),
    }
    return Report(blocks, document=None)
