"""`python -m benchmarks.page`: what the page costs, in a browser on this machine.

From the address to words, cells and map; and what a step, a word pointed at and another head cost
on a long sentence. Machines are shared and noisy: compare the figures of one run.
"""

from __future__ import annotations

import statistics
import sys
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import ADVICE, FLAGS, find
from tests.browser.server import serving

LONG = (
    "A man in a green shirt is standing in front of a large white building, while a woman with "
    "long brown hair sits on a bench and two small children play with a brown dog near a tree."
)
ROUNDS = 5
MARKED = """
  window.marks = {};
  const mark = (name) => { window.marks[name] ??= performance.now(); };
  new MutationObserver(() => {
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


def main() -> int:
    """Measure and print."""
    chromium = find()
    if chromium is None:
        print(ADVICE, file=sys.stderr)
        return 1
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        opening(browser, address)  # the server compresses Plotly once
        runs = [opening(browser, address) for _ in range(ROUNDS)]
        for name in ("words", "cells", "map"):
            print(f"{name} after {statistics.median(run[name] for run in runs):6.0f} ms")
        for view in ("map", "lines", "step", "heads"):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            asked = {"text": LONG, "model": "en-fr-transformer", "units": "subwords", "view": view}
            page.goto(f"{address}/?{urlencode(asked)}")
            page.wait_for_selector("#stage[data-state=ready]")
            page.wait_for_timeout(1000)
            for act in ("step", "hover"):
                times = sorted(acting(page, act))
                median, most = statistics.median(times), times[-1]
                print(f"{view:6} {act:6}{median:6.1f} ms, at most {most:.1f}, of {len(times)}")
            page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
