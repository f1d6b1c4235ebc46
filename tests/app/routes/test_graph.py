"""Graphs over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

import io
from typing import Any

import httpx
import numpy as np
import pytest

from heed.app.tasks import graph
from heed.models.graphs.notation import parse_graph
from tests.app.test_errors import error_of
from tests.conftest import Running, beside_the_event_loop
from tests.models.tiny import CHAIN

URL = "/api/v1/graph"
BODY = {"graph": "Ann: A\nAnn - Bob - Cid"}
LISTED = {
    "nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}, {"name": "Cid", "hint": "B"}],
    "edges": [["Ann", "Bob"], ["Bob", "Cid"]],
}


@pytest.fixture
def client(every: Running) -> httpx.Client:
    """A client of the server that has a model for graphs."""
    return every.client


def test_the_nodes_of_a_graph_are_classified(client: httpx.Client) -> None:
    trace = client.post(URL, json=BODY).json()
    assert trace["task"] == "graph"
    assert trace["request"]["text"] == BODY["graph"]
    assert [node["text"] for node in trace["source"]["nodes"]] == ["Ann", "Bob", "Cid"]
    assert trace["source"]["edges"] == [[0, 1], [1, 2]]
    assert trace["target"]["nodes"] == ["Ann", "Bob", "Cid"]
    assert len(trace["maps"]) == 4
    assert trace["maps"][0]["weights"][0][2] == 0
    assert trace["maps"][0]["scores"][0][2] is None
    assert len(trace["maps"][0]["queries"]) == 3


def test_nodes_and_edges_are_the_same_as_text(client: httpx.Client) -> None:
    listed = client.post(URL, json=LISTED).json()
    text = client.post(URL, json={"graph": listed["request"]["text"]}).json()
    assert {**listed, "timing": None} == {**text, "timing": None}


def test_a_long_graph_is_read_on_a_thread(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = []

    def noted(text: str) -> Any:
        beside.append(beside_the_event_loop())
        return parse_graph(text)

    monkeypatch.setattr(graph, "parse_graph", noted)
    text = "Ann: A\nAnn - Bob" + "\n" * 1_500
    answers = [client.post("/api/v1/graph", json={"graph": text})]
    answers.append(client.get("/graph", params={"graph": text, "wait": "1"}))
    assert [answer.status_code for answer in answers] == [200, 200], answers[0].text
    assert beside == [True, True]


def test_an_example_is_named_by_its_title(client: httpx.Client) -> None:
    assert client.post(URL, json={"graph": "chain"}).json()["request"]["text"] == CHAIN


def test_the_arrays_can_be_had(client: httpx.Client) -> None:
    headers = {"Accept": "application/x-npz"}
    arrays = np.load(io.BytesIO(client.post(URL, json=BODY, headers=headers).content))
    assert arrays["weights"].shape == (2, 2, 3, 3)
    assert arrays["source"].tolist() == ["Ann", "Bob", "Cid"]
    assert arrays["edges"].tolist() == [[0, 1], [1, 2]]


MANY = [{"name": f"n{place}", "known": "A"} for place in range(10_000)]


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "missing_field", "graph"),
        ({"graph": ""}, "empty_graph", "graph"),
        ({"graph": " \n"}, "blank_graph", "graph"),
        ({"graph": "# only a title"}, "empty_graph", "nodes"),
        ({"graph": "a - b"}, "no_known_class", "nodes"),
        ({"graph": "a: A\na - a"}, "invalid_graph", "edges"),
        ({"graph": "a: A\na - b\nb - a"}, "invalid_graph", "edges"),
        ({"graph": "a: A" + "\na" * 3000}, "graph_too_large", "graph"),
        ({"nodes": [], "edges": []}, "empty_graph", "nodes"),
        ({"nodes": MANY}, "graph_too_large", "nodes"),
        ({"nodes": [{"name": "a", "known": "A"}], "edges": [["a", "b"]]}, "invalid_graph", "edges"),
        ({**BODY, **LISTED}, "unknown_field", "graph"),
        ({"graph": 3}, "wrong_type", "graph"),
    ],
)
def test_a_bad_graph_is_refused(
    client: httpx.Client, body: dict[str, Any], code: str, field: str
) -> None:
    answer = client.post(URL, json=body)
    assert error_of(answer, 422, code)["field"] == field


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("source", {"edges": [[0, 9]]}),
        ("target", {"classes": ["A", "A"]}),
        ("target", {"classes": ["A", "A", "Z"]}),
        ("target", {"nodes": ["x", "y", "z"]}),
    ],
)
def test_a_contradictory_trace_is_not_saved(
    client: httpx.Client, part: str, change: dict[str, Any]
) -> None:
    trace = client.post(URL, json=BODY).json()
    answer = client.post("/api/v1/traces", json=trace | {part: trace[part] | change})
    error_of(answer, 422, "invalid_trace")
