"""Text of a visitor is read in linear time, whatever it is made of.

Eight times the text may take eight times the processor time; where something takes the square, it
takes sixty-four. The limit is between the two, and times are compared within one run.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from python_multipart.multipart import parse_options_header

from heed.app.errors import HeedError
from heed.app.http.conditional import _matches
from heed.app.http.negotiation import preferred
from heed.app.main import create_app
from heed.app.openapi.document import openapi_document
from heed.app.settings import Settings
from heed.app.tasks.checks import check_text
from heed.app.traces.trace_import import import_json
from heed.models.catalogue import DEFAULT_DIRECTORY
from heed.models.errors import InputError
from heed.models.families.memory import stories
from heed.models.graphs.notation import example_named, parse_graph, title_of
from heed.models.heads import parse_links
from heed.models.text import words
from heed.models.text.tokenizer import BytePieces, words_of
from heed.models.text.vocabulary import is_word, plain
from tests.app.conftest import beside_translator, serving
from tests.conftest import Running
from tests.models.tiny import (
    write_tiny_captioners,
    write_tiny_glimpse,
    write_tiny_graph,
    write_tiny_memory,
    write_tiny_reader,
    write_tiny_vision,
)
from tests.scale import LONG, amount

SHORT = 750
TIMES = 8
MOST_TIMES = 3 * TIMES
ATTEMPTS = 4
"""Only what grows in each of them is a failure: a time may be long by chance."""
SECONDS_THAT_COUNT = 0.1
"""Less than this is no stall, however it grows."""
FEWEST_SECONDS = 0.002
"""Shorter times are mostly noise."""

UNITS = (
    *("a", " ", "-", "–", "a ", " -", "- ", "--", "a-", "-a", "a -", " - ", "\t", "\n", "a\n"),
    *("#", "#\n", "~", "a:~", "a: ", ":", ",", ";", "a,", "a;", "'", "’", "a'", "l’", '"', '\\"'),
    *("(", "[", "{", "<", "</s>", "/", "\\", ".", "…", "a.", "?!", "1", "1.", "1,", "_", "=", "&"),
    *("\u0301", "e\u0301", "\u200d", "👩\u200d", "☺", "☺ ", "A☺", "A", "SS ", "İ", "ß", "Ⅷ", "ﷺ"),
    *("가", "\u2028", "\x00", "\x1c", "$", "%", "^", "`", "|", "a;q=1,", '";'),
)
HOSTILE = (" ", "a ", "-", "a -", '"', "\u0301", "1", "/", "[", ":", ",", ";", "a;", "☺ ", "SS ")
"""Units for what takes longer."""
EDGES = (("a", "b"), ("", ""), ('"', ""), ("a: ", " b"), ("- ", " -"))
PIECES = BytePieces.load(DEFAULT_DIRECTORY / "en-fr-additive" / "tokenizer.json")


def saved(text: str) -> None:
    import_json(json.dumps({"source": text, "target": text, "weights": []}).encode(), 1 << 23)


READERS: dict[str, Callable[[str], object]] = {
    "a graph": parse_graph,
    "the title of a graph": lambda text: (title_of(text), example_named(text, (text,))),
    "the sentences of a story": stories.split_sentences,
    "the words of a question": stories.split_words,
    "the words of a sentence": words.split_words,
    "the words of a text": lambda text: [*words_of(text)],
    "the form of a word": lambda text: (is_word(text), plain(text)),
    "an input": PIECES.encode,
    "a target": lambda text: PIECES.encode(text, "mean"),
    "a check": lambda text: check_text(text, "text"),
    "plain pieces": saved,
    "links": parse_links,
    "Accept": lambda text: preferred(text, ("application/json", "text/html")),
    "If-None-Match": lambda text: _matches(text, "tag"),
    "Content-Type": lambda text: parse_options_header(f"multipart/form-data; {text}"),
}


SLOW = ("an input", "a target")


def seconds(work: Callable[[str], object], text: str, clock: Callable[[], float]) -> float:
    """Return the processor time of the work."""
    start = clock()
    with suppress(HeedError, InputError, ValueError):
        work(text)
    return clock() - start


def grows(
    work: Callable[[str], object],
    make: Callable[[int], str],
    clock: Callable[[], float] = time.thread_time,
) -> str:
    """Return how much longer the long text takes, if that is far more than it is longer."""
    for _ in range(ATTEMPTS):
        long = seconds(work, make(TIMES * SHORT), clock)
        if long < SECONDS_THAT_COUNT:
            return ""
        short = max(FEWEST_SECONDS, seconds(work, make(SHORT), clock))
        if long < MOST_TIMES * short:
            return ""
    return f"{long:.3f} s after {short:.3f} s"


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda length: before + unit * (length // len(unit)) + after


@pytest.mark.parametrize("name", READERS)
def test_the_time_to_read_a_text_grows_as_its_length(name: str) -> None:
    found = {
        (before, unit, after): much
        for unit in (UNITS if LONG or name not in SLOW else HOSTILE)
        for before, after in EDGES[: amount(1, len(EDGES))]
        if (much := grows(READERS[name], repeated(unit, before, after)))
    }
    assert not found


def test_a_square_is_found() -> None:
    edges = re.compile(r"(?:^|\s+)[-–—]+(?:\s+|$)")  # tries every space of a run, to its end
    assert grows(edges.split, repeated(" ", "a", "b"))


# --- all fields of all routes and pages ---------------------------------------------------------

PAGES = {
    "/": ("text", "target", "model", "search", "beam"),
    "/story": ("story", "question"),
    "/graph": ("graph", "model"),
    "/glimpse": ("picture",),
    "/read": ("text",),
    "/picture": ("model", "lesson"),
    "/learn/x/1": ("a",),
}


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with a small model of each kind."""
    root = write_tiny_captioners(tmp_path_factory.mktemp("everything"))
    write_tiny_vision(root / "vit")
    write_tiny_memory(root / "memory")
    write_tiny_graph(root / "graph")
    write_tiny_reader(root / "reader")
    write_tiny_glimpse(root / "glimpse")
    with serving(beside_translator(root)) as it:
        yield it


