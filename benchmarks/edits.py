"""Edits by hand: the time of an answer while a person drags, and what that costs nine others.

A drag sends one request after another, at most ten a second, each with another weight at one step.
On the page, time runs from a movement of the pointer to the frame that shows its answer, with the
server and the browser on one core.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import count, cycle
from pathlib import Path
from random import Random
from threading import Event
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser

from benchmarks import served
from benchmarks.case import RNN, TRANSFORMER, scratch, sentences, tokenizer_of, write_no_eos
from benchmarks.figures import (
    Options,
    Report,
    Target,
    in_turns,
    most,
    pair_row,
    ratio,
    seconds,
    shown,
    table,
    times,
)
from benchmarks.page import one_core
from benchmarks.wrk import PATIENCE

LENGTH, STEP, KEY = 20, 5, 3
OTHERS, PAUSES = 9, (0.2, 0.4)  # people, and the seconds that each waits between two requests
MOST_A_SECOND = 10
ROUNDS, ROUND_SECONDS = 6, 10.0  # of dragging: a minute together
BOUND_MS, BOUND_OTHERS, BOUND_SCREEN_MS = 30, 1.2, 100
TWENTY = (
    "The old woman in the red coat showed the two children the small house near the "
    "white church on Sunday."
)
APART_MS = 600  # from one movement to the next, so that each has its answer
ANSWERED = """
  window.moved = 0;
  window.frames = [];  // that show other words: first the row alone, then the answer
  addEventListener("pointermove", () => {
    window.moved = performance.now();
    window.frames = [];
  }, true);
  new MutationObserver((records) => {
    const words = document.getElementById("wrote");
    if (!records.some(({ target }) => words?.contains(target))) return;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.frames.push(performance.now());
      port2.postMessage(null);
    });
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
SHOWN = "() => (window.frames.length > 1 ? window.frames[1] - window.moved : null)"
DRAG = "with one who drags"
NAMES = {RNN: "recurrent", TRANSFORMER: "Transformer"}

Ask = Callable[[dict[str, object]], object]
Connect = Callable[[], Ask]


def measure(options: Options) -> Report:
    """Measure a drag on the page and alone, and nine people with a drag and without, in turns."""
    quick = options.quick
    with one_core() as (address, browser):
        screens = {model: _screen(browser, address, model, 6 if quick else 40) for model in NAMES}
    with scratch() as folder:
        weights = write_no_eos(Path(folder) / "weights", [RNN, TRANSFORMER], LENGTH)
        with served.heed(weights=weights, store=folder, cache_bytes=0) as server:
            connect = partial(_connect, urlsplit(server.address).netloc)
            drags = {model: _drag_times(connect(), model, 10 if quick else 60) for model in NAMES}
            rounds = in_turns(
                {
                    "alone": partial(_others, connect, quick=quick),
                    DRAG: partial(_beside, connect, quick),
                },
                1 if quick else ROUNDS,
            )
    slower = ratio(rounds["alone"], rounds[DRAG])
    found = list(_targets(drags, slower, screens))
    return Report({"edits": _report(drags, slower, screens)}, found)


def _screen(browser: Browser, address: str, model: str, moves: int) -> float:
    """Return the median of the milliseconds from a movement to its answer on the screen."""
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.add_init_script(ANSWERED)
    asked = {"text": TWENTY, "model": model, "view": "map", "editing": "1"}
    page.goto(f"{address}/?{urlencode(asked)}")
    page.wait_for_selector("#stage[data-state=ready]")
    page.wait_for_timeout(1000)
    cells = page.locator("#edit-cells").bounding_box()
    assert cells is not None
    rows, columns = (page.locator(f"#{name}-heads > *").count() for name in ("row", "column"))
    x = cells["x"] + cells["width"] * (KEY + 0.5) / columns
    y = cells["y"] + cells["height"] * (STEP + 0.5) / rows
    page.mouse.move(x, y)
    page.mouse.down()
    times = []
    for number in range(moves + 3):
        page.mouse.move(x, y - 10 - 5 * (number % 20))
        page.wait_for_timeout(APART_MS)
        times.append(page.evaluate(SHOWN))
    page.close()
    return statistics.median(APART_MS if time is None else time for time in times[3:])


