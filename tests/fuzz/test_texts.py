"""Random texts: translated, or refused with a documented code."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from heed.app.errors import all_codes
from tests.conftest import Running
from tests.scale import LONG, amount, percentile, report

URL = "/api/v1/translate"
JSON = {"Content-Type": "application/json"}
MAX_SECONDS = 1.0

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSEEN = "\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u2060\ufeff\U000e0041"
PLANES = some.integers(0, 16).flatmap(
    lambda plane: some.characters(
        min_codepoint=plane << 16, max_codepoint=(plane << 16) + 0xFFFF, exclude_categories=()
    )
)
PIECES = some.one_of(
    some.text(PLANES, max_size=30),
    some.text(some.characters(categories=("Cs",)), min_size=1, max_size=4),
    some.text(some.characters(categories=("Cc", "Cf")), min_size=1, max_size=10),
    some.text(BIDI + UNSEEN + "a1 ", min_size=1, max_size=20),
    some.text("e\u0301\u0300\u0489\u20e3\ufe0f", min_size=1, max_size=60),
    some.sampled_from(
        ["3 may 1979", "the 3rd of ", "👩‍👩‍👧‍👦", "🏳️‍🌈", "ﷺ", "\x00", "\u2028", "<script>", "%00"]
    ),
)
TEXTS = some.lists(PIECES, min_size=1, max_size=6).map("".join)
HUGE = some.tuples(PIECES.filter(bool), some.integers(1, 100_000)).map(
    lambda pair: (pair[0] * pair[1])[:100_000]
)
MANY = settings(
    max_examples=amount(60, 3000),
    database=None,
    suppress_health_check=list(HealthCheck),
)
FEW = settings(MANY, max_examples=amount(10, 300))

refusals: list[float] = []
answers: dict[int, int] = {}


def post(server: Running, body: bytes) -> dict[str, Any]:
    """Send a body; return the trace or the error."""
    began = time.perf_counter()
    answer = server.client.post(URL, content=body, headers=JSON)
    seconds = time.perf_counter() - began
    answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
    if answer.status_code == 200:
        return json.loads(answer.content.decode())
    error = answer.json()["error"]
    assert answer.status_code in (400, 413, 422), answer.text
    assert all_codes()[error["code"]].status == answer.status_code
    assert len(answer.content) < 1000
    refusals.append(seconds)
    return error


def test_texts_of_every_plane_are_translated_or_refused(server: Running) -> None:
    @MANY
    @given(TEXTS)
    def check(text: str) -> None:
        trace = post(server, json.dumps({"text": text}).encode())
        if "source" in trace:
            tokens = trace["source"]["tokens"]
            assert trace["request"]["text"] == json.loads(
                json.dumps(text)
            )  # surrogate pairs joined
            assert all(0 <= t["start"] <= t["end"] for t in tokens if t.get("start") is not None)

    check()


def test_targets_of_every_plane_are_forced_or_refused(server: Running) -> None:
    @FEW
    @given(TEXTS, TEXTS)
    def check(text: str, target: str) -> None:
        post(server, json.dumps({"text": text, "target": target}).encode())

    check()


def test_huge_texts_are_refused(server: Running) -> None:
    @FEW
    @given(HUGE)
    def check(text: str) -> None:
        post(server, json.dumps({"text": text}, ensure_ascii=False).encode("utf-8", "replace"))

    check()


def test_damaged_json_is_read_or_refused(server: Running) -> None:
    whole = json.dumps({"text": "3 may", "search": {"kind": "beam", "beam": 2}}).encode()

    @MANY
    @given(some.data())
    def check(data: some.DataObject) -> None:
        body = bytearray(whole)
        for _ in range(data.draw(some.integers(1, 4))):
            position = data.draw(some.integers(0, max(len(body) - 1, 0)))
            match data.draw(some.integers(0, 3)):
                case 0:
                    body[position : position + 1] = data.draw(some.binary(max_size=4))
                case 1:
                    del body[position:]
                case 2:
                    body[position:position] = body[position:]
                case 3:
                    body[position:position] = data.draw(
                        some.sampled_from([b"[" * 50, b'{"a":' * 50, b"1e999", b"NaN", b"\\ud800"])
                    )
        post(server, bytes(body))

    check()


def test_unusual_headers_are_handled(server: Running) -> None:
    names = some.sampled_from(
        [
            *("Accept", "Accept-Encoding", "Content-Type", "X-Request-ID", "Range"),
            *("If-None-Match", "X-Forwarded-For", "Origin", "Cookie", "Expect"),
            *("Authorization", "Content-Encoding"),
        ]
    )
    values = some.text(some.characters(min_codepoint=32, max_codepoint=126), max_size=60)

    @MANY
    @given(some.dictionaries(names, values, max_size=4), some.sampled_from(["GET", "POST"]))
    def check(headers: dict[str, str], method: str) -> None:
        path = URL if method == "POST" else "/api/v1/traces/x"
        sent = {name: value.strip() for name, value in headers.items()}
        try:
            answer = server.client.request(method, path, content=b'{"text": "3 may"}', headers=sent)
        except httpx.DecodingError:
            return
        assert answer.status_code in (200, 400, 404, 406, 415, 417, 422), answer.text

    check()


def test_refusals_are_quick(server: Running) -> None:
    """The refusals of all tests above."""
    assert refusals
    report(cases=sum(answers.values()), answers=answers, p50=percentile(refusals, 0.5))
    report(p95=percentile(refusals, 0.95), p99=percentile(refusals, 0.99))
    if LONG:
        assert percentile(refusals, 0.5) < MAX_SECONDS
