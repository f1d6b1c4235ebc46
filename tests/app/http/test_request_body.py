"""The parts of a body are counted before it is parsed, and objects before they are validated."""

from __future__ import annotations

import gc
import json
import tracemalloc
from typing import Any

import httpx
import pytest

from heed.app.errors import HeedError
from heed.app.http import request_body
from heed.app.http.request_body import (
    COUNTED_BYTES,
    MAX_KEYS,
    MAX_PART_BYTES,
    PART_BYTES,
    THREAD_BYTES,
    JSONRequest,
    check_parts,
    check_shape,
    parse_json,
    validated,
)
from tests.conftest import beside_the_event_loop, wait_for

MAX_VALUES, MAX_LISTS, MAX_OBJECTS, MAX_STRINGS = (
    MAX_PART_BYTES // sum(PART_BYTES[mark] for mark in marks)
    for marks in ((b",",), (b"[", b","), (b"{", b","), (b'"', b'"', b","))
)
UNPARSED = 4 * 1024 * 1024
"""Memory for a body that is refused before it is parsed."""


def code_of(body: bytes) -> str:
    with pytest.raises(HeedError) as caught:
        parse_json(body)
    return caught.value.code


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"1," * MAX_VALUES + b"1,1]",
        b"[" + b"[]," * MAX_LISTS + b"[]]",
        b"[" + b"{}," * MAX_OBJECTS + b"1]",
        b'{"a":[' + b'"a",' * MAX_STRINGS + b'"a"]}',
        b"{" + b",".join(b'"%x":1' % each for each in range(MAX_STRINGS + 1)) + b"}",
    ],
    ids=["values", "lists", "objects", "strings", "keys"],
)
def test_a_body_with_very_many_parts_is_refused_before_it_is_parsed(body: bytes) -> None:
    tracemalloc.start()
    try:
        assert code_of(body) == "body_too_large"
        assert tracemalloc.get_traced_memory()[1] < UNPARSED
    finally:
        tracemalloc.stop()


def test_where_bodies_may_be_larger_they_may_have_more_parts() -> None:
    body = b"[" + b"1," * (MAX_VALUES + 1) + b"1]"
    check_parts(body, 2 * COUNTED_BYTES)
    with pytest.raises(HeedError):
        check_parts(body, COUNTED_BYTES)


NUMBERS = b'{"a":[' + b"1.5," * (MAX_VALUES - 10) + b"0.5"


@pytest.mark.parametrize(
    "body",
    [
        NUMBERS + b"]}",
        b"[" + b"{}," * (MAX_OBJECTS - 10) + b"1]",
        b"[" + b'{"a":1.5},' * (MAX_OBJECTS * 4 // 5) + b"1]",
        b'["' + "\U0001f600".encode() + b'",' + b'"ab",' * (MAX_STRINGS - 10) + b"1]",
    ],
    ids=["numbers", "objects", "keys", "strings"],
)
def test_the_parts_of_a_body_take_no_more_memory_than_was_counted(body: bytes) -> None:
    tracemalloc.start()
    try:
        value = parse_json(body)
        assert tracemalloc.get_traced_memory()[0] < MAX_PART_BYTES
        assert value
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("place", ["at the top", "in a list", "behind a number", "in an object"])
def test_an_object_with_very_many_keys_is_refused(place: str) -> None:
    many = {str(each): each for each in range(MAX_KEYS + 1)}
    values: dict[str, Any] = {
        "at the top": many,
        "in a list": {"a": [many]},
        "behind a number": {"a": [1, many]},
        "in an object": {"a": {"b": many}},
    }
    assert code_of(json.dumps(values[place]).encode()) == "unknown_field"


def test_an_object_with_fewer_keys_is_parsed() -> None:
    value = {str(each): each for each in range(MAX_KEYS)}
    assert parse_json(json.dumps(value).encode()) == value


def test_the_depth_of_lists_and_objects_is_counted() -> None:
    check_shape([[{"a": [5]}]], 4)
    with pytest.raises(HeedError):
        check_shape([[{"a": [5]}]], 3)
    check_shape(5, 1)


LARGE = {"nodes": [{"name": f"n{n}"} for n in range(1_000)], "edges": [["n1", "n2"]] * 1_000}


def test_a_large_body_is_parsed_and_validated_on_a_thread(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = []

    def noted(value: Any, schema: Any) -> Any:
        beside.append(beside_the_event_loop())
        return validated(value, schema)

    monkeypatch.setattr(request_body, "validated", noted)
    answer = client.post("/api/v1/graph", json=LARGE)
    assert answer.json()["error"]["code"] == "graph_too_large"
    assert beside == [True]


@pytest.mark.parametrize(
    "body",
    [
        *("", "[1]", "null", '{"a": ]}', '{"a": NaN}', '{"graph": "\\ud800"}', '{"other": 1}'),
        *('{"nodes": [{"name": 1}]}', '{"edges": [["a"]]}', '{"graph": "a - b", "detail": "x"}'),
        '{"graph": "Ann: A\\nAnn - Bob", "detail": "weights"}',
    ],
)
def test_a_large_body_gets_the_answer_of_a_small_one(client: httpx.Client, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answers = []
    for spaces in (0, THREAD_BYTES):
        answer = client.post("/api/v1/graph", content=body + " " * spaces, headers=headers)
        answers.append((answer.status_code, {**answer.json(), "timing": None}))
    assert answers[0] == answers[1]


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        ('{"text": 1}', 422),
        ('{"text": "' + THREAD_BYTES * "a" + '", "beam": 1}', 422),
        ('{"text": "3 may 1979"}', 200),
    ],
    ids=["no JSON", "wrong", "large and wrong", "right"],
)
def test_nothing_stays_of_a_body(client: httpx.Client, body: str, status: int) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post("/api/v1/translate", content=body, headers=headers)
    assert answer.status_code == status
    wait_for(lambda: not [it for it in gc.get_objects() if isinstance(it, JSONRequest)])
