"""`python -m benchmarks.page`: what the page costs, in a browser on this machine.

From the address to the first paint (the example's table), to words, cells and map; and what a
step, a word pointed at and another head cost on a long sentence. Machines are shared and noisy:
compare the figures of one run.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.figures import shown, table
from tests.browser.chromium import ADVICE, FLAGS, find
from tests.browser.server import serving

LONG = (
    "A man in a green shirt is standing in front of a large white building, while a woman with "
    "long brown hair sits on a bench and two small children play with a brown dog near a tree."
)
ROUNDS = 5
HEADS = """async () => {
  const [now, rest] = [[], []];
  const head = document.getElementById("head");
  const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const settle = () => document.body.getBoundingClientRect();
  for (const value of ["1", "2", "3", "0", "1", "2", "3", "0"]) {
    const from = performance.now();
    head.value = value;
    head.dispatchEvent(new Event("change", { bubbles: true }));
    settle();
    now.push(performance.now() - from);
    await next();
    const framed = performance.now();
    await new Promise((resolve) => setTimeout(resolve));  // behind what the page does after it
    settle();
    rest.push(performance.now() - framed);
    await next();
  }
  return { now, rest };
}"""
VIEWS = ("map", "lines", "step", "heads")
PLOTLY = "plotly.min.js"
MARKED = """
  window.marks = {};
  const mark = (name) => { window.marks[name] ??= performance.now(); };
  new MutationObserver(() => {
    if (document.querySelector("#served tbody tr")) requestAnimationFrame(() => mark("table"));
    if (document.querySelector("#wrote .piece")) requestAnimationFrame(() => mark("words"));
    if (document.querySelector("#sketch canvas")) requestAnimationFrame(() => mark("cells"));
    if (document.querySelector("#map[data-painted]")) requestAnimationFrame(() => mark("map"));
  }).observe(document, { subtree: true, childList: true, attributes: true });
"""
TIMED = """(act) => {
  const times = [];
  const timed = (change) => {
    const from = performance.now();
    change();
    document.body.getBoundingClientRect();  // the layout belongs to it
    times.push(performance.now() - from);
  };
  const pieces = [...document.querySelectorAll("#wrote [data-row]")];
  const slider = document.getElementById("slider");
  for (const [index, piece] of pieces.entries()) {
    timed(() => {
      if (act === "hover") {
        const over = { bubbles: true, pointerType: "mouse" };
        piece.dispatchEvent(new PointerEvent("pointerover", over));
      } else {
        slider.value = String(index + 1);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
  }
  return times;
}"""


def opening(browser: Browser, address: str) -> dict[str, float]:
    """Milliseconds from the address to what is seen, in a browser that has nothing of it yet."""
    page = browser.new_page()
    page.add_init_script(MARKED)
    page.goto(address)
    page.wait_for_selector("#map[data-painted]")
    page.wait_for_timeout(100)
    marks: dict[str, float] = page.evaluate("window.marks")
    page.close()
    return marks


def acting(page: Page, act: str) -> list[float]:
    """Milliseconds of each change, its layout included."""
    times: list[Any] = page.evaluate(TIMED, act)
    return [float(time) for time in times]


def weighing(browser: Browser, address: str) -> dict[str, float]:
    """Kilobytes over the wire until the first map is painted, compressed as they come."""
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}
    session.on("Network.requestWillBeSent", lambda e: urls.update({e["requestId"]: _url(e)}))
    session.on(
        "Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e["encodedDataLength"]})
    )
    page.goto(address)
    page.wait_for_selector("#map[data-painted]")
    page.wait_for_load_state("networkidle")
    page.close()
    plotly = sum(size for id, size in sizes.items() if urls[id].endswith(PLOTLY))
    return {"Plotly": plotly / 1e3, "all else": (sum(sizes.values()) - plotly) / 1e3}


def _url(event: Any) -> str:
    return str(event["request"]["url"])


def measure(*, quick: bool) -> list[tuple[str, str]]:
    """What is measured and its figure, one after the other; nothing where there is no browser."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return []
    quiet = {**os.environ, "HEED_LOG_LEVEL": "warning"}
    with serving(quiet) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        opening(browser, address)  # the server compresses Plotly once
        found = [
            (f"weight: {name}", shown(size, " kB"))
            for name, size in weighing(browser, address).items()
        ]
        runs = [opening(browser, address) for _ in range(2 if quick else ROUNDS)]
        for name in ("table", "words", "cells", "map"):
            median = statistics.median(run[name] for run in runs)
            found.append((f"{name} after", shown(median, " ms")))
        for view in VIEWS[:1] if quick else VIEWS:
            found += _changes(browser, address, view)
        browser.close()
    return found


def _changes(browser: Browser, address: str, view: str) -> Iterator[tuple[str, str]]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked = {"text": LONG, "model": "en-fr-transformer", "units": "subwords", "view": view}
    page.goto(f"{address}/?{urlencode(asked)}")
    page.wait_for_selector("#stage[data-state=ready]")
    page.wait_for_timeout(1000)
    for act, name in (("step", "a step"), ("hover", "a word pointed at")):
        times = acting(page, act)
        yield f"{view}: {name}, of {len(times)}", _figure(times)
    if view in ("map", "step"):
        times = page.evaluate(HEADS)
        yield f"{view}: another head, of {len(times['now'])}", _figure(times["now"])
        yield f"{view}: its painting, and lines out of sight", _figure(times["rest"])
    page.close()


def _figure(times: Sequence[float]) -> str:
    return f"{shown(statistics.median(times))} ms, at most {shown(max(times))}"


def report(found: Sequence[tuple[str, str]]) -> str:
    """The table."""
    return table(["the page", "measured"], found)


def main() -> int:
    """Measure and print."""
    print(report(measure(quick=False)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
