"""Bodies with very many parts are refused at once: the first error ends their validation."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.test_errors import error_of

API = "/api/v1"
KEYS = b",".join(b'"k%d": 1' % number for number in range(60_000))
TRACE = b'{"schema": "heed.trace/2", %s}'
ONES = b"1," * 300_000 + b"1"


@pytest.mark.parametrize(
    ("path", "body", "code", "field"),
    [
        ("glimpse", b'{"pixels": [%s]}' % ONES, "wrong_type", "pixels[0]"),
        ("glimpse", b'{"pixels": [[%s]]}' % ONES, "picture_too_large", "pixels[0]"),
        ("glimpse", b"{%s}" % KEYS, "unknown_field", None),
        ("graph", b'{"nodes": [%s]}' % ONES, "wrong_type", "nodes[0]"),
        ("graph", b'{"edges": [%s]}' % ONES, "wrong_type", "edges[0]"),
        ("graph", b'{"nodes": [{"name": "a", %s}]}' % KEYS, "unknown_field", None),
        ("translate", b'{"text": [%s]}' % ONES, "wrong_type", "text"),
        ("translate", b'{"text": "3 may", %s}' % KEYS, "unknown_field", None),
        ("translate/batch", b'{"texts": [%s]}' % ONES, "batch_too_large", "texts"),
        ("traces", TRACE % KEYS, "unknown_field", None),
        (
            "traces",
            b'{"source": "a", "target": "b", "weights": [[[[1]]], %s]}' % ONES,
            "invalid_trace",
            "weights",
        ),
        ("traces", b'{"source": [%s], "weights": [[1]]}' % ONES, "wrong_type", "source"),
    ],
)
def test_the_first_error_of_a_body_is_its_answer(
    client: httpx.Client, path: str, body: bytes, code: str, field: str | None
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post(f"{API}/{path}", content=body, headers=headers)
    assert error_of(answer, 422, code)["field"] == field
    assert len(answer.content) < 500


def test_millions_of_numbers_in_a_trace_are_refused_by_their_count(client: httpx.Client) -> None:
    queries = b'"maps": [{"queries": [%s1]}]' % (b"1," * 4_100_000)
    headers = {"Content-Type": "application/json"}
    answer = client.post(f"{API}/traces", content=TRACE % queries, headers=headers)
    assert (
        "too many lists, objects, strings or numbers"
        in error_of(answer, 413, "body_too_large")["message"]
    )


def test_a_batch_reports_each_invalid_text_in_its_place(client: httpx.Client) -> None:
    texts: list[Any] = ["3 may 1979", 5, "", [1], "a" * 100_001]
    traces = client.post(f"{API}/translate/batch", json={"texts": texts}).json()["traces"]
    codes = [each.get("error", {}).get("code") for each in traces]
    assert codes == [None, "wrong_type", "empty_text", "wrong_type", "text_too_long"]
    assert traces[3]["error"]["field"] == "texts[3]"
