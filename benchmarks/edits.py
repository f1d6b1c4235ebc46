"""Edits by hand: the time of an answer while a person drags, and what that costs nine others.

A drag sends one request after another, at most ten a second, each with another weight at one step.
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
from threading import Event
from urllib.parse import urlsplit

from benchmarks import served
from benchmarks.case import RNN, TRANSFORMER, scratch, sentences, tokenizer_of, write_no_eos
from benchmarks.figures import (
    Options,
    Report,
    Target,
    in_turns,
    most,
    paired,
    ratio,
    seconds,
    times,
)
from benchmarks.wrk import PATIENCE

LENGTH, STEP, KEY = 20, 5, 3
OTHERS, PAUSE = 9, 0.3  # people, and the seconds between their answer and their next request
MOST_A_SECOND = 10
ROUNDS, ROUND_SECONDS = 6, 10.0  # of dragging: a minute together
BOUND_MS, BOUND_OTHERS = 30, 1.2
DRAG = "with one who drags"
NAMES = {RNN: "recurrent", TRANSFORMER: "Transformer"}

Ask = Callable[[dict[str, object]], object]
Connect = Callable[[], Ask]


def measure(options: Options) -> Report:
    """Measure a drag alone, and nine people with a drag and without, in turns."""
    quick = options.quick
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
    return Report({"edits": _report(drags, slower)}, list(_targets(drags, slower)))


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

    def person(_: int) -> list[float]:
        ask, times_of = connect(), []
        while time.perf_counter() < ends:
            times_of.append(seconds(partial(ask, _body(RNN, next(texts)))))
            time.sleep(PAUSE)
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


def _targets(drags: dict[str, dict[str, list[float]]], slower: float) -> Iterator[Target]:
    for model, measured in drags.items():
        found = 1e3 * statistics.median(measured["edited"])
        yield most(f"p50 of an edited answer, {NAMES[model]}", BOUND_MS, found, " ms")
    yield most("p50 of nine others while one drags", BOUND_OTHERS, slower)


def _report(drags: dict[str, dict[str, list[float]]], slower: float) -> str:
    head = ["model", "plain, ms", "edited, ms", "edited over plain"]
    drag = paired(head, {NAMES[model]: measured for model, measured in drags.items()})
    return f"{drag}\n\nNine others wait {times(slower)} as long while one drags."
