from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from heed.models.mechanisms import mechanism_named
from tests.conftest import DEFAULT

DATE = "the 3rd of may 1979"
URL = "/api/v1/translate"
DETAILS = ("weights", "steps", "full")


def translate(client: httpx.Client, text: str = DATE, **options: Any) -> dict[str, Any]:
    answer = client.post(URL, json={"text": text, **options})
    assert answer.status_code == 200, answer.text
    return answer.json()


def validator(client: httpx.Client) -> Draft202012Validator:
    schema = client.get("/api/v1/schema/trace").json()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_a_date_is_translated(client: httpx.Client) -> None:
    trace = translate(client)
    assert trace["text"] == "1979-05-03"
    assert trace["schema"] == "heed.trace/2"
    assert trace["request"]["text"] == DATE
    assert trace["finish"] == "end"


def test_the_map_has_a_row_per_output_and_a_column_per_input_token(client: httpx.Client) -> None:
    trace = translate(client)
    (cross,) = trace["maps"]
    rows, columns = trace["target"]["tokens"], trace["source"]["tokens"]
    assert len(cross["weights"]) == len(cross["scores"]) == len(trace["steps"]) == len(rows)
    for row in cross["weights"]:
        assert len(row) == len(columns)
        assert sum(row) == pytest.approx(1, abs=1e-3)
    assert rows[-1]["special"]
    assert columns[-1]["special"]


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("model", ["dates-additive", "dates-dot", "dates-none"])
def test_the_published_schema_holds_for_real_traces(
    client: httpx.Client, detail: str, model: str
) -> None:
    for options in ({}, {"search": {"kind": "beam", "beam": 3}}, {"target": "1979-05-03"}):
        validator(client).validate(translate(client, detail=detail, model=model, **options))


def test_the_schema_rejects_invalid_traces(client: httpx.Client) -> None:
    check = validator(client)
    trace = translate(client)
    assert not check.is_valid({**trace, "unheard": 1})
    assert not check.is_valid({key: trace[key] for key in trace if key != "schema"})
    assert check.schema["$id"] == "urn:heed:schema:trace:2"
    assert check.schema["title"] == "Trace"
    assert check.schema["description"]


def test_fields_excluded_by_detail_are_absent(client: httpx.Client) -> None:
    weights, steps, full = (translate(client, detail=detail) for detail in DETAILS)
    assert "scores" not in weights["maps"][0]
    assert set(weights["steps"][0]) == {"probability", "surprise", "alternatives"}
    assert "values" not in steps["steps"][0]["state"]
    assert steps["maps"][0]["scores"][0]
    state = full["steps"][0]["state"]
    assert len(state["values"]) == state["size"]
    for trace in (weights, steps, full):
        assert trace["request"]["target"] is None


HEADS = {"text": "Good morning.", "model": "en-fr-transformer"}


def test_vectors_of_self_attention_are_returned_on_request(
    client: httpx.Client,
) -> None:
    plain, whole = translate(client, **HEADS), translate(client, **HEADS, vectors="all")
    assert "vectors" not in plain["request"]
    assert whole["request"]["vectors"] == "all"
    assert {one["kind"] for one in plain["maps"] if "queries" in one} == {"cross"}
    length = {"source": len(whole["source"]["tokens"]), "target": len(whole["target"]["tokens"])}
    length["decoder_input"] = length["target"]
    for one in whole["maps"]:
        assert len(one["queries"]) == length[one["query"]]
        assert len(one["keys"]) == len(one["values"]) == length[one["key"]]
    for trace in (plain, whole):
        validator(client).validate(trace)
        for one in trace["maps"]:
            for name in ("queries", "keys", "values"):
                one.pop(name, None)
    assert {**whole, "request": 0, "timing": 0} == {**plain, "request": 0, "timing": 0}