def text_fields() -> Iterator[tuple[str, str, str]]:
    """Yield the media type, the path and the name of every text in the body of a request."""
    document = openapi_document(create_app(Settings.from_environment(preload="none")))
    components = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for body in operations.get("post", {}).get("requestBody", {}).get("content", {}).items():
            media, schema = body[0], body[1]["schema"]
            for part in (schema, *schema.get("anyOf", ())):
                part = components.get(part.get("$ref", "").rpartition("/")[2], part)
                for name, field in part.get("properties", {}).items():
                    kinds = [field, *field.get("anyOf", ())]
                    if any(kind.get("type") == "string" for kind in kinds):
                        yield media, path, name


FIELDS = sorted(set(text_fields()))


def sending(server: Running, media: str, path: str, name: str) -> Callable[[str], object]:
    """Return what sends a text as this field."""
    others = {"text": "3 may", "story": "A.", "question": "Where?", "source": "a", "weights": [[1]]}
    if path.endswith("/traces"):
        others = {"source": "a", "weights": [[1]]} if name in others else {"schema": "heed.trace/2"}
    names = {"translate": ("text",), "story": ("story", "question"), "read": ("text",)}
    needed = (
        others
        if path.endswith("/traces")
        else {each: others[each] for each in names.get(path.rpartition("/")[2], ())}
    )

    def send(text: str) -> httpx.Response:
        if media == "multipart/form-data":
            form = {"question": "Where?", name: text[: 12 * 1024]}
            return server.client.post(path, data=form, files={"image": b"GIF89a"})
        body: dict[str, Any] = {**needed, name: text}
        return server.client.post(path, json=body)

    return send


@pytest.mark.parametrize(("media", "path", "name"), FIELDS, ids=map(" ".join, FIELDS))
def test_the_time_of_a_request_grows_as_a_field(
    everything: Running, media: str, path: str, name: str
) -> None:
    send = sending(everything, media, path, name)
    found = {
        unit: much
        for unit in HOSTILE[:: amount(3, 1)]
        if (much := grows(send, repeated(unit, "a", "b"), time.process_time))
    }
    assert not found


@pytest.mark.parametrize(("path", "name"), [(path, name) for path in PAGES for name in PAGES[path]])
def test_the_time_of_a_page_grows_as_a_parameter(everything: Running, path: str, name: str) -> None:
    def send(text: str) -> httpx.Response:
        return everything.client.get(path, params={name: text}, headers={"Accept": "text/html"})

    found = {
        unit: much
        for unit in HOSTILE[:: amount(3, 1)]
        if (much := grows(send, repeated(unit, "a", "b"), time.process_time))
    }
    assert not found
