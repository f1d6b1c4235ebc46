"""A score taken apart over HTTP."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from heed.app.schemas import ScoreOut
from heed.app.settings import Settings
from tests.conftest import Running, running
from tests.models.drawn import quarters, saved

URL = "/api/v1/translate/score"
RECURRENT = {"model": "en-fr-additive", "text": "The dog sleeps.", "row": 1, "column": 1}
TRANSFORMER = {**RECURRENT, "model": "en-fr-transformer", "layer": 1, "head": 2}


def asked(client: httpx.Client, body: dict[str, Any]) -> ScoreOut:
    answer = client.post(URL, json=body)
    assert answer.status_code == 200, answer.text
    return ScoreOut.model_validate(answer.json())


def test_the_score_of_a_transformer_is_a_sum_of_products(client: httpx.Client) -> None:
    score = asked(client, TRANSFORMER)
    assert score.split is not None
    assert score.left_out is None
    assert sum(map(sum, score.split.products)) == pytest.approx(score.score, abs=1e-4)
    trace = client.post("/api/v1/translate", json={"model": score.model, "text": "The dog sleeps."})
    [shown] = [
        each["scores"][1][1]
        for each in trace.json()["maps"]
        if (each["kind"], each["layer"], each["head"]) == ("cross", 1, 2)
    ]
    assert score.score == pytest.approx(shown, abs=1e-3)


def test_the_words_of_another_model_are_left_out(
    client: httpx.Client,
) -> None:
    score = asked(client, RECURRENT)
    assert score.left_out is not None
    assert score.remainder is not None
    assert [each.change is None for each in score.left_out] == [False, True, False, False]
    assert score.remainder == pytest.approx(
        score.score - sum(each.change or 0 for each in score.left_out)
    )


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"row": 200}, "out_of_range", "row"),
        ({"row": -1}, "out_of_range", "row"),
        ({"layer": 7}, "out_of_range", "layer"),
        ({"model": "en-fr-none"}, "out_of_range", "kind"),
        ({"text": ""}, "empty_text", "text"),
        ({"edits": []}, "unknown_field", "edits"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(
    client: httpx.Client, change: dict[str, Any], code: str, field: str
) -> None:
    answer = client.post(URL, json={**RECURRENT, **change})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == (code, field)


@pytest.mark.parametrize(
    ("model", "place"),
    [
        ("caption-heads", {"layer": "1", "head": "1", "row": "1", "column": "40"}),
        ("caption-soft", {"row": "2", "column": "40"}),
    ],
)
def test_the_score_of_a_cell_of_a_photo_is_taken_apart(
    seeing: Running, model: str, place: dict[str, str]
) -> None:
    asked = {"model": model, "target": "may", **place}
    photo = saved(quarters(300, 100), "JPEG")
    answer = seeing.client.post("/api/v1/caption/score", files={"image": photo}, data=asked)
    assert answer.status_code == 200, answer.text
    score = ScoreOut.model_validate(answer.json())
    if score.split is not None:
        assert sum(map(sum, score.split.products)) == pytest.approx(score.score, abs=1e-4)
        return
    assert score.written
    assert score.cells
    assert score.remainder is not None
    changes = sum(each.change or 0 for each in score.written) + sum(score.cells)
    assert score.remainder + changes == pytest.approx(score.score, abs=1e-4)


def test_a_score_counts_by_its_steps_unless_it_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heed.app.inference.execution.ROWS_OF_A_CALL", 1)
    limits = {"rate_per_minute": 1, "rate_burst": 11, "cache_bytes": 10_000_000}
    with running(Settings.from_environment(preload="none", **limits)) as server:
        # The first takes two steps for each of four words; a Transformer takes none.
        bodies = (RECURRENT, RECURRENT, TRANSFORMER, {**RECURRENT, "row": 2})
        answers = [server.client.post(URL, json=body) for body in bodies]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers.get("x-cache") for answer in answers[:3]] == ["miss", "hit", "miss"]
