"""Speed and size of the page, in a browser on one core.

The server and the browser share the core; Playwright, which drives the browser, runs on the others.
Times run from the navigation of a new window with an empty cache to the frame that shows the first
table, the map (cells and headings), and the map painted by Plotly, which then follows the pointer.
A figure is the median of its rounds. The rest is the cost of a step, of a hovered word and of
another head on a long sentence. Compare only figures of the same run.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import statistics
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import served
from benchmarks.case import scratch
from benchmarks.figures import MissingError, Options, Report, Target, most, shown, table
from tests.browser.chromium import ADVICE, FLAGS, find

LONG = (
    "A man in a green shirt is standing in front of a large white building, while a woman with "
    "long brown hair sits on a bench and two small children play with a brown dog near a tree."
)
SENTENCES = (
    "A brown dog runs on the beach.",
    "Two women talk in front of a shop.",
    "The boy eats an apple.",
    "A man plays the guitar on a stage.",
    "Three children sit on a red bench.",
    "An old man reads a newspaper.",
    "The girl rides a white horse.",
)
ROUNDS = 5
SETTLED_MS = 1500
"""With a new window, Chromium starts processes and pages of its own, on the same core."""
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
VIEWS = ("map", "ribbons", "step", "heads")
BOUNDS = {
    "first table": 400,
    "map of the opening example": 600,
    "map of a link with its own sentence": 900,
    "map of a saved trace": 700,
}
"""Milliseconds, on one core."""
LAYOUT_SHIFT = 0.01
PLOTLY = "plotly.min.js"
PAINTED = "opening example, painted by Plotly"
MARKED = """
  window.marks = { shift: 0 };
  const wanted = {
    table: "#served tbody tr",
    map: "#map-grid:has(#column-heads > *) #sketch > canvas",
    plotly: "#map[data-painted]",
  };
  const afterFrame = (call) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = call;
    port2.postMessage(null);
  });
  new MutationObserver((_, observer) => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (!document.querySelector(selector)) continue;
      delete wanted[name];
      afterFrame(() => { window.marks[name] = performance.now(); });
    }
    if (!Object.keys(wanted).length) observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.marks.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
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
    """Milliseconds to each mark, and the layout shift, with an empty cache."""
    page = browser.new_page()
    page.add_init_script(MARKED)
    page.wait_for_timeout(SETTLED_MS)
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
    """Kilobytes over the network until the map is painted, as compressed."""
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


def measure(options: Options) -> Report:
    """Measure the opening of the page, its size, and changes in four views."""
    with one_core() as (address, browser):
        found = openings(browser, address, 2 if options.quick else ROUNDS)
        rows = [(name, shown(found[name], " ms")) for name in (*BOUNDS, PAINTED)]
        rows += [
            (f"size: {name}", shown(size, " kB"))
            for name, size in weighing(browser, address).items()
        ]
        for view in VIEWS[:1] if options.quick else VIEWS:
            rows += _changes(browser, address, view)
    return Report({"page": table(["the page", "measured"], rows)}, list(targets(found)))


def targets(opening: Mapping[str, float]) -> Iterator[Target]:
    """Yield the bounds of the times until something is shown, and of how much the page moves."""
    for what, bound in BOUNDS.items():
        yield most(what, bound, opening[what], " ms")
    yield most("layout shift", LAYOUT_SHIFT, opening["layout shift"], "")


@contextmanager
def chromium(cores: Collection[int] = ()) -> Iterator[Browser]:
    """Start a Chromium, on these cores if there are any."""
    path = find()
    if path is None:
        raise MissingError(ADVICE)
    with scratch() as folder, sync_playwright() as playwright:
        program = pinned_program(cores, path, Path(folder))
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def one_core() -> Iterator[tuple[str, Browser]]:
    """Start the server and the browser on one core, and leave the others to the rest."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    measured = set(sorted(cores)[-1:])
    with ExitStack() as stack:
        with pinned(measured):
            address = stack.enter_context(served.heed()).address
        stack.enter_context(pinned(cores - measured))
        yield address, stack.enter_context(chromium(measured))


@contextmanager
def pinned(cores: set[int]) -> Iterator[None]:
    """Run this thread and the processes that it starts on these cores, if there are any."""
    if not cores:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def pinned_program(cores: Collection[int], program: str, folder: Path) -> str:
    """A program that runs another one on these cores; the other one where that is impossible."""
    taskset = shutil.which("taskset")
    if not cores or not taskset:
        return program
    script = folder / "browser"
    listed = ",".join(map(str, cores))
    script.write_text(f'#!/bin/sh\nexec {taskset} -c {listed} {shlex.quote(program)} "$@"\n')
    script.chmod(0o755)
    return str(script)


def openings(browser: Browser, address: str, rounds: int) -> dict[str, float]:
    """The medians of the times, and the largest layout shift."""
    links = [f"{address}/?{urlencode({'text': text})}" for text in SENTENCES]
    saved = address + save(address)
    for url in (address, saved):
        opening(browser, url)  # the server compresses Plotly once
    first, own, kept = [], [], []
    for link in links[:rounds]:  # in turn, so that a slow moment affects all of them
        first.append(opening(browser, address))
        own.append(opening(browser, link))
        kept.append(opening(browser, saved))
    runs = {
        "first table": [run["table"] for run in first],
        "map of the opening example": [run["map"] for run in first],
        "map of a link with its own sentence": [run["map"] for run in own],
        "map of a saved trace": [run["map"] for run in kept],
        PAINTED: [run["plotly"] for run in first],
    }
    print({name: [round(time) for time in times] for name, times in runs.items()}, file=sys.stderr)
    medians = {name: statistics.median(times) for name, times in runs.items()}
    return medians | {"layout shift": max(run["shift"] for run in (*first, *own, *kept))}


def save(address: str) -> str:
    """Save a trace, and return the path of its page."""
    body = json.dumps({"text": SENTENCES[-1]}).encode()
    trace = served.post(f"{address}/api/v1/translate", body)
    return str(json.loads(served.post(f"{address}/api/v1/traces", trace))["url"])


def _changes(browser: Browser, address: str, view: str) -> Iterator[tuple[str, str]]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    asked = {"text": LONG, "model": "en-fr-transformer", "units": "subwords", "view": view}
    page.goto(f"{address}/?{urlencode(asked)}")
    page.wait_for_selector("#stage[data-state=ready]")
    page.wait_for_timeout(1000)
    for act, name in (("step", "a step"), ("hover", "a hovered word")):
        times = acting(page, act)
        yield f"{view}: {name}, of {len(times)}", _figure(times)
    if view in ("map", "step"):
        times = page.evaluate(HEADS)
        yield f"{view}: another head, of {len(times['now'])}", _figure(times["now"])
        yield f"{view}: its painting, and hidden lines", _figure(times["rest"])
    page.close()


def _figure(times: Sequence[float]) -> str:
    return f"{shown(statistics.median(times))} ms, at most {shown(max(times))}"