def test_batches_and_streams_have_these_vectors_too(
    client: httpx.Client,
) -> None:
    fields = {"model": HEADS["model"], "vectors": "all", "search": {"kind": "beam", "beam": 2}}
    alone = translate(client, HEADS["text"], **fields)
    (batched,) = client.post(f"{URL}/batch", json={"texts": [HEADS["text"]], **fields}).json()[
        "traces"
    ]
    accept = {"Accept": "text/event-stream"}
    stream = client.post(URL, json={"text": "Good night.", **fields}, headers=accept).text
    *_, steps, last = [json.loads(line[6:]) for line in stream.splitlines() if line[:6] == "data: "]
    assert [set(one) for one in batched["maps"]] == [set(one) for one in alone["maps"]]
    assert all("queries" in one and "keys" not in one for one in steps["maps"])
    assert all("keys" in one for one in last["maps"])


def test_a_model_without_attention_has_no_maps(client: httpx.Client) -> None:
    trace = translate(client, model="dates-none")
    assert trace["maps"] == []
    assert trace["model"]["order"] == "fixed"


def test_a_target_is_forced(client: httpx.Client) -> None:
    trace = translate(client, target="1980-05-03", search={"kind": "beam", "beam": 2})
    assert trace["text"] == "1980-05-03"
    assert trace["finish"] == "forced"
    assert trace["request"]["target"] == "1980-05-03"
    assert trace["request"]["search"]["kind"] == "beam"
    surprises = [step["surprise"] for step in trace["steps"]]
    assert surprises[2] > surprises[0]


def test_a_beam_search_returns_its_other_hypotheses_best_first(client: httpx.Client) -> None:
    trace = translate(client, search={"kind": "beam", "beam": 3})
    scores = [trace["score"], *(other["score"] for other in trace["runners_up"])]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert all(len(other["maps"]) == 1 for other in trace["runners_up"])


