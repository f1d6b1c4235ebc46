from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import httpx
import pytest

from heed.app import errors
from heed.app.errors import FieldError, HeedError, RequestError, ServiceError, all_codes

ROOT = Path(__file__).parents[2]
URL = "/api/v1/translate"
JSON = {"Content-Type": "application/json"}
HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def error_of(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """Check the shape of an error response and return its error."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"error"}
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "field"}
    assert error["code"] == code
    assert re.fullmatch(r"[A-Z'`].*[.?]", error["message"], re.DOTALL), error["message"]
    return error


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ("{}", "missing_field", "text"),
        ('{"text": 5}', "wrong_type", "text"),
        ('{"text": null}', "wrong_type", "text"),
        ('{"text": ["a"]}', "wrong_type", "text"),
        ('{"text": ""}', "empty_text", "text"),
        ('{"text": " \\t\\n"}', "blank_text", "text"),
        ('{"text": "\\u00a0\\u3000"}', "blank_text", "text"),
        ('{"text": "\\u200b\\u0000\\ufeff"}', "blank_text", "text"),
        ('{"text": "\\ud800"}', "invalid_text", "text"),
        ('{"text": "a \\udc00 b"}', "invalid_text", "text"),
        ('{"\\ud800": 1, "text": "a"}', "invalid_text", None),
        ('{"text": "a", "target": ""}', "empty_target", "target"),
        ('{"text": "a", "target": " "}', "blank_target", "target"),
        ('{"text": "a", "target": 1979}', "wrong_type", "target"),
        ('{"text": "a", "model": "dates-aditive"}', "unknown_model", "model"),
        ('{"text": "a", "model": "\\ud800"}', "invalid_text", "model"),
        ('{"text": "a", "model": ""}', "unknown_model", "model"),
        ('{"text": "a", "model": 1}', "wrong_type", "model"),
        ('{"text": "a", "modle": "x"}', "unknown_field", "modle"),
        ('{"text": "a", "search": {"bem": 3}}', "unknown_field", "search.bem"),
        ('{"text": "a", "search": null}', "wrong_type", "search"),
        ('{"text": "a", "search": {"kind": "best"}}', "invalid_choice", "search.kind"),
        ('{"text": "a", "search": {"beam": 0}}', "out_of_range", "search.beam"),
        ('{"text": "a", "search": {"beam": 11}}', "out_of_range", "search.beam"),
        ('{"text": "a", "search": {"beam": 2.5}}', "wrong_type", "search.beam"),
        ('{"text": "a", "search": {"beam": "4"}}', "wrong_type", "search.beam"),
        ('{"text": "a", "search": {"beam": true}}', "wrong_type", "search.beam"),
        ('{"text": "a", "search": {"seed": -1}}', "out_of_range", "search.seed"),
        ('{"text": "a", "search": {"seed": 99999999999}}', "out_of_range", "search.seed"),
        ('{"text": "a", "search": {"temperature": 0}}', "out_of_range", "search.temperature"),
        ('{"text": "a", "search": {"temperature": 1e999}}', "out_of_range", "search.temperature"),
        ('{"text": "a", "detail": "all"}', "invalid_choice", "detail"),
        ('{"text": "a", "detail": null}', "invalid_choice", "detail"),
        ("[]", "wrong_type", None),
        ('"a"', "wrong_type", None),
        ("null", "wrong_type", None),
        ("", "empty_body", None),
        (" \n", "empty_body", None),
    ],
)
def test_an_invalid_field_is_named(
    client: httpx.Client, body: str, code: str, field: str | None
) -> None:
    error = error_of(client.post(URL, content=body, headers=JSON), 422, code)
    assert error["field"] == field


@pytest.mark.parametrize(
    "body",
    [
        b"nonsense",
        b'{"text": "a"',
        b'{"text": "a",}',
        b"{'text': 'a'}",
        b'{"text": NaN}',
        b'{"text": "a", "search": {"temperature": Infinity}}',
        b'{"text": "a\nb"}',
        b'{"text": "\xff"}',
        '{"text": "a"}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b'{"text": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda body: body[:20].decode("latin-1"),
)
def test_a_body_that_is_not_valid_json_is_refused(client: httpx.Client, body: bytes) -> None:
    error = error_of(client.post(URL, content=body, headers=JSON), 400, "bad_json")
    assert error["field"] is None


def test_the_error_of_a_long_text_names_the_limit(client: httpx.Client) -> None:
    models = client.get("/api/v1/models").json()["models"]
    limit = next(model for model in models if model["default"])["limits"]["characters"]
    answer = client.post(URL, json={"text": "a" * (limit + 1)})
    message = error_of(answer, 422, "text_too_long")["message"]
    assert str(limit) in message
    assert "by about 1 character:" in message
    error_of(client.post(URL, json={"text": "a", "target": "1" * 5000}), 422, "target_too_long")


def test_a_text_without_known_characters_is_refused(client: httpx.Client) -> None:
    body = {"text": "😀 你好", "model": "en-fr-additive"}
    error = error_of(client.post(URL, json=body), 422, "unknown_characters")
    assert error["field"] == "text"
    assert client.post(URL, json=body | {"text": "you 😀"}).status_code == 200


def test_an_unknown_model_gets_the_nearest_names(client: httpx.Client) -> None:
    answer = client.post(URL, json={"text": "a", "model": "dates-aditive"})
    assert "dates-additive" in answer.json()["error"]["message"]


def test_the_message_names_bound_and_value(client: httpx.Client) -> None:
    answer = client.post(URL, json={"text": "a", "search": {"beam": 11}})
    message = answer.json()["error"]["message"]
    assert message == "The field 'search.beam' must be at most 10, not 11."


def test_long_input_is_shortened_in_messages(client: httpx.Client) -> None:
    for body in ({"x" * 100_000: 1, "text": "a"}, {"text": "a", "model": "m" * 100_000}):
        assert len(client.post(URL, json=body).content) < 1000


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "json", ""])
def test_a_body_of_another_media_type_is_refused(client: httpx.Client, kind: str) -> None:
    answer = client.post(URL, content=b'{"text": "a"}', headers={"Content-Type": kind})
    error_of(answer, 415, "unsupported_media_type")
    answer = client.post(URL, content=b'{"text": "a"}')
    assert "application/json" in error_of(answer, 415, "unsupported_media_type")["message"]


def test_json_may_name_its_charset_and_have_a_byte_order_mark(client: httpx.Client) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    body = b'\xef\xbb\xbf{"text": "3 may 1979"}'
    assert client.post(URL, content=body, headers=headers).status_code == 200


@pytest.mark.parametrize("path", ["/nope", "/api", "/api/v2/models", "/api/v1/models/", "/static/"])
def test_an_unknown_path_is_not_found(client: httpx.Client, path: str) -> None:
    assert path in error_of(client.get(path), 404, "not_found")["message"]


def test_an_unsupported_method_gets_the_allowed_ones(client: httpx.Client) -> None:
    answer = client.get(URL)
    assert "POST" in error_of(answer, 405, "method_not_allowed")["message"]
    assert answer.headers["allow"] == "POST"
    answer = client.delete("/api/v1/models")
    error_of(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "GET"


def test_an_accept_header_that_cannot_be_satisfied_is_refused(client: httpx.Client) -> None:
    for accept in ("image/png", "application/json;q=0, text/event-stream;q=0"):
        answer = client.post(URL, json={"text": "a"}, headers={"Accept": accept})
        error_of(answer, 406, "not_acceptable")
    stream = {"Accept": "text/event-stream"}
    answer = client.post(f"{URL}/batch", json={"texts": ["a"]}, headers=stream)
    error_of(answer, 406, "not_acceptable")


def test_an_invalid_batch_is_refused(client: httpx.Client) -> None:
    for body, code in (
        ({"texts": []}, "empty_batch"),
        ({"texts": ["a"] * 1000}, "batch_too_large"),
        ({"texts": "a"}, "wrong_type"),
        ({}, "missing_field"),
        ({"texts": ["a"], "target": "b"}, "unknown_field"),
        ({"texts": ["a"], "model": "x"}, "unknown_model"),
    ):
        error_of(client.post(f"{URL}/batch", json=body), 422, code)


def test_a_body_above_its_limit_is_refused(served: Callable) -> None:
    with served(max_body_bytes=2048, preload="none") as server:
        large = b'{"text": "' + b"a" * 4096 + b'"}'
        for content in (large, iter([large[:2000], large[2000:]]), b"a" * 5_000_000):
            answer = server.client.post(URL, content=content, headers=JSON)
            assert "2048 bytes" in error_of(answer, 413, "body_too_large")["message"]
        just = b'{"text": ""' + b" " * (2048 - 12) + b"}"
        error_of(server.client.post(URL, content=just, headers=JSON), 422, "empty_text")


def test_browsers_get_error_pages_and_programs_get_json(client: httpx.Client) -> None:
    page = client.get("/<script>nope", headers=HTML)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "<script>nope" not in page.text
    for path in ("/api/v1/nope", "/static/nope", "/version/nope"):
        error_of(client.get(path, headers=HTML), 404, "not_found")


def test_codes_match_the_docstring_and_the_documentation() -> None:
    codes = set(all_codes())
    drawn = set(re.findall(r"\b[a-z]+(?:_[a-z]+)*\b", errors.__doc__ or ""))
    assert codes <= drawn
    assert {word for word in drawn if "_" in word} <= codes
    rows = re.findall(r"^\| `([a-z_]+)` \| (\d+) \| (.+) \|$", _documentation(), re.MULTILINE)
    documented = {code: (int(status), meaning) for code, status, meaning in rows}
    assert documented == {code: tuple(known) for code, known in all_codes().items()}


def _documentation() -> str:
    return (ROOT / "docs" / "errors.md").read_text("utf-8")


def test_every_code_that_models_raise_is_in_the_tree() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "models").rglob("*.py")]
    raised = {
        code.replace("{name}", name)
        for source in sources
        for code in re.findall(r'InputError\(\s*f?"([a-z_{}]+)"', source)
        for name in ("text", "target", "question")
    }
    assert raised
    assert raised <= set(FieldError.codes)


def test_every_code_has_a_status_of_its_branch() -> None:
    branches: dict[type[HeedError], Collection[int]] = {
        RequestError: {*range(400, 422), 429},
        FieldError: range(422, 423),
        ServiceError: range(500, 508),
    }
    for branch, statuses in branches.items():
        for code in branch.codes:
            assert branch(code, "It is so.").status in statuses
