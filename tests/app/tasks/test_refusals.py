"""Requests and traces of every task that are refused, each with the field that is wrong."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.app.tasks.examples import EXAMPLES, PHOTO
from tests.app.test_errors import error_of
from tests.models.tiny import png, seven

BY_TASK = {example.task: example for example in EXAMPLES}
STATUS = {"bad_json": 400, "unsupported_picture": 415}
"""The status of codes whose status is not 422."""
CUT = base64.b64encode(png(seven())[:60]).decode()
BLANK = base64.b64encode(png(Image.new("L", (60, 60), 255))).decode()
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
DRAWN: dict[str, Any] = {"picture": ...}
LISTED: dict[str, Any] = {"graph": ...}
MANY = [{"name": f"n{place}", "known": "A"} for place in range(10_000)]
ONE = [{"name": "a", "known": "A"}]

REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("caption", {"image": ..., "target": "a"}, "missing_field", "image"),
    ("caption", {"image": b""}, "empty_picture", "image"),
    ("caption", {"image": SVG}, "unsupported_picture", "image"),
    ("caption", {"image": b"<html><script>alert(1)</script>"}, "unsupported_picture", "image"),
    ("caption", {"image": PHOTO[: len(PHOTO) // 2]}, "broken_picture", "image"),
    ("caption", {"model": "ask"}, "wrong_task", "model"),
    ("caption", {"question": "who?"}, "unknown_field", "question"),
    ("caption", {"target": ""}, "empty_target", "target"),
    ("caption", {"target": " "}, "blank_target", "target"),
    ("caption", {"target": "a" * 41}, "target_too_long", "target"),
    ("caption", {"search": "{"}, "bad_json", "search"),
    ("caption", {"search": ""}, "bad_json", "search"),
    ("caption", {"search": "5"}, "wrong_type", "search"),
    ("caption", {"search": {"beam": 99}}, "out_of_range", "search.beam"),
    ("caption", {"search": {"bem": 2}}, "unknown_field", "search.bem"),
    ("caption", {"draws": "many"}, "wrong_type", "draws"),
    ("caption", {"draws": "-1"}, "out_of_range", "draws"),
    ("caption", {"draws": "101"}, "out_of_range", "draws"),
    ("caption", {"draws": "9" * 5000}, "wrong_type", "draws"),
    ("caption", {"draws": "5"}, "draws_unsupported", "draws"),
    ("caption", {"edits": "[{"}, "bad_json", "edits"),
    ("caption", {"edits": [{"op": "block", "words": "dog"}]}, "edits_not_supported",
     "edits[0].words"),
    ("caption", {"edits": [{"op": "gate", "value": 2}]}, "out_of_range", "edits[0].value"),
    ("caption", {"continue_from": "x"}, "wrong_type", "continue_from"),
    ("ask", {"question": ...}, "missing_field", "question"),
    ("ask", {"question": ""}, "empty_question", "question"),
    ("ask", {"question": "\u200b"}, "blank_question", "question"),
    ("ask", {"question": "a" * 41}, "question_too_long", "question"),
    ("ask", {"model": "caption-soft"}, "wrong_task", "model"),
    ("ask", {"text": "a"}, "unknown_field", "text"),
    ("ask", {"draws": "2"}, "draws_unsupported", "draws"),
    ("see", {"layer": "3", "head": "0"}, "out_of_range", "layer"),
    ("see", {"layer": "0", "head": "2"}, "out_of_range", "head"),
    ("see", {"layer": "-1", "head": "0"}, "out_of_range", "layer"),
    ("see", {"head": "0"}, "missing_field", "layer"),
    ("see", {"image": b""}, "empty_picture", "image"),
    ("see", {"image": b"no picture"}, "unsupported_picture", "image"),
    ("see", {"image": PHOTO[:200]}, "broken_picture", "image"),
    ("see", {"question": "What is it?"}, "unknown_field", "question"),
    ("story", {"story": None}, "wrong_type", "story"),
    ("story", {"story": ""}, "empty_story", "story"),
    ("story", {"story": " \n"}, "blank_story", "story"),
    ("story", {"story": "..."}, "blank_story", "story"),
    ("story", {"story": "a. " * 7}, "story_too_long", "story"),
    ("story", {"story": "a " * 8}, "story_too_long", "story"),
    ("story", {"story": "a" * 201}, "story_too_long", "story"),
    ("story", {"question": ""}, "empty_question", "question"),
    ("story", {"question": "?"}, "blank_question", "question"),
    ("story", {"question": "\u200b"}, "blank_question", "question"),
    ("story", {"question": "a " * 8}, "question_too_long", "question"),
    ("graph", {"graph": ...}, "missing_field", "graph"),
    ("graph", {"graph": 3}, "wrong_type", "graph"),
    ("graph", {"graph": ""}, "empty_graph", "graph"),
    ("graph", {"graph": " \n"}, "blank_graph", "graph"),
    ("graph", {"graph": "# only a title"}, "empty_graph", "nodes"),
    ("graph", {"graph": "a - b"}, "no_known_class", "nodes"),
    ("graph", {"graph": "a: A\na - a"}, "invalid_graph", "edges"),
    ("graph", {"graph": "a: A\na - b\nb - a"}, "invalid_graph", "edges"),
    ("graph", {"graph": "a: A" + "\na" * 3000}, "graph_too_large", "graph"),
    ("graph", LISTED | {"nodes": [], "edges": []}, "empty_graph", "nodes"),
    ("graph", LISTED | {"nodes": MANY}, "graph_too_large", "nodes"),
    ("graph", LISTED | {"nodes": ONE, "edges": [["a", "b"]]}, "invalid_graph", "edges"),
    ("graph", {"nodes": ONE}, "unknown_field", "graph"),
    ("glimpse", {"picture": ...}, "missing_field", "picture"),
    ("glimpse", {"pixels": [[0, 1]]}, "missing_field", "picture"),
    ("glimpse", {"picture": ""}, "empty_picture", "image"),
    ("glimpse", {"picture": "no base64!"}, "broken_picture", "picture"),
    ("glimpse", {"picture": "aGVlZA=="}, "unsupported_picture", "image"),
    ("glimpse", {"picture": CUT}, "broken_picture", "image"),
    ("glimpse", {"picture": BLANK}, "blank_picture", "image"),
    ("glimpse", DRAWN | {"pixels": [[7, 7], [7, 7]]}, "blank_picture", "image"),
    ("glimpse", DRAWN | {"pixels": []}, "empty_picture", "pixels"),
    ("glimpse", DRAWN | {"pixels": [[]]}, "empty_picture", "pixels"),
    ("glimpse", DRAWN | {"pixels": [[0, 1], [0]]}, "out_of_range", "pixels"),
    ("glimpse", DRAWN | {"pixels": [[0, 256]]}, "out_of_range", "pixels[0][1]"),
    ("glimpse", DRAWN | {"pixels": [[0, -1]]}, "out_of_range", "pixels[0][1]"),
    ("glimpse", DRAWN | {"pixels": [[0] * 1025]}, "picture_too_large", "pixels[0]"),
    ("glimpse", DRAWN | {"pixels": "7"}, "wrong_type", "pixels"),
    ("read", {"text": None}, "wrong_type", "text"),
    ("read", {"text": ""}, "empty_text", "text"),
    ("read", {"text": " \n"}, "blank_text", "text"),
    ("read", {"text": "a " * 13}, "text_too_long", "text"),
    ("read", {"text": "a" * 201}, "text_too_long", "text"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("task", "changes", "code", "field"), REFUSED, ids=lambda value: str(value)[:40]
)
def test_an_invalid_field_is_named(
    client: httpx.Client, task: str, changes: dict[str, Any], code: str, field: str
) -> None:
    answer = BY_TASK[task].send(client, **changes)
    assert error_of(answer, STATUS.get(code, 422), code)["field"] == field


Contradict = Callable[[dict[str, Any]], object]
TOKENS = {"kind": "tokens", "text": "", "tokens": [], "words": [], "merge": "mean"}
CONTRADICTIONS: list[tuple[str, str, Contradict]] = [
    ("story", "question", lambda trace: trace.pop("question")),
    ("story", "steps", lambda trace: trace["target"].update(hops=2)),
    ("story", "target", lambda trace: trace.update(target=TOKENS)),
    ("story", "steps[1].keys", lambda trace: trace["steps"][1]["keys"].pop()),
    ("graph", "source", lambda trace: trace["source"].update(edges=[[0, 9]])),
    ("graph", "target", lambda trace: trace["target"].update(classes=["A", "A"])),
    ("graph", "target", lambda trace: trace["target"].update(classes=["A", "A", "A", "Z"])),
    ("graph", "target", lambda trace: trace["target"].update(nodes=["w", "x", "y", "z"])),
    ("glimpse", "target", lambda trace: trace["target"].update(glimpses=[])),
    ("glimpse", "source", lambda trace: trace.update(source={"kind": "hops", "hops": 4})),
    ("glimpse", "steps[1].seen", lambda trace: trace["steps"][1]["seen"][0].pop()),
    ("see", "positions", lambda trace: trace.update(positions=[[1.0]])),
]


@pytest.mark.parametrize(("task", "field", "contradict"), CONTRADICTIONS)
def test_a_trace_that_contradicts_itself_is_not_saved(
    client: httpx.Client, task: str, field: str, contradict: Contradict
) -> None:
    trace = BY_TASK[task].trace(client)
    contradict(trace)
    answer = client.post("/api/v1/traces", json=trace)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"].startswith(field)
