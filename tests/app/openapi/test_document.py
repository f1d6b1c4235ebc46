from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from heed.app.openapi.examples import BATCH_EXAMPLES
from heed.app.tasks.translate import TRANSLATE as TASK

ROOT = Path(__file__).parents[3]
TRANSLATE = "/api/v1/translate"


@pytest.fixture(scope="module")
def document(server: Any) -> dict[str, Any]:
    return server.client.get("/openapi.json").json()


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        inner = set().union(*map(references, value.values()), set())
        return inner | ({value["$ref"]} if isinstance(value.get("$ref"), str) else set())
    return set().union(*map(references, value), set()) if isinstance(value, list) else set()


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    names = set()
    for _, _, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        assert operation["tags"][0] in {tag["name"] for tag in document["tags"]}
        names.add(operation["operationId"])
    assert len(names) == len(operations(document))
    assert "translate" in names


def test_every_reference_is_defined(document: dict[str, Any]) -> None:
    for reference in references(document):
        assert reference.rpartition("/")[2] in document["components"]["schemas"], reference


def test_media_types_and_errors_are_declared(document: dict[str, Any]) -> None:
    answers = document["paths"][TRANSLATE]["post"]["responses"]
    assert set(answers["200"]["content"]) == {
        "application/json",
        "text/event-stream",
        "application/x-npz",
    }
    assert {"400", "406", "413", "415", "422", "500", "503"} <= set(answers)
    for status in answers.keys() - {"200"}:
        schema = answers[status]["content"]["application/json"]["schema"]
        assert schema["$ref"].endswith("/ErrorOut")


def test_validation_errors_of_the_framework_are_not_declared(document: dict[str, Any]) -> None:
    assert not {"HTTPValidationError", "ValidationError"} & set(document["components"]["schemas"])


@pytest.mark.parametrize("name", TASK.operation.examples)
def test_examples_are_valid_requests(client: httpx.Client, name: str) -> None:
    answer = client.post(TRANSLATE, json=TASK.operation.examples[name])
    assert answer.status_code == 200, answer.text


def test_the_example_of_a_batch_is_a_valid_request(client: httpx.Client) -> None:
    for example in BATCH_EXAMPLES.values():
        answer = client.post(f"{TRANSLATE}/batch", json=example["value"])
        assert answer.status_code == 200
        assert len(answer.json()["traces"]) == len(example["value"]["texts"])


def test_responses_match_their_schemas(client: httpx.Client, document: dict[str, Any]) -> None:
    answers = {
        "/api/v1/models": client.get("/api/v1/models"),
        "/healthz": client.get("/healthz"),
        "/readyz": client.get("/readyz"),
        "/version": client.get("/version"),
    }
    for path, answer in answers.items():
        content = document["paths"][path]["get"]["responses"]["200"]["content"]
        schema = content["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        Draft202012Validator(whole).validate(answer.json())


def test_every_operation_is_documented(document: dict[str, Any]) -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    for method, path, _ in operations(document):
        assert f"{method.upper()} {path.removeprefix('/api/v1')}" in text
