"""Graphs over HTTP: the API, the page, and what is saved."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from heed.app.tasks import graph
from heed.models.graphs.notation import parse_graph
from tests.conftest import beside_the_event_loop
from tests.models.tiny import CHAIN

URL = "/api/v1/graph"
BODY = {"graph": "Ann: A\nAnn - Bob - Cid"}
LISTED = {
    "nodes": [{"name": "Ann", "known": "A"}, {"name": "Bob"}, {"name": "Cid", "hint": "B"}],
    "edges": [["Ann", "Bob"], ["Bob", "Cid"]],
}


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