def test_the_same_seed_draws_the_same_text(client: httpx.Client) -> None:
    search = {"kind": "sample", "temperature": 3.0}
    drawn = [
        translate(client, search={**search, "seed": seed})["text"] for seed in (1, 1, 2, 3, 4, 5)
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_the_trace_has_only_the_options_of_its_search(client: httpx.Client) -> None:
    search = translate(client, search={"kind": "greedy", "beam": 7, "seed": 3})["request"]["search"]
    assert (search["beam"], search["seed"], search["temperature"]) == (1, 0, 1.0)


def test_positions_count_code_points(client: httpx.Client) -> None:
    text = "\N{GRINNING FACE} 3 may 1979"
    source = translate(client, text)["source"]
    assert source["text"] == text
    assert all(text[word["start"] : word["end"]] == word["text"] for word in source["words"][:-1])


def test_a_batch_keeps_its_order_and_an_invalid_text_fails_alone(client: httpx.Client) -> None:
    texts = [DATE, "", "march 7, 2024", 5, " \u3000", "\ud800", None, "x" * 5000, DATE]
    traces = client.post(
        f"{URL}/batch",
        content=json.dumps({"texts": texts}),
        headers={"Content-Type": "application/json"},
    ).json()["traces"]
    found = [trace["error"]["code"] if "error" in trace else trace["text"] for trace in traces]
    assert found == [
        "1979-05-03",
        "empty_text",
        "2024-03-07",
        "wrong_type",
        "blank_text",
        "invalid_text",
        "wrong_type",
        "text_too_long",
        "1979-05-03",
    ]
    fields = [trace["error"]["field"] for trace in traces if "error" in trace]
    assert fields == [f"texts[{place}]" for place in (1, 3, 4, 5, 6, 7)]


def test_a_batch_of_invalid_texts_is_answered(client: httpx.Client) -> None:
    answer = client.post(f"{URL}/batch", json={"texts": ["", " "]})
    assert answer.status_code == 200
    assert [one["error"]["code"] for one in answer.json()["traces"]] == ["empty_text", "blank_text"]


def test_a_text_has_the_same_trace_in_a_batch_as_alone(client: httpx.Client) -> None:
    texts = [DATE, "7/3/24", "on the twenty-first of december two thousand and nine"]
    traces = client.post(f"{URL}/batch", json={"texts": texts}).json()["traces"]
    for text, together in zip(texts, traces, strict=True):
        alone = translate(client, text)
        assert together["text"] == alone["text"]
        for mine, other in zip(together["maps"], alone["maps"], strict=True):
            for row, twin in zip(mine["weights"], other["weights"], strict=True):
                assert row == pytest.approx(twin, abs=1e-4)


def test_the_largest_batch_is_accepted_and_a_larger_one_refused(client: httpx.Client) -> None:
    most = client.get("/version").json()["limits"]["batch"]
    assert most >= 16
    full = client.post(f"{URL}/batch", json={"texts": [DATE] * most, "detail": "weights"})
    assert len(full.json()["traces"]) == most
    answer = client.post(f"{URL}/batch", json={"texts": [DATE] * (most + 1)})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "batch_too_large"
    assert str(most) in answer.json()["error"]["message"]


def readers(models: list[dict[str, Any]]) -> set[str]:
    """Return the ids of the models that translate a text."""
    return {model["id"] for model in models if model["task"] in ("translate", "dates")}


def test_the_catalogue_contains_the_cards(client: httpx.Client) -> None:
    models = client.get("/api/v1/models").json()["models"]
    defaults = [model["id"] for model in models if model["default"]]
    assert [id for id in defaults if id in readers(models)] == [DEFAULT]
    assert {model["id"] for model in models} >= {"dates-additive", "dates-dot", "dates-none"}
    for model in models:
        assert set(model["limits"]) == {"characters", "tokens", "steps"}
        assert model["card"]
        assert model["examples"] or model["task"] in ("caption", "see")  # of photos
        assert set(model["hints"]) <= set(model["examples"])
        assert len(model["weights"]) == 64
        mechanism = mechanism_named(model["mechanism"])
        assert (model["formula"], model["paper"]) == (mechanism.formula, mechanism.paper)


def test_examples_of_every_model_are_short_enough_for_it(client: httpx.Client) -> None:
    models = client.get("/api/v1/models").json()["models"]
    for model in models:
        for example in model["examples"] if model["id"] in readers(models) else ():
            assert translate(client, example, model=model["id"], detail="weights")["text"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"target": "1980-05-03"},
        {"search": {"kind": "sample", "seed": 3, "temperature": 1.5}, "detail": "full"},
        {"search": {"kind": "beam", "beam": 3, "length_penalty": 0.5}, "model": "dates-dot"},
        {"model": "en-fr-transformer", "vectors": "all"},
    ],
)
def test_the_request_of_a_trace_gives_the_same_trace(
    client: httpx.Client, body: dict[str, Any]
) -> None:
    trace = translate(client, **body)
    again = client.post(URL, json={**trace["request"], "model": trace["model"]["id"]}).json()
    assert {**again, "timing": 0} == {**trace, "timing": 0}


@pytest.mark.parametrize("temperature", [5e-324, 1e-300, 1e-9])
def test_a_tiny_temperature_gives_the_most_probable_output(
    client: httpx.Client, temperature: float
) -> None:
    search = {"kind": "sample", "seed": 3, "temperature": temperature}
    drawn = client.post(URL, json={"text": "3 may 1979", "search": search})
    assert drawn.status_code == 200, drawn.text
    assert drawn.json()["text"] == client.post(URL, json={"text": "3 may 1979"}).json()["text"]


def test_responses_vary_by_accept_and_encoding(client: httpx.Client) -> None:
    fields = {"text": DATE, "detail": "full"}
    for encoding in ("gzip", "identity"):
        answer = client.post(URL, json=fields, headers={"Accept-Encoding": encoding})
        assert answer.headers["vary"] == "Accept, Accept-Encoding"
        assert ("content-encoding" in answer.headers) == (encoding == "gzip")
        small = client.post(URL, json={"text": ""}, headers={"Accept-Encoding": encoding})
        assert "vary" not in small.headers
