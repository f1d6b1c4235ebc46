"""Edits of attention over HTTP: the edited run, the run without edits, and what they changed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from heed.app.http.validation_errors import validated
from heed.app.schemas import TranslateIn
from heed.app.tasks.translate import text_request
from heed.models.catalogue import Catalogue
from tests.conftest import Running, wait_for

URL = "/api/v1/translate"
TEXT = "I do not know where she lives."
MODEL = "en-fr-transformer"
BLOCK = {"op": "block", "words": "not"}


def translate(client: httpx.Client, **options: Any) -> dict[str, Any]:
    answer = client.post(URL, json={"text": TEXT, "model": MODEL, **options})
    assert answer.status_code == 200, answer.text
    trace: dict[str, Any] = answer.json()
    return trace


def refusal(client: httpx.Client, edits: Any, **options: Any) -> dict[str, Any]:
    answer = client.post(URL, json={"text": TEXT, "model": MODEL, "edits": edits, **options})
    assert answer.status_code == 422, answer.text
    error: dict[str, Any] = answer.json()["error"]
    return error


def test_a_translator_that_cannot_look_at_not_leaves_it_out(client: httpx.Client) -> None:
    plain, edited = translate(client), translate(client, edits=[BLOCK])
    baseline = edited["baseline"]
    assert edited["request"]["edits"] == [BLOCK]
    assert baseline["text"] == plain["text"]
    assert "pas" in plain["text"]
    assert "pas" not in edited["text"]
    assert edited["text"].split()[baseline["parts_at"]] != plain["text"].split()[1]
    changes = baseline["changes"]
    assert len(changes) == len(baseline["steps"]) == len(plain["steps"])
    for change in changes:
        assert change["delta"] == pytest.approx(change["after"] - change["before"], abs=2e-6)
        assert change["divergence"] >= 0
    assert changes[1]["divergence"] > 1
    blocked = [
        index for index, word in enumerate(edited["source"]["words"]) if word["text"] == "not"
    ]
    for attention in edited["maps"]:
        if attention["kind"] == "cross":
            columns = [
                index
                for index, token in enumerate(edited["source"]["tokens"])
                if token["word"] in blocked
            ]
            assert {row[column] for row in attention["weights"] for column in columns} == {0}


@pytest.mark.parametrize("detail", ["weights", "steps"])
def test_the_published_schema_holds_for_edited_traces(client: httpx.Client, detail: str) -> None:
    schema = Draft202012Validator(client.get("/api/v1/schema/trace").json())
    edits = [
        {"op": "block", "words": "she"},
        {"op": "silence", "keys": "all", "heads": [0], "queries": {"first": 1, "last": 3}},
    ]
    search = {"kind": "beam", "beam": 2}
    schema.validate(
        translate(client, text="She sleeps.", detail=detail, edits=edits, search=search)
    )


def test_a_trace_replays_from_its_request(client: httpx.Client) -> None:
    trace = translate(client, edits=[BLOCK, {"op": "set", "weight": 0.8, "keys": 2, "queries": 3}])
    request = {
        name: trace["request"][name] for name in ("text", "target", "search", "detail", "edits")
    }
    again = translate(client, **request)
    assert {**again, "timing": None} == {**trace, "timing": None}


def test_no_edits_and_idle_edits_are_exactly_the_unedited_answer(client: httpx.Client) -> None:
    plain = translate(client)
    for edits in ([], [{"op": "scale", "factor": 1, "keys": 0}, {"op": "block", "keys": []}]):
        assert {**translate(client, edits=edits), "timing": None} == {**plain, "timing": None}


def test_edits_are_part_of_the_request_by_which_the_cache_knows_an_answer() -> None:
    card = Catalogue().cards[MODEL]
    lists = [None, [BLOCK], [BLOCK, BLOCK], [{**BLOCK, "queries": 3}], [{**BLOCK, "op": "only"}]]
    requests = [
        text_request(validated({"text": TEXT, "edits": edits}, TranslateIn, strict=True), card)
        for edits in (*lists, [BLOCK])
    ]
    assert len(set(requests)) == len(lists)
    assert len(set(map(repr, requests))) == len(lists)  # the name on a shared server


def test_an_edited_trace_can_be_saved(client: httpx.Client) -> None:
    trace = translate(client, edits=[BLOCK])
    saved = client.post("/api/v1/traces", json=trace)
    assert saved.status_code == 201, saved.text
    again = client.get(f"/api/v1/traces/{saved.json()['id']}").json()
    assert again["baseline"] == trace["baseline"]
    assert again["request"]["edits"] == [BLOCK]
    trace["baseline"]["maps"][0]["weights"][0][0] += 0.5
    refused = client.post("/api/v1/traces", json=trace)
    assert refused.json()["error"]["field"].startswith("baseline.maps[0]")


def test_the_model_writes_on_from_a_step(client: httpx.Client) -> None:
    plain = translate(client)
    edited = translate(client, edits=[BLOCK], continue_from=3)
    words = [trace["target"]["tokens"][:3] for trace in (plain, edited)]
    assert words[0] == words[1]
    assert edited["request"]["continue_from"] == 3
    begun = translate(client, target="Je ne sais pas.", continue_from=2)
    assert begun["text"].startswith("Je ne ")
    assert begun["finish"] == "end"
    assert "baseline" not in begun
    answer = client.post(URL, json={"text": TEXT, "target": "Je ne", "continue_from": 99})
    assert answer.json()["error"]["field"] == "continue_from"


def test_a_stream_ends_with_the_edited_trace(client: httpx.Client) -> None:
    for search in ({"kind": "greedy"}, {"kind": "beam", "beam": 2}):
        body = {"text": "She sleeps.", "model": MODEL, "edits": [BLOCK | {"words": "she"}]}
        body |= {"search": search, "continue_from": 1}
        answer = client.post(URL, json=body, headers={"Accept": "text/event-stream"})
        events = [part.split("\n") for part in answer.text.strip().split("\n\n")]
        names = [lines[0].removeprefix("event: ") for lines in events]
        assert names[0] in ("start", "trace")
        assert names[-1] == "trace"
        trace = json.loads(events[-1][1].removeprefix("data: "))
        assert trace["baseline"]["unused"] == []


def test_a_batch_has_the_same_edits_for_each_text(client: httpx.Client) -> None:
    body = {"texts": [TEXT, "She sleeps."], "model": MODEL, "edits": [BLOCK]}
    first, second = client.post(f"{URL}/batch", json=body).json()["traces"]
    assert first["baseline"]["text"] == translate(client)["text"]
    assert second["error"]["code"] == "unknown_word"
    assert second["error"]["field"] == "texts[1]"


@pytest.mark.parametrize(
    ("edits", "code", "field"),
    [
        ([{"op": "block"}], "missing_field", "edits[0].keys"),
        ([{"op": "blok", "keys": 1}], "invalid_choice", "edits[0].op"),
        ([{"op": "uniform", "keys": 1}], "unknown_field", "edits[0].keys"),
        ([{"op": "scale", "keys": 1}], "missing_field", "edits[0].factor"),
        ([{"op": "set", "keys": 1, "weight": 1.1}], "out_of_range", "edits[0].weight"),
        ([{"op": "set", "keys": "all", "weight": 0.5}], "impossible_weight", "edits[0].weight"),
        ([{"op": "temperature", "temperature": 0}], "out_of_range", "edits[0].temperature"),
        ([{"op": "block", "keys": "all"}], "empty_row", "edits[0]"),
        ([{"op": "block", "keys": ["1"]}], "wrong_type", "edits[0].keys[0]"),
        ([{"op": "block", "keys": {"first": 1}}], "missing_field", "edits[0].keys.last"),
        ([{"op": "block", "keys": 99}], "out_of_range", "edits[0].keys"),
        ([{"op": "uniform", "heads": 4}], "out_of_range", "edits[0].heads"),
        ([{"op": "uniform", "queries": 5000}], "out_of_range", "edits[0].queries"),
        ([{"op": "uniform", "kind": "rollout"}], "invalid_choice", "edits[0].kind"),
        ([{"op": "row", "weights": [1, 1]}], "invalid_row", "edits[0].weights"),
        ([{"op": "gate", "value": 0.5}], "edits_not_supported", "edits[0].op"),
        ([{"op": "uniform"}] * 201, "out_of_range", "edits"),
    ],
)
def test_a_refusal_names_the_field(client: httpx.Client, edits: Any, code: str, field: str) -> None:
    error = refusal(client, edits)
    assert (error["code"], error["field"]) == (code, field)
    assert error["message"].endswith(".")


def test_a_model_without_attention_says_so(client: httpx.Client) -> None:
    error = refusal(client, [{"op": "uniform"}], model="dates-none")
    assert error["code"] == "edits_not_supported"
    assert "no attention" in error["message"]


def test_a_reader_cannot_look_at_its_subject(client: httpx.Client) -> None:
    body = {"text": "The keys to the cabinet are on the table.", "model": "read-lstmn"}
    edits = [{"op": "block", "words": "keys"}]
    trace = client.post("/api/v1/read", json={**body, "edits": edits}).json()
    plain = client.post("/api/v1/read", json=body).json()
    assert trace["request"]["edits"] == edits
    assert trace["baseline"]["maps"][0]["weights"] == plain["maps"][0]["weights"]
    assert {row[2] for row in trace["maps"][0]["weights"]} == {0}
    changes = trace["baseline"]["changes"]
    assert changes[5]["delta"] < 0  # "are" is less likely
    assert changes[0] == {"before": pytest.approx(changes[0]["after"])} | {
        name: changes[0][name] for name in ("after", "delta", "divergence")
    }
    assert "parts_at" not in trace["baseline"]  # the words are those of the user


def test_a_story_without_its_supporting_fact_has_another_answer(client: httpx.Client) -> None:
    story = "John went to the garden. Mary went to the kitchen."
    body = {"story": story, "question": "Where is John?", "edits": [{"op": "block", "keys": 1}]}
    trace = client.post("/api/v1/story", json=body).json()
    assert trace["baseline"]["text"] == "the garden"
    assert trace["text"] != "the garden"
    assert len(trace["baseline"]["changes"]) == trace["target"]["hops"]
    refused = client.post("/api/v1/story", json={**body, "edits": [{"op": "block", "keys": "all"}]})
    assert refused.json()["error"]["code"] == "empty_row"


EDIT_OF_BOB = {"op": "block", "words": "Ann", "queries": 1}


def test_a_node_does_not_look_at_its_neighbour(client: httpx.Client) -> None:
    body = {"graph": "Ann: A\nAnn - Bob - Cid\nCid: B", "edits": [EDIT_OF_BOB]}
    trace = client.post("/api/v1/graph", json=body).json()
    assert {attention["weights"][1][0] for attention in trace["maps"]} == {0}
    before = trace["baseline"]["maps"][0]["weights"][1][0]
    assert before > 0
    assert len(trace["baseline"]["changes"]) == 3


def test_patches_look_away(client: httpx.Client) -> None:
    photo = Path("static/samples/sheep.jpg").read_bytes()
    edits = [{"op": "silence", "keys": {"first": 1, "last": 98}, "layers": 4}]
    fields = {"edits": (None, json.dumps(edits)), "detail": (None, "weights")}
    trace = client.post("/api/v1/see", files={"image": photo, **fields}).json()
    assert trace["request"]["edits"] == edits
    last = [each for each in trace["maps"] if each["kind"] == "encoder-self" and each["layer"] == 4]
    for attention in last:
        for row, sink in zip(attention["weights"], attention["sinks"], strict=True):
            assert sum(row) + sink == pytest.approx(1, abs=2e-3)
            assert not any(row[1:99])
    [change] = trace["baseline"]["changes"]
    assert change["divergence"] > 0


@pytest.mark.parametrize("search", [{"kind": "greedy"}, {"kind": "beam", "beam": 3}])
def test_changes_are_those_of_forced_decoding(client: httpx.Client, search: Any) -> None:
    edits = [{"op": "set", "weight": 0.6, "words": "she", "queries": {"first": 1, "last": 3}}]
    baseline = translate(client, edits=edits, search=search)["baseline"]
    plain, edited = (
        translate(client, target=baseline["text"], edits=given) for given in ([], edits)
    )
    for before, after, change in zip(
        plain["steps"], edited["steps"], baseline["changes"], strict=True
    ):
        assert math.exp(change["before"]) == pytest.approx(before["probability"], abs=2e-5)
        assert math.exp(change["after"]) == pytest.approx(after["probability"], abs=2e-5)
    assert baseline["changes"][0]["divergence"] == 0
    assert edited["baseline"]["changes"] == baseline["changes"]


def test_an_answer_that_is_not_to_be_stored_is_not_cached(
    served: Callable[..., AbstractContextManager[Running]],
) -> None:
    body = {"text": TEXT, "model": MODEL, "edits": [BLOCK]}
    passing = {"Cache-Control": "no-store"}
    with served(cache_bytes=10_000_000) as server:
        states = [
            server.client.post(URL, json=body, headers=headers).headers["X-Cache"]
            for headers in (passing, {}, passing)
        ]
    assert states == ["miss", "miss", "hit"]


def test_a_page_leaves_the_trace_under_edits_to_its_script(client: httpx.Client) -> None:
    wait_for(lambda: 'id="example"' in client.get("/").text)
    assert 'id="example"' not in client.get("/", params={"edits": "uniform_q1"}).text