def _connect(address: str) -> Ask:
    """Return what asks on a connection of its own, which stays open as that of a browser."""
    connection = HTTPConnection(address, timeout=PATIENCE)

    def ask(body: dict[str, object]) -> bytes:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/v1/translate", json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == HTTPStatus.OK, content
        return content

    return ask


def _body(model: str, text: str) -> dict[str, object]:
    return {"text": text, "model": model, "detail": "weights"}


def _moves(model: str) -> Iterator[dict[str, object]]:
    """Yield the requests of a drag, each with another weight."""
    plain = _plain(model)
    for number in count():
        weight = 0.01 + number % 98 / 100
        edit = {"op": "set", "kind": "cross", "queries": STEP, "keys": KEY, "weight": weight}
        yield {**plain, "edits": [edit], "continue_from": STEP}


def _plain(model: str) -> dict[str, object]:
    return _body(model, sentences(tokenizer_of(model), LENGTH, 1)[0])


def _drag_times(ask: Ask, model: str, calls: int) -> dict[str, list[float]]:
    """Return the seconds of plain and of edited answers, in turns."""
    plain, moves = _plain(model), _moves(model)
    return in_turns(
        {
            "plain": lambda: seconds(partial(ask, plain)),
            "edited": lambda: seconds(partial(ask, next(moves))),
        },
        calls,
        warmup=3,
    )


def _others(connect: Connect, *, quick: bool) -> float:
    """Return the median seconds of an answer to nine people."""
    ends = time.perf_counter() + (ROUND_SECONDS / 5 if quick else ROUND_SECONDS)
    texts = cycle(sentences(tokenizer_of(RNN), LENGTH, 100))

    def person(number: int) -> list[float]:
        ask, times_of, rng = connect(), [], Random(number)  # people do not act in step
        while time.perf_counter() < ends:
            times_of.append(seconds(partial(ask, _body(RNN, next(texts)))))
            time.sleep(rng.uniform(*PAUSES))
        return times_of

    with ThreadPoolExecutor(OTHERS) as pool:
        return statistics.median(one for each in pool.map(person, range(OTHERS)) for one in each)


def _beside(connect: Connect, quick: bool) -> float:
    """Return the same while another drags."""
    ended = Event()

    def drag() -> None:
        ask = connect()
        for move in _moves(RNN):
            if ended.wait(max(1 / MOST_A_SECOND - seconds(partial(ask, move)), 0)):
                return

    with ThreadPoolExecutor(1) as pool:
        dragging = pool.submit(drag)
        try:
            return _others(connect, quick=quick)
        finally:
            ended.set()
            dragging.result()


def _targets(
    drags: dict[str, dict[str, list[float]]], slower: float, screens: dict[str, float]
) -> Iterator[Target]:
    for model, measured in drags.items():
        found = 1e3 * statistics.median(measured["edited"])
        yield most(f"p50 of an edited answer, {NAMES[model]}", BOUND_MS, found, " ms")
    for model, found in screens.items():
        yield most(f"p50 of words on the screen, {NAMES[model]}", BOUND_SCREEN_MS, found, " ms")
    yield most("p50 of nine others while one drags", BOUND_OTHERS, slower)


def _report(
    drags: dict[str, dict[str, list[float]]], slower: float, screens: dict[str, float]
) -> str:
    rows = [
        [*pair_row(NAMES[model], measured), shown(screens[model])]
        for model, measured in drags.items()
    ]
    head = ["model", "plain, ms", "edited, ms", "edited over plain", "on the screen, ms"]
    drag = table(head, rows)
    return f"{drag}\n\nNine others wait {times(slower)} as long while one drags."
