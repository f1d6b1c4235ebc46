"""Every guarantee of SECURITY.md names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from heed.app.errors import RequestError
from heed.app.main import create_app
from heed.app.settings import Settings
from heed.app.traces import store
from heed.app.traces.sqlite_store import SQLiteStore

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/.]+(?:::\w+)?)`", TEXT)))
ROWS = re.findall(r"^\| (.*?) ?\| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)[1:]


@pytest.mark.parametrize("named", NAMED)
def test_a_test_of_a_guarantee_exists(named: str) -> None:
    path, _, name = named.partition("::")
    source = (ROOT / path).read_text("utf-8")
    if name:
        functions = ast.FunctionDef, ast.AsyncFunctionDef
        assert name in {one.name for one in ast.parse(source).body if isinstance(one, functions)}


def test_every_guarantee_has_promises_and_every_promise_a_test() -> None:
    guarantees = set(re.findall(r"^\*\*(.+?)\*\*", TEXT, re.MULTILINE))
    assert {guarantee for guarantee, _, _ in ROWS if guarantee} == {
        name.rstrip(".") for name in guarantees
    }
    for _, promise, tests in ROWS:
        assert "`tests/" in tests, promise


def test_keys_are_compared_in_constant_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(known: bytes, given: bytes) -> bool:
        compared.append((known, given))
        return known == given

    saved = SQLiteStore(tmp_path, max_bytes=10**6)
    receipt = saved.save(b"{}")
    monkeypatch.setattr(store.hmac, "compare_digest", compare)
    with pytest.raises(RequestError):
        saved.delete(receipt.id, "another key")
    saved.delete(receipt.id, receipt.key)
    assert [known == given for known, given in compared] == [False, True]
    saved.close()


def test_no_call_lists_traces() -> None:
    document: dict[str, Any] = create_app(Settings(preload="none")).openapi()
    reading = {path for path, calls in document["paths"].items() if "get" in calls}
    about_traces = {path for path in reading if "traces" in path}
    assert about_traces
    assert all("{" in path for path in about_traces)
